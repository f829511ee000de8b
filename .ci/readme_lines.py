"""Print the two commands of README's first screen: the first two ``bash`` blocks, a line each.

Stops with status 1 if they are not there, or not within the first 40 lines.
"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
first_screen = "\n".join(text.splitlines()[:40])
lines = re.findall(r"^```bash\n([^\n]+)\n```$", first_screen, re.MULTILINE)[:2]
if [line.split(" && ")[0] for line in lines] != ["pip install .", "pip install -e '.[dev]'"]:
    sys.exit(f"README's first screen does not give the two commands, but {lines}")
print("\n".join(lines))
