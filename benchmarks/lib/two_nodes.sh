# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Two nodes of one machine, as root: namespaces that share neither network nor
# memory, joined by a pair of virtual Ethernet devices, with half of the cores each.
# The clocks differ by 1000 s.  What a node sees as FOLDER/own is FOLDER/$node_a or
# FOLDER/$node_b.
#
#   two_nodes_make FOLDER || exit		says why not
#   ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts 2) -n 4 ...
#   two_nodes_slow PROGRAM DELAY	PROGRAM, slow_link, joins them from now on
#   two_nodes_third FOLDER		a third, $node_c, all of them on a bridge
#   two_nodes_fourth FOLDER		a fourth, $node_d, after the third
#   two_nodes_end				in a trap
node_a=bcs-a-$$
node_b=bcs-b-$$
node_c=bcs-c-$$
node_d=bcs-d-$$
two_nodes_hub=bcs-hub-$$
two_nodes="$node_a $node_b"
two_nodes_net=10.213.7
# Tests leave the network out (tests/meson.build).
unset UCX_MODULES UCX_TLS

two_nodes_make() {
	if [ "$(id -u)" != 0 ]; then
		echo "to make two nodes of a machine takes root" >&2
		return 1
	fi
	if ! ip netns add $node_a 2>/dev/null ||
		! ip netns add $node_b 2>/dev/null ||
		! ip netns exec $node_a unshare --ipc --uts --pid --fork \
			--time --monotonic 1000 --mount-proc --kill-child sh -c \
			"hostname $node_a && mount -t tmpfs none /dev/shm" \
			2>/dev/null; then
		echo "namespaces are not to be had here" >&2
		return 1
	fi
	if ! ip link add v0 netns $node_a type veth peer name v0 netns $node_b
	then
		echo "no virtual Ethernet here" >&2
		return 1
	fi
	two_nodes_connect || return
	mkdir "$1/own" "$1/$node_a" "$1/$node_b" || return
	two_nodes_launcher "$1"
}

# two_nodes_connect [NUMBER]: the first node's address ends by NUMBER (1).
two_nodes_connect() {
	number=${1-1}
	for node in $two_nodes; do
		ip -n "$node" addr add "$two_nodes_net.$number/24" dev v0 &&
			ip -n "$node" link set lo up &&
			ip -n "$node" link set v0 up || return
		number=$((number + 1))
	done
	for node in $two_nodes; do
		two_nodes_wait "$node" || return
	done
}

# UCX takes no device that is not running yet.
two_nodes_wait() {
	for _ in $(seq 50); do
		ip -n "$1" link show v0 | grep -qE 'state (UP|UNKNOWN)' &&
			return
		sleep 0.1
	done
	echo "the network of $1 does not come up" >&2
	return 1
}

# Packets take so many us each way, and what the program itself takes.
two_nodes_slow() {
	two_nodes_unlink
	"$1" $node_a $node_b v0 "$2" >"$two_nodes_ssh.link" &
	two_nodes_link=$!
	for _ in $(seq 50); do
		grep -q . "$two_nodes_ssh.link" && break
		sleep 0.1
	done
	grep -q . "$two_nodes_ssh.link" || return
	for node in $node_a $node_b; do
		ip -n "$node" link set v0 mtu 65000
	done
	two_nodes_connect
}

two_nodes_third() {
	two_nodes="$node_a $node_b $node_c"
	two_nodes_unlink
	mkdir "$1/$node_c" && ip netns add $node_c &&
		ip netns add $two_nodes_hub &&
		ip -n $two_nodes_hub link add hub type bridge &&
		ip -n $two_nodes_hub link set hub up || return
	for node in $two_nodes; do
		two_nodes_join "$node" || return
	done
	two_nodes_connect
}

two_nodes_fourth() {
	mkdir "$1/$node_d" && ip netns add $node_d &&
		two_nodes_join $node_d || return
	two_nodes=$node_d
	two_nodes_connect 4
	two_nodes="$node_a $node_b $node_c $node_d"
}

# two_nodes_join NODE: connects it to the bridge.
two_nodes_join() {
	ip link add v0 netns "$1" type veth \
		peer name "${1%-*}" netns $two_nodes_hub &&
		ip -n $two_nodes_hub link set "${1%-*}" master hub up
}

two_nodes_unlink() {
	if [ -n "${two_nodes_link-}" ]; then
		kill "$two_nodes_link" 2>/dev/null || true
		wait "$two_nodes_link" 2>/dev/null || true
	fi
	two_nodes_link=
	ip -n $node_a link del v0 2>/dev/null || true
}

# two_nodes_cores FIRST LAST: a list of as many as there are, of those allowed.
two_nodes_cores() {
	taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' |
		awk -F - -v first="$1" -v last="$2" '
		{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) core[n++] = i }
		END {
			for (i = int(n * first); i < int(n * last); i++) {
				printf "%s%s", comma, core[i]
				comma = ","
			}
			if (comma == "")
				printf "%s", core[0]
		}'
}

# What hydra takes for ssh: options, a host, and a command.
two_nodes_launcher() {
	two_nodes_ssh=$1/launch
	cat >"$two_nodes_ssh" <<-'END'
		#!/bin/sh
		while [ "${1#-}" != "$1" ]; do
			shift
		done
		host=$1
		shift
		cores=B_CORES
		ahead=1000
		if [ "$host" = A_NODE ]; then
			cores=A_CORES
			ahead=0
		fi
		exec taskset -c "$cores" ip netns exec "$host" unshare --ipc --uts --pid --fork \
			--time --monotonic $ahead --mount-proc --kill-child sh -c "
			hostname $host
			mount -t tmpfs none /dev/shm
			mount --bind FOLDER/$host FOLDER/own
			$*"
	END
	sed -i "s/A_NODE/$node_a/; s/A_CORES/$(two_nodes_cores 0 0.5)/
		s/B_CORES/$(two_nodes_cores 0.5 1)/; s|FOLDER|$1|g" "$two_nodes_ssh"
	chmod +x "$two_nodes_ssh"
}

# two_nodes_hosts N: of mpiexec, so many processes on each.
two_nodes_hosts() {
	echo "-launcher ssh -launcher-exec $two_nodes_ssh -localhost $two_nodes_net.1" \
		"-hosts $(echo "$two_nodes" | sed "s/ /:$1,/g; s/\$/:$1/")"
}

two_nodes_end() {
	two_nodes_unlink
	for node in $two_nodes $two_nodes_hub; do
		pids=$(ip netns pids "$node" 2>/dev/null || true)
		# shellcheck disable=SC2086 # several
		[ -z "$pids" ] || kill -9 $pids 2>/dev/null || true
		ip netns del "$node" 2>/dev/null || true
	done
}
