#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_jor.sh PROGRAM
# jor takes the iterations that are known, with the same bits however sites are cut;
# it finds the sites, whoever tells them; and it says what is wrong.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

jor=$1
export BCS_MODE=observe BCS_POLITE=on BCS_MMDS=off

# counted RANKS OPTION...: period and iterations, as one line; checks in $out/checks.
counted() {
	ranks=$1
	shift
	observed "$ranks" "$jor" --count "$@" >"$out/count"
	cut -d ' ' -f 1,3 "$out/count" >"$out/checks"
	cut -d ' ' -f 2 "$out/count" | paste -sd ' '
}

# known SIZE ITERATIONS: of periods 1, 2, 5, 10, 20, 50, and two halves.
known() {
	found=$(counted 2 --size="$1")
	[ "$found" = "$2" ] || fail "N = $1: $found iterations, not $2"
}

known 8 "70 74 85 110 180 400"
known 16 "256 262 285 330 440 800"
known 32 "975 988 1030 1110 1280 1950"

# same RANKS OPTION...: as two processes have it.
same() {
	counted 2 --size=8 --frontier=7 --periods=1,3,10 >/dev/null
	cp "$out/checks" "$out/expected"
	counted "$1" --size=8 --frontier=7 --periods=1,3,10 "$2" "$3" >/dev/null
	cmp -s "$out/checks" "$out/expected" || fail "other bits: $*"
}

for n in 3 4 7 8; do
	same $n --blocks --overlap
	same $n --overlap --overlap
done
same 6 --blocks --blocks
counted 4 --size=8 --periods=1 --frontier=5 >/dev/null
cp "$out/checks" "$out/expected"
counted 1 --size=8 --periods=1 >/dev/null
cmp -s "$out/checks" "$out/expected" || fail "other bits than a serial run has"

# bench RANKS OPTION...: all of it, quickly.
bench() {
	ranks=$1
	shift
	observed "$ranks" "$jor" --size=8 --repetitions=2 --periods=1,5 \
		"$@" >"$out/table"
}

# told PATTERN
told() {
	grep -qE "$1" "$out/table" && return
	cat "$out/table" >&2
	fail "not told: $1"
}

bench 4 --sites=3+1 --results="$out/lines" --overlap --pin --duty=100,80
told '^3 \+ 1 processes, sites by 3\+1; front-ends [0-2] and 3,'
told '^local, site 2 +16 +1 +70 '
told '^transparent +8 \+ 8 +1 +70 '
told '^balanced +[0-9]+ \+ [0-9]+ +5 +[0-9]+ '
told '^speed-up artless [0-9.]+, artful [0-9.]+ at period [15]$'
[ "$(grep -cE '^\{"what": "[a-z, 12]+"(, "[a-z_12]+": ([0-9.-]+|true|false))+\}$' \
	"$out/lines")" -eq 9 ] || fail "other results: $(cat "$out/lines")"
grep -q '"local, site 2".* "busy_1": 0\.0*[1-9]' "$out/lines" ||
	fail "site 2 did not compute: $(cat "$out/lines")"

# The slow link is found where it is, and its front-ends are beside it.
bench 4 --sites=times --delay=5000 --between=3+1
told '^3 \+ 1 processes, sites by times; front-ends [0-2] and 3, 1[0-9]{4}\.'

printf '# sites\n1-2 north # two\n*  south\n' >"$out/sites"
bench 4 --sites=file:"$out/sites"
told '^2 \+ 2 processes.*; front-ends [12] and [03],'
bench 2 --sites=times --blocks
told '^1 \+ 1 processes, sites by times; front-ends 0 and 1,'

native 1 "$jor" --size=9 --help >"$out/table"
told '^usage: .*jor'

# wrong RANKS PATTERN OPTION...: one line that says so, and status 2.  Without the preload
# ranks that share a core take whole time slices to wait.
wrong() {
	ranks=$1
	pattern=$2
	shift 2
	how=native
	[ "$ranks" -le 2 ] || how=observed
	status $how "$ranks" "$jor" "$@" >"$out/said" 2>"$out/errors"
	[ $rc -eq 2 ] || fail "status $rc, not 2: $*"
	[ ! -s "$out/said" ] || fail "it went on: $*"
	[ "$(wc -l <"$out/errors")" -eq 1 ] && grep -q "^jor: .*$pattern" \
		"$out/errors" && return
	cat "$out/errors" >&2
	fail "not said: $pattern"
}

