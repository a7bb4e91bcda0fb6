# SPDX-License-Identifier: BSD-3-Clause
# A line as an element of an array of texts in C.
s/["\\]/\\&/g
s/.*/"&",/
