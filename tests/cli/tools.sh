#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools.sh
# tools/deps.sh and tools/here.sh end with what to do, where they cannot go on.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# Of a user for whom nothing is installed, who may or may not use sudo, and whose
# apt-get fails.
mkdir "$out/bin"
fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$out/bin/$1"
	chmod +x "$out/bin/$1"
}
fake id 'echo 1000'
fake dpkg-query 'echo not-installed'
# shellcheck disable=SC2016
fake sudo 'case $1 in -[lv]) exit "$MAY" ;; esac; exit 1'
# shellcheck disable=SC2016
fake apt-cache 'case $1 in madison) echo "$LISTS" ;; *) [ "$2" != "$LACKS" ] ;; esac'

# deps MAY LISTS LACKS GROUP: what apt's lists have of dash, and what they lack.
deps() {
	status env MAY="$1" LISTS="$2" LACKS="$3" PATH="$out/bin:$PATH" \
		sh "$BCS_SOURCE/tools/deps.sh" "$4" >"$out/said" 2>&1
}

for may in 0 1; do
	deps $may '' '' build
	[ "$rc" -eq 1 ] || fail "sudo -l $may: ended with $rc"
	tail -n 1 "$out/said" | grep -q '^As root, please: apt-get install gcc ' ||
		fail "sudo -l $may: $(cat "$out/said")"
done

# Nobody is asked for what the release lacks.
deps 1 dash scalapack-mpi-test bench
[ "$rc.$(tail -n 1 "$out/said")" = "1.As root, please: apt-get install iproute2" ] ||
	fail "a package that is not there: $rc, $(cat "$out/said")"
fake dpkg-query '[ "$4" = scalapack-mpi-test ] || echo installed'
deps 1 dash scalapack-mpi-test bench
[ "$rc.$(cat "$out/said")" = "0.scalapack-mpi-test is not in this release" ] ||
	fail "only packages that are not there: $rc, $(cat "$out/said")"

# here FOLDER PATTERN: it refuses to be built there.
here() {
	mkdir -p "$1/tools"
	cp "$BCS_SOURCE/tools/here.sh" "$1/tools"
	status sh "$1/tools/here.sh" >"$out/said" 2>&1
	[ "$rc" -eq 2 ] || fail "$1: ended with $rc"
	[ "$(grep -c '' "$out/said")" -eq 1 ] || fail "$1: $(cat "$out/said")"
	grep -q "$2" "$out/said" || fail "$1: $(cat "$out/said")"
}

here "$out/a blank" "a blank"
here "$out/a:colon" "a blank or a"
TMPDIR=$out/none here "$out/tmp" "cannot be written to: set TMPDIR"
