"""Pictures for papers, as SVG or PDF, drawn by Matplotlib (the extra ``plot``)."""
