# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# For the tests of `bcs report`: . "$BCS_SOURCE/tests/cli/record.sh"
# Writes record files by hand (mds/FORMAT.md); $out is a folder of the test's
# own, which is where it runs.
set -eu

# shellcheck disable=SC2034
bcs=$BCS_BUILD/analyzer/bcs
# Nothing that the user has set may show.
export TZ=UTC LC_ALL=C.UTF-8
unset NO_COLOR LD_PRELOAD DEBUGINFOD_URLS

newline='
'
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"

fail() {
	echo "$*" >&2
	exit 1
}

# fails STATUS TEXT COMMAND...: it ends with that status and has one line on
# stderr, which holds the text.
fails() {
	expected=$1 text=$2
	shift 2
	rc=0
	"$@" >stdout 2>stderr || rc=$?
	[ "$rc" -eq "$expected" ] || fail "status $rc, not $expected: $*"
	[ "$(wc -l <stderr)" -eq 1 ] || {
		cat stderr >&2
		fail "not one line on stderr: $*"
	}
	grep -qF -- "$text" stderr || {
		cat stderr >&2
		fail "no '$text' on stderr: $*"
	}
}

# drawn FILE: a picture that is well-formed; without xmllint as far as sed can tell.
drawn() {
	[ "$(tail -n 1 "$1")" = "</svg>" ] || fail "$1: it has no end"
	! sed -E 's/<[^<>]*>//g; s/&#[0-9]+;//g' "$1" | grep '[<>&]' ||
		fail "$1: no XML"
	! command -v xmllint >/dev/null || xmllint --noout "$1" || fail "$1: no XML"
}

# table NAME COLUMNS: a section, whose rows are read from stdin.  Few processes are
# begun for one, since a test has thousands.
table() {
	section=$2$newline
	while IFS= read -r row; do
		section=$section$row$newline
	done
	{
		LC_ALL=C # bytes are counted
		printf 'section %s 1 %s\n%s' "$1" "${#section}" "$section"
	} | gzip -n
}

# begin RANK SIZE [KEY VALUE]...: the first two tables of a rank's file; what is
# given replaces what is usual.  RANK and SIZE can be "none".
begin() {
	begin_rank=$1 begin_size=$2
	shift 2
	printf 'format 1\nwriter bcs%%200.1.0\n' | table record "key value"
	{
		[ "$begin_rank" = none ] || echo "rank $begin_rank"
		[ "$begin_size" = none ] || echo "size $begin_size"
		cat <<-END
			program solve
			arguments ./solve%20-n%20100
			host node1
			pid 10${begin_rank#none}
			mpi MPICH%20Version:%09%204.0.2
			start_ns 1700000000000000000
			wall_ns 10000000000
			clock tsc
			clock_hz 2500000000
			mode observe
			thread_level funneled
			reason finalize
			call_depth 8
			resolution 3
			local_ranks 3
			cores 2000
			polite on
			yields 1000
			sleeps 10
			given_up_ns 400000000
			dropped_calls 0
			overhead_ns 1200000
			memory_bytes 524288
		END
	} >"$out/process"
	while [ $# -ge 2 ]; do
		sed -i "/^$1 /d" "$out/process"
		printf "%s %s\n" "$1" "$2" >>"$out/process"
		shift 2
	done
	table process "key value" <"$out/process"
}

end() {
	table end "key value" </dev/null
}

# The columns of the larger tables.
# shellcheck disable=SC2034
{
	threads="thread computation_ns communication_ns waiting_ns yielded_ns"
	threads="$threads off_ns calls"
	cells="cell thread call phase path count time_ns min_ns max_ns"
	cells="$cells waiting_ns sent_bytes received_bytes min_bytes max_bytes"
	histogram="of index low high count"
	communicators="communicator id_hex name size rank uses calls time_ns"
	communicators="$communicators sent_bytes received_bytes"
	peers="communicator peer sends sent_bytes receives received_bytes"
	peers="$peers time_ns"
	now="thread call path since_ns waits_for peer tag communicator"
}
