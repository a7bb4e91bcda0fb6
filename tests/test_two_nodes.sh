#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_two_nodes.sh PROGRAM
# Two nodes, joined by a pair of virtual Ethernet devices: namespaces that share
# neither network nor memory, made here and taken away again.  hydra starts two
# processes in each, UCX connects them over TCP.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
a=bcs-a-$$
b=bcs-b-$$

apart() {
	unshare --net --ipc --uts --pid --mount --fork true 2>/dev/null &&
		ip netns list >/dev/null 2>&1
}

take_away() {
	for node in $a $b; do
		pids=$(ip netns pids "$node" 2>/dev/null || true)
		# shellcheck disable=SC2086 # several
		[ -z "$pids" ] || kill -9 $pids 2>/dev/null || true
		ip netns del "$node" 2>/dev/null || true
	done
	rm -rf "$out"
}

[ "$(id -u)" = 0 ] || skip "to make two nodes of a machine takes root"
apart || skip "namespaces are not to be had here"
trap take_away EXIT
ip netns add $a || skip "no network namespaces here"
ip netns add $b
ip link add v0 netns $a type veth peer name v0 netns $b ||
	skip "no virtual Ethernet here"
i=1
for node in $a $b; do
	ip -n "$node" link set lo up
	ip -n "$node" addr add 10.213.7.$i/24 dev v0
	ip -n "$node" link set v0 up
	i=$((i + 1))
done
# UCX takes no device that is not running yet.
for node in $a $b; do
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		ip -n "$node" link show v0 | grep -q 'state UP' && break
		sleep 0.5
	done
done

# What hydra takes for ssh: options, a host, and a command.
cat >"$out/launch" <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
	shift
done
host=$1
shift
exec ip netns exec "$host" unshare --ipc --uts --pid --fork --mount-proc \
	--kill-child \
	sh -c "hostname $host; mount -t tmpfs none /dev/shm; $*"
END
chmod +x "$out/launch"

# across MODE ARGUMENTS...
across() {
	BCS_MODE=$1
	export BCS_MODE
	shift
	BCS_OUT=$records LD_PRELOAD=$preload timeout -k 5 "$limit" \
		ip netns exec $a mpiexec.mpich -launcher ssh \
		-launcher-exec "$out/launch" -localhost 10.213.7.1 \
		-hosts $a:2,$b:2 -n 4 "$program" "$@" \
		</dev/null >"$out/stdout" 2>"$out/stderr" ||
		fail "$BCS_MODE $*: $(cat "$out/stdout" "$out/stderr")"
	grep -q ' 0 errors' "$out/stdout" ||
		fail "$BCS_MODE $*: $(cat "$out/stdout" "$out/stderr")"
}

for seed in 1 2; do
	across demand $seed 6 collectives
	across fixed $seed 6 collectives
	across observe $seed 6
done
# MPICH mostly hangs in MPI_Finalize (pmpi-shim/leave_ucx.c).
for _ in 1 2 3 4; do
	across observe 1 1
done
