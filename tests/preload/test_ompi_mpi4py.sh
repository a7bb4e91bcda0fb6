#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_ompi_mpi4py.sh
# A Python program with mpi4py of Open MPI (programs/ring.py) has its calls and bytes in
# the record, with 2, 3 and 4 ranks.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
python=/usr/bin/python3 # what mpi4py is packaged for
uses_openmpi='
import ctypes, mpi4py.MPI
ctypes.CDLL(mpi4py.MPI.__file__).ompi_mpi_init'
timeout "$limit" "$python" -c "$uses_openmpi" 2>"$out/stderr" ||
	skip "no mpi4py of Open MPI: $(tail -n 1 "$out/stderr")"

for ranks in 2 3 4; do
	forget
	# shellcheck disable=SC2086 # words
	BCS_MODE=observe BCS_OUT=$records timeout "$limit" "$bcs" run -- \
		$launcher -n "$ranks" "$python" "$BCS_SOURCE/tests/programs/ring.py" \
		</dev/null 2>"$out/stderr" || fail "status $?: $(cat "$out/stderr")"
	for rank in $(seq 0 $((ranks - 1))); do
		sent=0 received=400
		[ "$rank" -gt 0 ] || sent=400 received=0
		cat <<-END
			$rank MPI_Barrier 1 0 0
			$rank MPI_Bcast 1 $sent $received
			$rank MPI_Irecv 1 0 400
			$rank MPI_Isend 1 400 0
			$rank MPI_Sendrecv 10 4000 4000
			$rank MPI_Waitall 1 0 0
		END
	done >"$out/expected"
	# Open MPI 6 has large counts, which mpi4py prefers.
	calls "$(the_record)" | sed 's/_c / /' |
		grep -E ' MPI_(Barrier|Bcast|Irecv|Isend|Sendrecv|Waitall) ' >"$out/recorded"
	diff -u "$out/expected" "$out/recorded" || fail "$ranks ranks: other calls"
done
