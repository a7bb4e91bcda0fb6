#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_deadlock_none.sh TRAFFIC MODE SEEDS
# No deadlock is reported in right programs, whatever stops their ranks.  They do
# messages and collectives of all kinds, on one node and on several.  Meanwhile one
# rank after the other is stopped for longer than it takes to find a deadlock.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE="$2"
pids=$out/pids

# Each rank says who it is.
cat >"$out/rank" <<EOF
#!/bin/sh
echo \$\$ >>"$pids"
exec "\$@"
EOF
chmod +x "$out/rank"

# stop_one NUMBER: of the ranks, for 0.1 to 0.5 s.
stop_one() {
	pid=$(sed -n "$(($1 % ranks + 1))p" "$pids")
	[ -n "$pid" ] && kill -STOP "$pid" 2>/dev/null || return 0
	sleep "0.$(($1 / 7 % 5 + 1))"
	kill -CONT "$pid" 2>/dev/null || true
	sleep 0.3
}

# is_none SEED RANKS
is_none() {
	ranks=$2
	: >"$pids"
	observed "$ranks" "$out/rank" "$program" "$1" 3 collectives \
		</dev/null >"$out/said" 2>&1 &
	run=$!
	number=$1
	sleep 0.3
	while kill -0 "$run" 2>/dev/null; do
		number=$(((number * 1103515245 + 12345) % 2147483648))
		stop_one "$number"
	done
	status wait "$run"
	[ "$rc" -eq 0 ] ||
		fail "seed $1, $2 ranks, node ${BCS_NODE_SIZE-}: status $rc: $(cat "$out/said")"
	if grep "^bcs: deadlock" "$out/said"; then
		fail "seed $1, $2 ranks: told of what there was not"
	fi
	forget
}

for seed in $(seq "$3"); do
	for node in '' 1 2; do
		unset BCS_NODE_SIZE
		[ -z "$node" ] || export BCS_NODE_SIZE="$node"
		is_none "$seed" $((seed % 4 + 2))
	done
	unset BCS_NODE_SIZE
	is_none "$seed" 16
done
