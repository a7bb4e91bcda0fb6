#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: with_strobe.sh TEST ARGUMENT...
# A test in fixed mode, of which the strobe (docs/internals/strobe.md) runs the slices.
BCS_STROBE=1 exec sh "$@"