wrong 1 "one process has no two sites"
wrong 1 "no two sites for a period of 2" --count
wrong 6 "3 processes of a site need at least 3 rows, it has 2; take a larger" \
	--sites=3+3 --size=2
wrong 2 "frontier=16 leaves the second site none of 16 rows" --count --size=8 \
	--frontier=16
wrong 2 "not of the 2 processes" --sites=2+2
wrong 2 "two numbers with a plus between" --sites=nope
wrong 2 "two numbers with a plus between" --sites=4294967297+1
wrong 2 "two numbers with a plus between" --sites=1+18446744073709551617
wrong 2 "two numbers with a plus between" --between=-1+3 --delay=5
wrong 2 "all 2 processes are in one site" --sites=mask:'*'
wrong 2 "$out/none: No such file" --sites=file:"$out/none"
printf '# one\n0 north\n1\n' >"$out/sites"
wrong 2 "$out/sites:3: not 'HOST SITE'" --sites=file:"$out/sites"
printf '0 north\n1 south\n* east\n' >"$out/sites"
wrong 2 "$out/sites:3: 'east' is a third site" --sites=file:"$out/sites"
printf '0 north\n' >"$out/sites"
wrong 2 "$out/sites: no line for rank 1" --sites=file:"$out/sites"
for who in 4294967297 0-4294967296 99999999999999999999; do
	printf '0 north\n%s south\n' "$who" >"$out/sites"
	wrong 2 "$out/sites:2: there is no rank '$who'" --sites=file:"$out/sites"
done
wrong 2 "all processes are on host" --sites=hosts
wrong 2 "class is S, W, A, B or C" --class=D
wrong 2 "size is a number from 1" --size=0
wrong 2 "periods is up to" --periods=1,,2
wrong 2 "duty is two numbers" --duty=50
wrong 2 "delay is a number" --delay=-1
wrong 2 "no such option.*--nope" --nope
wrong 2 "an argument too many: 'S'" S
wrong 2 "results has no effect with --count" --count --results="$out/lines"
wrong 2 "delay has no effect with --count" --count --delay=5
wrong 2 "sites has no effect with --solve" --solve --sites=1+1
wrong 2 "count has no effect with --solve" --count --solve
wrong 2 "frontier has no effect without --count or" --frontier=3
wrong 2 "class or --size, not both" --class=S --size=16
wrong 2 "between has no effect without --delay" --between=1+1
wrong 2 "$out/no/lines: No such file" --results="$out/no/lines"

# full COMMAND...: it says that it cannot write, and where.
full() {
	pattern=$1
	shift
	status "$@" >"$out/said" 2>"$out/errors"
	[ $rc -eq 2 ] || fail "status $rc, not 2: $*"
	grep -q "^jor: $pattern: not all could be written" "$out/errors" ||
		fail "not said: $pattern"
}

# shellcheck disable=SC2016
full "standard output" native 1 sh -c 'exec "$0" --help >/dev/full' "$jor"
full /dev/full observed 2 "$jor" --size=8 --repetitions=1 --periods=1 \
	--results=/dev/full

# Hosts, by names that they have in namespaces of their own.
unshare -r unshare -u true 2>/dev/null || skip "no namespaces of names here"
named() {
	# shellcheck disable=SC2016
	BCS_OUT=$records LD_PRELOAD=$preload timeout -k 5 "$limit" unshare -r mpiexec.mpich -n 1 unshare -u sh -c \
		'hostname northern; exec "$0" "$@"' "$jor" "$@" : -n 1 \
		unshare -u sh -c 'hostname southern; exec "$0" "$@"' "$jor" "$@"
}
for sites in hosts mask:s* file:"$out/sites"; do
	printf 'nor* one\nsouthern two\n' >"$out/sites"
	named --size=8 --repetitions=1 --periods=1 --sites="$sites" >"$out/table"
	told '^1 \+ 1 processes'
done
named --sites=mask:sou* --size=8 --periods=1 >"$out/table"
told 'front-ends 1 and 0,'
status named --sites=hosts --delay=5 >"$out/said" 2>"$out/errors"
[ "$rc" -eq 2 ] || fail "a delay between two machines was taken"
grep -q "for processes of one machine" "$out/errors" || fail "not said: one machine"
