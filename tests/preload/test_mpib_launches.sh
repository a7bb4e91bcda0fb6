#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_mpib_launches.sh
# `bcs bench mpi run` measures what mpib_run does, in one launch or several.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# Several launches: a figure of each in the file, and their spread.
bench() {
	BCS_RESULTS=$out/results timeout -k 5 "$limit" "$BCS_BUILD/analyzer/bcs" bench mpi "$@" </dev/null
}
bench run --launches 3 --ranks=1 bcast --algorithm=mpi --sizes=0:8:8 --repetitions=3:5 \
	>"$out/table" 2>&1 || fail "status $?: $(cat "$out/table")"
grep -qE '^bcast +mpi +1 +8 +3( +[0-9.]+){4}$' "$out/table" || fail "$(cat "$out/table")"
[ "$(grep -cE '^bcast,1,8,mpi,0,.*,default,[123]$' "$out/results/mpi-run.csv")" -eq 3 ] ||
	fail "not three launches: $(cat "$out/results/mpi-run.csv")"
awk -F , -v OFS=, '$1 == "bcast" && $3 == 8 { $6 = 2e-6 * $9 } 1' "$out/results/mpi-run.csv" \
	>"$out/known.csv"
(
	output=$out/known.csv
	# shellcheck source=benchmarks/mpi/mpi_launches.sh
	. "$BCS_SOURCE/benchmarks/mpi/mpi_launches.sh"
	launches_show
) | tr -s ' ' | grep -qx "bcast mpi 1 8 3 4.000 2.000 6.000 100.0" || fail "another spread"
"$BCS_BUILD/analyzer/bcs" diff "$out/known.csv" "$out/known.csv" | grep -q "bcast.* too few launches" ||
	fail "bcs diff does not read launches"
# Ctrl-C keeps the launches so far, and shows them.
env --default-signal=INT "$BCS_BUILD/analyzer/bcs" bench mpi run --launches 1000 --ranks 1 \
	--output "$out/part.csv" bcast --algorithm=mpi --sizes=8:8:8 --repetitions=3:3 \
	>"$out/table" 2>&1 </dev/null &
pid=$!
for _ in $(seq 200); do
	[ ! -e "$out/part.csv" ] || [ "$(wc -l <"$out/part.csv")" -lt 3 ] || break
	sleep .1
done
kill -INT $pid
rc=0
wait $pid || rc=$?
[ "$rc" -eq 130 ] || fail "status $rc of Ctrl-C"
grep -qE '^bcast +mpi +1 +8 +[0-9]+( +[0-9.]+){4}$' "$out/table" ||
	fail "nothing of the launches so far: $(cat "$out/table")"
bench run --ranks 1 bcast --json --sizes=1:1:1 --repetitions=3:3 >"$out/table" ||
	fail "one launch"
[ "$(wc -l <"$out/table")" -eq 5 ] || fail "not the lines of mpib_run"
bench run --help | grep -q "^usage: .*mpib_run" || fail "no help of mpib_run"
status bench run --launches 0 bcast >"$out/table" 2>&1
[ "$rc" -eq 2 ] || fail "status $rc of --launches 0"

# What it waits for is told beside the table.
bench run --ranks 1 bcast --progress --algorithm=mpi --sizes=0:8:8 --repetitions=3:3 \
	>"$out/table" 2>"$out/said" || fail "no --progress"
grep -qE '^mpib_run: 2: bcast by mpi, 8 bytes: [0-9.]+ s$' "$out/said" ||
	fail "no progress: $(cat "$out/said")"

# A launcher that refuses, as Open MPI's does for root, is heard; and which MPI it is.
mkdir "$out/bin"
cat >"$out/bin/mpiexec.openmpi" <<'END'
#!/bin/sh
echo "mpiexec has detected an attempt to run as root." >&2
exit 1
END
cat >"$out/bin/ompi_info" <<'END'
#!/bin/sh
echo "Open MPI v4.1.4"
END
chmod +x "$out/bin/mpiexec.openmpi" "$out/bin/ompi_info"
status env PATH="$out/bin:$PATH" BCS_BENCH_MPI=openmpi BCS_RESULTS="$out/results" \
	BCS_BENCH_COMMAND="$BCS_BUILD/analyzer/bcs" sh "$BCS_SOURCE/benchmarks/mpi/mpi.sh" pairs \
	>"$out/table" 2>"$out/said"
[ "$rc" -eq 2 ] || fail "status $rc, not 2"
grep -q "attempt to run as root" "$out/said" || fail "not said: $(cat "$out/said")"
grep -q ", Open MPI 4.1.4, load" "$out/table" || fail "another MPI: $(cat "$out/table")"
