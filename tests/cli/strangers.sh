#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: strangers.sh
# Records that somebody else has made: what lies in one and is no regular file is
# not followed, not waited for and not copied, and each is told of in a line.  A
# file that the user names may be a pipe.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

umask 022
solve_record good.bcs
"$BCS_BUILD/tests/cli/synth_slices" few slices.1.bcs
solve_rank 1 1 1 >secret.gz
cp slices.1.bcs/rank-000001.slices secret.slices

# What hangs is a failure.
soon() {
	timeout 60 "$@"
}

# strange KIND FILE: something of this kind in the place of a file.  $rank3 is the
# link's target: a file that could be read.
strange() {
	rm -rf "$2"
	case $1 in
	pipe) mkfifo "$2" ;;
	link) ln -s "$out/secret.${2##*.}" "$2" ;;
	dangling) ln -s "$out/nowhere" "$2" ;;
	loop) ln -s "$(basename "$2")" "$2" ;;
	to_device) ln -s /dev/zero "$2" ;;
	folder) mkdir "$2" ;;
	socket) python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])' "$2" ;;
	device) mknod "$2" c 1 5 2>/dev/null || return 1 ;;
	sparse) truncate -s 1T "$2" ;;
	esac
}

# told FILE KIND: the one line on stderr names the file and says what it is.
told() {
	case $2 in
	link | dangling | loop | to_device) is="is a symbolic link: put" ;;
	sparse) is="is larger than any record" ;;
	*) is="is a $2, not a file: " ;;
	esac
	grep -qF "$1: $is" stderr || {
		cat stderr >&2
		fail "not told: $1: $is"
	}
}

# Beside good files it is left out, and alone it is an error.
kinds="pipe link dangling loop to_device folder socket device sparse"
"$bcs" report --csv --section=account good.bcs >good.csv
for kind in $kinds; do
	rm -rf alone.bcs one.bcs
	cp -r good.bcs one.bcs
	strange "$kind" one.bcs/rank-000001.gz || continue
	soon "$bcs" report --csv --section=account one.bcs >now.csv 2>stderr ||
		fail "report: status $? with a $kind"
	[ "$(wc -l <stderr)" -eq 1 ] || fail "not one warning with a $kind"
	told one.bcs/rank-000001.gz "$kind"
	[ "$(wc -l <now.csv)" -eq "$(wc -l <good.csv)" ] || fail "no report"
	! cmp -s now.csv good.csv || fail "rank 1 was counted, a $kind"

	mkdir alone.bcs
	strange "$kind" alone.bcs/rank-000001.gz
	for verb in report diff "model fit"; do
		[ "$verb" != diff ] || verb="diff good.bcs"
		# shellcheck disable=SC2086
		fails 2 "alone.bcs/rank-000001.gz: is " soon "$bcs" $verb alone.bcs
		told alone.bcs/rank-000001.gz "$kind"
	done

	rc=0
	soon "$bcs" merge merged.bcs one.bcs 2>stderr || rc=$?
	[ $rc -eq 2 ] || fail "merge: status $rc with a $kind"
	told one.bcs/rank-000001.gz "$kind"
	grep -q "merged.bcs: is not all of the record: 1 file is" stderr ||
		fail "merge does not say that something is missing"
	[ "$(ls merged.bcs)" = "rank-000000.gz${newline}rank-000002.gz" ] ||
		fail "merge copied a $kind"
	cmp good.bcs/rank-000002.gz merged.bcs/rank-000002.gz
	rm -rf merged.bcs
done

# So with slices; of a file of slices no size is too large.
for kind in ${kinds%sparse}; do
	rm -rf one.bcs
	cp -r slices.1.bcs one.bcs
	strange "$kind" one.bcs/rank-000001.slices || continue
	soon "$bcs" slices --csv one.bcs >now.csv 2>stderr ||
		fail "slices: status $? with a $kind"
	told one.bcs/rank-000001.slices "$kind"
	rm -rf one.bcs
	cp -r good.bcs one.bcs
	strange "$kind" one.bcs/rank-000001.slices
	rc=0
	soon "$bcs" merge merged.bcs one.bcs 2>stderr || rc=$?
	[ $rc -eq 2 ] || fail "merge: status $rc with slices that are a $kind"
	told one.bcs/rank-000001.slices "$kind"
	[ ! -e merged.bcs/rank-000001.slices ] || fail "merge copied a $kind"
	rm -rf merged.bcs
