"""Call one function of the planted library: planted.py LIBRARY FUNCTION."""

import ctypes
import sys

library, function = sys.argv[1:]
print(function, getattr(ctypes.CDLL(library), function)(1))
