#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes docs/timeline.png: the timeline of a run of the demo's program.
# It needs Chromium.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

browser=$(command -v chromium) || {
	echo "picture.sh: there is no chromium (apt-get install chromium)" >&2
	exit 2
}
sh "$root/tools/build.sh"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mpicc.mpich -g -O2 -o "$out/jacobi" "$root/tests/programs/jacobi.c"
cd "$out"
"$root/build/analyzer/bcs" run --trace -- mpiexec.mpich -n 4 ./jacobi </dev/null
"$root/build/analyzer/bcs" html -o page.html ./*.bcs
python3 "$root/tools/picture.py" "$browser" page.html "$root/docs/timeline.png"
