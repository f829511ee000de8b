"""The forward pass of the networks of options, against the same networks in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from haiyomi.arrays import Singles
from haiyomi.kernels.option_net import option_net
from haiyomi.seeds import generator

MEMBERS, CHANNELS, POOLED, EXACT, HIDDEN, OUT = 2, 7, 20, 5, 32, 19
ROW = np.array([0, 0, 0, 1, 2, 2, 4])
KIND = np.array([3, 33, 3, 0, 7, 8, 12], np.uint8)


def _draw(name: str, *shape: int) -> Singles:
    return generator(1, name).normal(size=shape).astype(np.float32)


LAYERS = {
    "channels": _draw("channels", MEMBERS, CHANNELS, HIDDEN),
    "pooled": _draw("pooled", MEMBERS, POOLED, HIDDEN),
    "exact": _draw("exact", MEMBERS, EXACT, HIDDEN),
    "bias": _draw("bias", MEMBERS, 1, HIDDEN),
    "hidden": _draw("hidden", MEMBERS, HIDDEN, HIDDEN),
    "hidden bias": _draw("hidden bias", MEMBERS, 1, HIDDEN),
    "out": _draw("out", MEMBERS, HIDDEN, OUT),
}
SEEN = _draw("of kinds", 5, 34, CHANNELS), _draw("of decisions", 5, POOLED)
NUMBERS = _draw("numbers", len(ROW), EXACT)


def _found(which: slice | NDArray[np.bool_]) -> Singles:
    return option_net(LAYERS, ROW[which], KIND[which], *SEEN, NUMBERS[which])


def test_the_core_agrees_with_numpy() -> None:
    channels, pooled = SEEN
    for member, found in enumerate(_found(slice(None))):
        layer = {name: part[member] for name, part in LAYERS.items()}
        first = channels[ROW, KIND] @ layer["channels"] + pooled[ROW] @ layer["pooled"]
        first = np.maximum(first + NUMBERS @ layer["exact"] + layer["bias"], 0)
        second = np.maximum(first @ layer["hidden"] + layer["hidden bias"], 0)
        np.testing.assert_allclose(found, second @ layer["out"], rtol=1e-4, atol=1e-3)


def test_an_option_has_the_same_bits_in_any_batch() -> None:
    together = _found(slice(None))
    for i in range(len(ROW)):
        alone = _found(slice(i, i + 1))
        assert alone[:, 0].tobytes() == together[:, i].tobytes()
    some = ROW > 0
    assert _found(some).tobytes() == together[:, some].tobytes()


def test_what_does_not_fit_is_refused() -> None:
    narrow = {name: part[..., :8] for name, part in LAYERS.items()}
    with pytest.raises(ValueError, match="multiple of 16"):
        option_net(narrow, ROW, KIND, *SEEN, NUMBERS)
    with pytest.raises(ValueError, match="do not fit"):
        option_net(LAYERS | {"hidden": LAYERS["pooled"]}, ROW, KIND, *SEEN, NUMBERS)
    with pytest.raises(ValueError, match="option 6: no such decision or tile"):
        option_net(LAYERS, ROW + 1, KIND, *SEEN, NUMBERS)
    with pytest.raises(ValueError, match="one row of inputs"):
        option_net(LAYERS, ROW, KIND, *SEEN, NUMBERS[1:])
