"""Print the licence of every package that the lock file pins: licences.py [REQUIREMENTS].

Read from what is installed. Stops with status 1 where a package names no licence; lines for
packages that are not installed here (another system's) are left out.
"""

import pathlib
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata

lock = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".ci/requirements.txt")
found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==", lock.read_text("utf-8"), re.MULTILINE)
names = dict.fromkeys(found)


def licence(name: str) -> str:
    """The SPDX expression, else what the classifiers say, else the first line of the old field."""
    about = metadata(name)
    classified = [
        c.rpartition(" :: ")[2]
        for c in about.get_all("Classifier", [])
        if c.startswith("License :: ") and not c.endswith(":: OSI Approved")
    ]
    free_text = (about.get("License") or "").strip().partition("\n")[0]
    return about.get("License-Expression") or ", ".join(classified) or free_text


unnamed = []
for name in names:
    try:
        named = licence(name)
    except PackageNotFoundError:
        continue
    print(f"{name:32} {metadata(name)['Version']:14} {named or '?'}")
    if not named:
        unnamed.append(name)
if unnamed:
    sys.exit(f"no licence is named by {', '.join(unnamed)}")
