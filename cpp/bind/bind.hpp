// What every binding file shares: one function a kernel, called by module.cpp.
#pragma once
#include <nanobind/nanobind.h>

namespace nb = nanobind;
