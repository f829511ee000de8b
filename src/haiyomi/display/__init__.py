"""How values look in a notebook: SVG for tiles, HTML for positions, analyses and tables.

The ``_repr_svg_`` and ``_repr_html_`` of the classes call these functions. What they return holds
everything that it needs: no script, no style sheet and no file from elsewhere. Every text is
escaped. Colours follow the notebook: text and lines take its colour and nothing has a background,
so that it can be read on a light and on a dark page. Nothing here imports a model or a kernel.
"""
