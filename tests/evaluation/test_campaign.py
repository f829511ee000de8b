"""One percent of the long campaign: the evaluation as a command, on a few real records."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.corpus
def test_one_percent_of_the_test_split(corpus: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    with zipfile.ZipFile(corpus / "test.zip") as archive:
        for name in sorted(archive.namelist())[::99][:3]:
            (records / Path(name).name).write_bytes(archive.read(name))
    out = tmp_path / "results.json"
    command = [sys.executable, "-m", "haiyomi", "evaluate", "dealin", str(records)]
    done = subprocess.run(
        [*command, "--results", str(out), "--rows", str(tmp_path / "rows.parquet")],
        capture_output=True,
        text=True,
        check=True,
    )
    results = json.loads(out.read_text(encoding="utf-8"))
    assert results["games"] == 3
    assert results["skipped"] == []
    threat = results["tile"]["threat"]["all"]
    assert threat["auc"]["value"] > 0.8
    assert threat["skill"]["value"] > 0.1
    # Nobody could ron what the rules forbid.
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    rows = pq.read_table(tmp_path / "rows.parquet")
    zero = rows.filter(pc.equal(rows["probability"], 0.0))
    assert zero.num_rows > 1000
    assert pc.sum(zero["label"]).as_py() == 0
    assert "Table 2 (c)" in done.stdout
