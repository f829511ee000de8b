"""Model files under a right checksum whose numbers no model can have are refused by name."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from fuzz.models import ANSWERS, ARRAYS, PACKAGE, numbers_of, try_one

from haiyomi.errors import ModelError
from haiyomi.storage.model_file import (
    array_of,
    array_text,
    float16_array,
    float16_text,
    read_model,
    write_model,
)


@pytest.mark.parametrize("number", [1e300, 1e308, -1e308, 10**400, 1e11])
@pytest.mark.parametrize("name", [name for name in ANSWERS if name.endswith(".json")])
def test_a_number_beyond_all_models_is_one_sentence(
    name: str, number: float, tmp_path: Path
) -> None:
    body = json.loads((PACKAGE / name).read_text(encoding="utf-8"))
    container, key = [place for place in numbers_of(body["payload"]) if place[1] not in ARRAYS][-1]
    container[key] = number
    path = tmp_path / "changed.json"
    write_model(path, body["haiyomi_model"], body["version"], body["payload"], {})
    with pytest.raises(ModelError, match=r"^changed\.json: .* has a number above 1e\+10$"):
        ANSWERS[name](path)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused(text: str, tmp_path: Path) -> None:
    """A traceback before: the checksum is of text that has no such numbers."""
    path = tmp_path / "changed.json"
    write_model(path, "kind", 1, {"a": [1.5]}, {})
    path.write_text(path.read_text().replace("1.5", text))
    with pytest.raises(ModelError, match="is not a number"):
        read_model(path, "kind", 1)


def test_a_half_precision_array_is_finite() -> None:
    value = float16_text(np.ones(3))
    assert float16_array(value).tolist() == [1, 1, 1]
    value["half"] = "AHwAPAA8"  # infinity, 1, 1
    with pytest.raises(ValueError, match="not finite"):
        float16_array(value)


def test_a_stored_array_comes_back_bit_for_bit() -> None:
    floats = np.array([[0.1, -3e-39], [9e9, -0.0]], np.float32)
    again = array_of(array_text(floats, "single"), "single")
    assert (again.dtype, again.shape, again.tobytes()) == (np.float32, (2, 2), floats.tobytes())
    with pytest.raises(ValueError, match=r"above 1e\+10"):
        array_of(array_text(floats * 10, "single"), "single")


@pytest.mark.parametrize("name", ANSWERS)
def test_changed_numbers_are_refused_or_usable(name: str, tmp_path: Path) -> None:
    """A few here; more by ``python -m fuzz.models``."""
    for number in range(6):
        try_one(name, random.Random(f"test {name} {number}"), tmp_path)
