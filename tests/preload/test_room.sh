#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_room.sh PROGRAM
# A record is whole however the program ends after MPI_Finalize.  It takes no more room than
# it needs, and nothing stays reserved on the disk.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1

# A disk of its own tells what is reserved there, too: only root can mount one.
own=
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1m tmpfs "$records" 2>/dev/null; then
	own=yes
	trap 'umount "$records"; rm -rf "$out"' EXIT
fi

# kib: what is in use on that disk.
kib() {
	df -k --output=used "$records" | tail -n 1
}

for how in return _exit quick_exit kill abort exec; do
	forget
	before=$(kib)
	status observed 1 "$program" $how >"$out/said" 2>&1
	file=$(the_record)/rank-000000.gz
	case $how/$(value "$file" reason) in
	*/finalize | abort/signal%206) ;;
	*) fail "$how: the record is of $(value "$file" reason)" ;;
	esac
	zcat "$file" | grep -q '^section end 1 ' || fail "$how: no whole record"
	[ "$(find "$records" -type f | wc -l)" -eq 1 ] ||
		fail "$how: more than the record is left"
	blocks=$(stat -c %b "$file")
	size=$(stat -c %s "$file")
	[ $((blocks * 512)) -lt $((size + 4096 + 512)) ] ||
		fail "$how: $size bytes have $blocks blocks"
	[ -z "$own" ] || [ $(($(kib) - before)) -le $((size / 1024 + 4)) ] ||
		fail "$how: $before KiB in use became $(kib)"
done