done
rm -rf one.bcs
cp -r good.bcs one.bcs
cp secret.slices one.bcs/rank-000001.slices
truncate -s 1T one.bcs/rank-000001.slices
soon "$bcs" merge merged.bcs one.bcs || fail "no merge of a sparse file"
[ "$(du -m merged.bcs/rank-000001.slices | cut -f1)" -le 1 ] ||
	fail "a hole was filled"
[ "$(stat -c %s merged.bcs/rank-000001.slices)" = 1099511627776 ] ||
	fail "a copy of another size"
rm -rf merged.bcs

# A copy is for nobody who could not read the file.
mode() {
	stat -c %a "$1"
}
rm -rf one.bcs
cp -r good.bcs one.bcs
chmod 0600 one.bcs/rank-000000.gz
chmod 0640 one.bcs/rank-000001.gz
chmod 0666 one.bcs/rank-000002.gz
chmod 0750 one.bcs
(umask 0 && "$bcs" merge merged.bcs one.bcs)
[ "$(mode merged.bcs)" = 750 ] || fail "a folder of mode $(mode merged.bcs)"
for expected in 000000.gz:600 000001.gz:640 000002.gz:666; do
	found=$(mode merged.bcs/rank-${expected%:*})
	[ "$found" = ${expected#*:} ] || fail "$expected is $found"
done
rm -rf merged.bcs
(umask 077 && "$bcs" merge merged.bcs one.bcs)
[ "$(mode merged.bcs) $(mode merged.bcs/rank-000002.gz)" = "700 600" ] ||
	fail "more than the umask: $(mode merged.bcs/rank-000002.gz)"

# A record says where programs are; what is there may be anything.
mkdir program.bcs
mkfifo program
{
	begin 0 1
	echo "1 0 MPI_Send 0 1 1 10 10 10 0 8 0 8 8" | table cells "$cells"
	echo "1 0 0 1234" | table paths "path level module offset_hex"
	echo "0 $out/program %" | table modules "module file build_id"
	end
} >program.bcs/rank-000000.gz
soon "$bcs" report --section=sites program.bcs >stdout ||
	fail "status $? with a program that is a pipe"
grep -q "program+0x" stdout || fail "no site"

# So may what a program names as the place of its debug data.
if command -v objcopy >/dev/null; then
	rm program
	echo data >program.debug
	objcopy --strip-debug --add-gnu-debuglink=program.debug "$bcs" program
	for folder in . .debug; do
		rm -rf program.debug .debug
		mkdir .debug
		mkfifo $folder/program.debug
		soon "$bcs" report --section=sites program.bcs >stdout ||
			fail "status $? with debug data in a pipe"
		grep -q "program+0x" stdout || fail "no site without debug data"
	done
fi

# What is named on the command line may be a pipe, or the standard input.
cat >bcast.csv <<END
collective,processes,bytes,algorithm,segment,seconds
bcast,2,8,linear,0,1e-6
bcast,4,8,linear,0,2e-6
bcast,2,16,linear,0,2e-6
bcast,4,16,linear,0,3e-6
END
"$bcs" tree bcast.csv >expected
mkfifo fifo
(sleep 0.2 && cat bcast.csv >fifo) &
soon "$bcs" tree fifo >found || fail "no tree of a pipe"
wait
cmp expected found || fail "another tree of a pipe"
# shellcheck disable=SC2002
cat bcast.csv | soon "$bcs" tree /dev/stdin >found
cmp expected found || fail "another tree of /dev/stdin"
soon "$bcs" tree - <bcast.csv >found
cmp expected found || fail "another tree of -"
ln -s bcast.csv named.csv
soon "$bcs" tree named.csv >found
cmp expected found || fail "another tree of a link"
for kind in dangling loop folder socket sparse; do
	strange "$kind" thing.csv
	fails 2 "thing.csv: " soon "$bcs" tree thing.csv
	fails 2 "thing.csv: " soon "$bcs" model fit thing.csv
	fails 2 "thing.csv: " soon "$bcs" model simulate thing.csv
	fails 2 "thing.csv" soon "$bcs" model eval --system=thing.csv p2p 8
done
grep -qF "has more than 64 MiB" stderr || fail "not told: how large"

# Settings are read again by each node: a pipe is refused before anything is run.
for kind in pipe dangling loop folder socket; do
	strange "$kind" thing.tree
	fails 2 "thing.tree: " soon "$bcs" run --tree=thing.tree touch ran
done
[ ! -e ran ] || fail "it was run"
