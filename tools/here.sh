#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/here.sh
# Whether this folder can be built in and its programs can run: else one line
# that says what to do, and status 2.
set -eu
cd "$(dirname "$0")/.."

refuse() {
	echo "bcs: $*" >&2
	exit 2
}

case $PWD in
*[[:space:]:]*)
	refuse "'$PWD': a preload cannot lie in a folder with a blank or a" \
		"colon in its name: move or clone the sources elsewhere"
	;;
esac
[ -w . ] || refuse "$PWD cannot be written to: copy the sources elsewhere"

# Examples and tests compile programs and run them.
trial=$(mktemp 2>/dev/null) ||
	refuse "${TMPDIR:-/tmp} cannot be written to: set TMPDIR"
trap 'rm -f "$trial"' EXIT
echo '#!/bin/sh' >"$trial"
chmod +x "$trial"
"$trial" 2>/dev/null ||
	refuse "programs in ${TMPDIR:-/tmp} cannot be run: set TMPDIR to a" \
		"folder where they can"
