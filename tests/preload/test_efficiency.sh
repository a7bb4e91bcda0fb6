#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_efficiency.sh PROGRAM
# What holds of the efficiencies at any load (programs/efficient.c): products are
# products, nothing is less than 0 or more than 1, and a run on an ideal network
# takes no longer than the run, and as long as the rank that computes most.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"
bcs=$BCS_BUILD/analyzer/bcs
program=$1

# efficiencies KIND: of 3 ranks, into $out/report.json
efficiencies() {
	forget
	BCS_MODE=$mode observed 3 "$program" "$1" 4 3 </dev/null ||
		fail "$mode $1: status $?"
	"$bcs" report --json --section=efficiencies "$(the_record)" \
		>"$out/report.json"
}

# holds KIND CONDITION...: of each row, as r; of those of the run and the kind.
holds() {
	python3 - "$out/report.json" "$@" <<-'END' || fail "$mode $1: does not hold"
		import json, sys
		kind, *conditions = sys.argv[2:]
		with open(sys.argv[1], encoding="utf-8") as file:
		    rows = json.load(file)["runs"][0]["efficiencies"]
		assert [row["part"] for row in rows] == [
		    "(all)", "(no phase)", kind], rows
		for row in rows:
		    r = {key.removesuffix("_percent"): value / 100
		         if key.endswith("_percent") and value is not None else value
		         for key, value in row.items()}
		    def same(a, b):
		        return abs(a - b) < 1e-5
		    for condition in conditions:
		        assert eval("(" + condition + ")"), (condition, row)
	END
}

always="same(r['parallel'], r['balance'] * r['communication']) and
same(r['balance'], r['balance_in_nodes'] * r['balance_between_nodes']) and
0 <= r['parallel'] <= 1 and 0 <= r['balance'] <= 1 and
0 <= r['communication'] <= 1 and r['ranks'] == 3"
carried="same(r['communication'], r['serialisation'] * r['transfer']) and
0 <= r['serialisation'] <= 1 and 0 <= r['transfer'] <= 1 and
r['most_computation_ns'] <= r['ideal_ns'] <= r['elapsed_ns']"

# In turn: 3 ranks compute 4 times 3 ms each, one after the other, and so does the
# longest path, whatever else the machine does.
long="r['part'] == '(no phase)' or r['ideal_ns'] >= 35e6"

# carried_by MODE KIND...
carried_by() {
	mode=$1
	shift
	for kind; do
		efficiencies "$kind"
		case $kind in
		alternating | meeting) holds "$kind" "$always" "$carried" "$long" ;;
		*) holds "$kind" "$always" "$carried" ;;
		esac
	done
}

for mode in demand fixed; do
	carried_by $mode balanced imbalanced alternating meeting transfer
done
# On three nodes with a process each, which have a balance between them.
export BCS_NODE_SIZE=1
for mode in demand fixed; do
	carried_by $mode imbalanced alternating transfer
done
unset BCS_NODE_SIZE

# MPI carries no path clock.
mode=observe
efficiencies alternating
holds alternating "$always" "r['ideal_ns'] is None and r['serialisation'] is None and
r['transfer'] is None"
