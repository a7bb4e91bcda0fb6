#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tune.sh
# `bcs bench tune` finds what is faster, writes it for MPICH and tells what it brings:
# by a launcher whose times are known, which reads the tuning file that it is given.
. "$BCS_SOURCE/tests/cli/record.sh"

command -v mpichversion >/dev/null || {
	echo "skipped: no MPICH"
	exit 77
}
export BCS_RESULTS="$PWD/results"

# In us: MPICH's own choice takes 10, brucks 12, pairwise 14 but 5 from 4 KiB on, and
# scattered 16.  A line of the file is a range of sizes.
cat >launcher <<'END'
#!/bin/sh
shift 5 # -n N PROGRAM SEED SECONDS
file=${MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE:-/dev/null}
for cell; do
	size=${cell#*:}
	name=$(awk -v size="$size" '
	/^"comm_type=inter"/ { inside = 0 }
	inside && match($0, /^"avg_msg_size<?=[0-9a-z]*/) {
		most = substr($0, 14, RLENGTH - 13)
		if (most != "=any" && size > substr(most, 3) + 0)
			next
		sub(/.*inplace=no":{"/, "")
		sub(/^algorithm=MPIR_Alltoall_intra_/, "")
		sub(/".*/, "")
		print
		exit
	}
	/^"collective=alltoall":/ { inside = 1 }' "$file")
	echo "${cell%:*} $size $name"
done | awk '{
	us = $3 == "brucks" ? 12 : $3 == "pairwise" ? ($2 < 4096 ? 14 : 5) : \
		$3 == "scattered" ? 16 : 10
	printf "%s %d %.9f\n", $1, $2, us / 1e6
}'
END
chmod +x launcher
# A busy machine takes longer for it; the comparison takes a third of the budget.
for budget in 15 45 135; do
	"$bcs" bench tune --budget $budget --ranks 2,4 --bytes 8,4096 \
		--launcher ./launcher alltoall >said || fail "status $?: $(cat said)"
	! grep -q " 4 of 4 points" said || break
done
for line in "2 4096 pairwise 10.000 5.000 0.500" "4 4096 pairwise 10.000 5.000 0.500" \
	"4 2 0.500 (0.500 to 0.500), 1.000 (1.000 to 1.000)" \
	"export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/results/tune-mpich.json"; do
	tr -s ' ' <said | grep -qF "$line" || fail "not said: $line: $(cat said)"
done
[ "$(grep -c '^alltoall .*pairwise' said)" -eq 2 ] || fail "not 2 points: $(cat said)"
for line in alltoall,2,8,mpi,0,0.000010000 alltoall,4,8,brucks,0,0.000012000 \
	alltoall,4,4096,pairwise,0,0.000005000 alltoall,2,8,scattered,0,0.000016000; do
	grep -qE "^$line,mpich [0-9a-z.]+,(forced|default)$" results/tune.csv ||
		fail "no $line: $(cat results/tune.csv)"
done
grep -q '"what": "alltoall, 2 ranks, 4096 bytes", "algorithm": "pairwise"' \
	results/tune.jsonl || fail "not in the results: $(cat results/tune.jsonl)"

# Where nothing is faster, there is no file.
rm results/tune-mpich.json
"$bcs" bench tune --budget 90 --ranks 2 --bytes 8,512 --launcher ./launcher alltoall >said
grep -q "no tuning file" said || fail "a file of nothing: $(cat said)"
[ ! -e results/tune-mpich.json ] || fail "a file of nothing"

# A budget that is too small for all points is spent on those that promise most, and it
# tells what is enough.  A figure takes 0.05 s: 6 rounds of 10 points with 4 settings, 12 s.
cat >slow <<'END'
#!/bin/sh
sleep "$(awk -v n=$(($# - 5)) 'BEGIN { print .05 * n }')"
exec ./launcher "$@"
END
chmod +x slow
for budget in 9 27 81; do
	"$bcs" bench tune --budget $budget --ranks 2 --launcher ./slow \
		--bytes 8,16,32,64,128,256,512,4096,8192,65536 alltoall >said ||
		fail "status $?: $(cat said)"
	! grep -q '^alltoall .*pairwise' said || break
done
grep -q '^alltoall .*pairwise' said || fail "no decision: $(cat said)"
! grep -q '^alltoall *2 *\(8\|16\) ' said || fail "more than there is time for: $(cat said)"
enough=$(sed -n 's/^For all of them, --budget \([0-9]*\) would do.*/\1/p' said)
[ "${enough:-0}" -gt "$budget" ] || fail "what is enough: $(cat said)"

# Ctrl-C keeps what was measured, and makes a file of it.
for signal in INT:130 TERM:143; do
	rm -f results/tune*
	env --default-signal=INT "$bcs" bench tune --budget 90 --ranks 2 --launcher ./slow \
		--bytes 8,4096 alltoall >said 2>&1 &
	pid=$!
	for _ in $(seq 300); do
		[ -e results/tune-mpich.json ] && break
		sleep .1
	done
	rc=0
	kill -${signal%:*} $pid
	wait $pid || rc=$?
	[ $rc -eq ${signal#*:} ] || fail "status $rc, not ${signal#*:}: $(cat said)"
	grep -q "^Ended early.  The measurements are in $PWD/results/tune.csv" said ||
		fail "not said: $(cat said)"
	grep -q '^alltoall,2,4096,pairwise,' results/tune.csv || fail "lost: $(cat said)"
	grep -q "^export MPIR.*=$PWD/results/tune-mpich.json" said || fail "$(cat said)"
	grep -q intra_pairwise results/tune-mpich.json || fail "no rules of it"
done
env --default-signal=INT "$bcs" bench tune --budget 600 --ranks 2 --launcher ./slow \
	--bytes 8,4096,65536,262144 alltoall >said 2>&1 &
rm -f results/tune*
pid=$!
while [ ! -s results/tune.csv ]; do
	sleep .1
done
kill -INT $pid
wait $pid && fail "status 0 of an end by Ctrl-C"
grep -q "measured in [1-5] rounds, .* 0 of 4 points" said || fail "not said: $(cat said)"
grep -q "^Nothing is surely faster yet: no tuning file" said || fail "not said: $(cat said)"
grep -q '^alltoall,2,4096,pairwise,' results/tune.csv || fail "lost: $(cat said)"

# What is unsure is not taken: as much faster now as slower then.
decide() {
	what=$1
	shift
	awk -v what="$what" -v least=6 -v library=mpich "$@" \
		-f "$BCS_SOURCE/benchmarks/tune/decide.awk" measured
}
for us in 10 11 12 13 14 15; do
	echo "2 bcast 8 mpi $us"
	echo "2 bcast 8 binomial $((us - 1))"
	echo "2 bcast 64 mpi $((us + 10))"
	echo "2 bcast 64 binomial $us"
done >measured
decide best | sort >got
printf '2 bcast 64 binomial\n2 bcast 8 mpi\n' | diff - got || fail "unsure, and taken"
decide open | sort >got
printf '2 bcast 8 %s\n' binomial mpi | diff - got || fail "sure is what is measured on"
decide rules | grep -q '^bcast,2,8,binomial,0,12\.50001' ||
	fail "faster than the default, and not surely: $(decide rules)"
decide csv | grep -q '^bcast,2,8,binomial,0,11\.5' || fail "not as measured"

# What an application hardly calls is not measured on: the bcast of 64 bytes has 0.01 % of
# the time of its calls.
for us in 10 10 10 10 10 10; do
	echo "2 bcast 8 mpi $us"
	echo "2 bcast 8 binomial $us"
	echo "2 bcast 64 mpi $us"
	echo "2 bcast 64 binomial $us"
done >measured
printf 'bcast 8 10000\nbcast 64 1\n' >weights
decide open | grep -q "bcast 64" || fail "nothing is known of the application"
decide open -v weights=weights | sort >got
printf '2 bcast 8 %s\n' binomial mpi | diff - got || fail "measured on for one call"

# The record of an application: of four ranks, with blocks of 1 and 8 KiB.
mkdir app.bcs
for rank in 0 1 2 3; do
	{
		begin $rank 4
		echo "0 6000000000 4000000000 0 0 0 110" | table threads "$threads"
		table cells "$cells" <<-END
			1 0 MPI_Alltoall 0 0 30 900000 9000 900000 0 860160 860160 4096 32768
			2 0 MPI_Barrier 0 0 20 900000 9000 900000 0 0 0 0 0
		END
		table histogram "$histogram" <<-END
			size 1 4096 4607 10
			size 1 32768 36863 20
		END
		end
	} >app.bcs/rank-00000$rank.gz
done
"$bcs" bench tune --budget 60 --weight app.bcs --launcher ./launcher alltoall bcast \
	>said || fail "status $?: $(cat said)"
# 10 calls of 1 KiB and 20 of 8 KiB: 10 us each, or 5 with the file.
for line in "alltoall 4 8192 pairwise 10.000 5.000 0.500" \
	"the calls of app.bcs, with 4 ranks: 0.300 ms by default, 0.200 ms with the file, ratio 0.667"; do
	tr -s ' ' <said | grep -qF "$line" || fail "not said: $line: $(cat said)"
done
cut -d , -f 1-3 results/tune.csv | sort -u >got
printf '%s\n' alltoall,4,1024 alltoall,4,8192 collective,processes,bytes | diff - got ||
	fail "not what the application calls"
"$bcs" bench tune --budget 3 --weight app.bcs --launcher ./launcher barrier >said ||
	fail "status $?: $(cat said)"
grep -q '^barrier,4,0,mpi,' results/tune.csv || fail "no barrier: $(cat said)"
# One size is enough.
"$bcs" bench tune --budget 60 --ranks 2 --bytes 4096 --launcher ./launcher alltoall >said ||
	fail "status $?: $(cat said)"
grep -q '^alltoall .*pairwise' said || fail "nothing of one size: $(cat said)"
fails 2 "app.bcs calls none of bcast" "$bcs" bench tune --weight app.bcs bcast
fails 2 "tune: --weight: nothing.bcs: No such file" "$bcs" bench tune --weight nothing.bcs
fails 2 "tune: --weight: nothing.bcs: No such file" "$bcs" bench tune --weight=nothing.bcs
fails 2 "no option --none" "$bcs" bench tune --none=1
fails 2 "--bytes or --weight, not both" "$bcs" bench tune --bytes 8 --weight app.bcs

# Open MPI, played by a launcher.  Its default takes 10 us.  A pipeline with segments of
# 32 KiB takes 12 us, but 4 us from 256 KiB on.  All else takes 15 us.
cat >ompi_info <<'END'
#!/bin/sh
echo "Open MPI v4.1.4"
END
cat >openmpi <<'SCRIPT'
#!/bin/sh
shift 5 # -n N PROGRAM SEED SECONDS
file=${OMPI_MCA_coll_tuned_dynamic_rules_filename:-/dev/null}
[ "$file" = /dev/null ] || [ "$OMPI_MCA_coll_tuned_use_dynamic_rules" = 1 ] || exit 1
for cell; do
	awk -v of="${cell%:*}" -v size="${cell#*:}" '
	/^[0-9]+ # [a-z]/ && $3 !~ /^(blocks|processes,|rules)$/ { inside = $3 == of }
	inside && /^[0-9]+ [0-9]+ 0 [0-9]+ # / && $1 <= size { taken = $2 "+" $4 }
	END {
		us = taken == "" || taken == "0+0" ? 10 : taken != "3+32768" ? 15 : \
			size < 262144 ? 12 : 4
		printf "%s %d %.9f\n", of, size, us / 1e6
	}' "$file"
done
SCRIPT
chmod +x ompi_info openmpi
PATH=$PWD:$PATH BCS_BENCH_MPI=openmpi BCS_BENCH_COMMAND="$bcs" BCS_BENCH_PROGRAMS=. \
	sh "$BCS_SOURCE/benchmarks/tune/tune.sh" --budget 60 --ranks 2 \
	--bytes 8,65536,262144,1048576 --launcher ./openmpi bcast >said ||
	fail "status $?: $(cat said)"
for line in "bcast 2 262144 pipeline+32768 10.000 4.000 0.400" \
	"bcast 4 2 0.400 (0.400 to 0.400), 1.000 (1.000 to 1.000)" \
	"export OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/results/tune-openmpi.rules"; do
	tr -s ' ' <said | grep -qF "$line" || fail "not said: $line: $(cat said)"
done
[ "$(grep -c '^bcast .*pipeline' said)" -eq 2 ] || fail "not 2 points: $(cat said)"
grep -qx '262144 3 0 32768 # pipeline' results/tune-openmpi.rules ||
	fail "other rules: $(cat results/tune-openmpi.rules)"
grep -qx 'bcast,2,65536,pipeline,32768,0.000012000,openmpi 4.1.4,forced' \
	results/tune.csv || fail "not measured: $(cat results/tune.csv)"

fails 2 "scan is none of" "$bcs" bench tune scan
fails 2 "no option --nope" "$bcs" bench tune --nope
fails 2 "takes numbers like" "$bcs" bench tune --ranks 2,
fails 2 "takes numbers from 2 on, not 1" "$bcs" bench tune --ranks 1
fails 2 "takes a value" "$bcs" bench tune --budget
fails 2 "the launch of 2 ranks failed" "$bcs" bench tune --ranks 2 --launcher false
