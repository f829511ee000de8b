// Python's own sequences and integers: what a call on one hand takes.
#pragma once
#include <nanobind/nanobind.h>

#include <cstring>
#include <string>

namespace haiyomi {

namespace nb = nanobind;

// An int, an object with __index__ or a numpy flag; any other type raises TypeError.
inline long small_int(nb::handle value, const char* name) {
  long found;
  if (PyLong_Check(value.ptr())) {
    found = PyLong_AsLong(value.ptr());
  } else if (std::strncmp(Py_TYPE(value.ptr())->tp_name, "numpy.bool", 10) == 0) {
    found = PyObject_IsTrue(value.ptr());
  } else if (PyIndex_Check(value.ptr())) {
    const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
    if (!index.is_valid()) nb::raise_python_error();
    found = PyLong_AsLong(index.ptr());
  } else {
    const std::string type = Py_TYPE(value.ptr())->tp_name;
    throw nb::type_error((std::string(name) + " must be integers or flags, not " + type).c_str());
  }
  if (found == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) nb::raise_python_error();
    PyErr_Clear();  // the caller's range refuses it
  }
  return found;
}

// Calls take(i, item) with each item of a list or tuple, or of a tuple made of another iterable.
template <class Take>
void for_each_item(nb::handle values, Take&& take) {
  const bool plain = PyList_CheckExact(values.ptr()) || PyTuple_CheckExact(values.ptr());
  const nb::object items = plain ? nb::borrow(values) : nb::steal(PySequence_Tuple(values.ptr()));
  if (!items.is_valid()) nb::raise_python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    const nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(items.ptr(), i));
    take(static_cast<std::size_t>(i), item);
  }
}

}  // namespace haiyomi
