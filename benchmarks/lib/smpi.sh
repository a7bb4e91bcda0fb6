# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# SimGrid's SMPI runs a program's own code, and makes up the time of its messages:
# . "$root/benchmarks/lib/smpi.sh", with $root, $tmp and $limit set.
# shellcheck disable=SC2154

# smpi_lacking: what it lacks here, in a line; nothing if it can be run.
smpi_lacking() {
	if ! command -v smpirun >/dev/null || ! command -v smpicc >/dev/null; then
		echo "SMPI is not installed: apt-get install libsimgrid-dev"
	elif [ ! -f "$root/benchmarks/lib/kernel.c" ]; then
		echo "SMPI compiles the programs: it needs their source tree"
	fi
}

# smpi_make PROGRAM FILE.c...: PROGRAM of these, as it is built without SMPI.
smpi_make() {
	program=$1
	shift
	(cd "$root/benchmarks" && smpicc -O2 -ffp-contract=off -D_GNU_SOURCE \
		-std=gnu11 -I.. "$@" -lm -o "$tmp/smpi-$program")
}

# smpi_platform FILE...: two hosts with a link like the round trips in each FILE, which
# is for the sizes from its first on.  A line for each FILE, with the least square of
# relative errors, makes SMPI's factors of latency and bandwidth.
smpi_platform() {
	for file in "$@"; do
		awk -F , '$1 == "pairs" {
			y = $6 / 2
			w = 1 / y ^ 2
			if (!first++)
				from = $3
			n += w
			x += w * $3
			xx += w * $3 ^ 2
			sum += w * y
			xy += w * $3 * y
		}
		END {
			slope = (n * xy - x * sum) / (n * xx - x ^ 2)
			if (slope < 1e-12)
				slope = 1e-12
			start = (sum - slope * x) / n
			if (start < 1e-9)
				start = 1e-9
			printf "%d %.4g %.4g\n", from, start, slope
		}' "$file"
	done >"$tmp/link"
	read -r _ latency slope <"$tmp/link"
	smpi_latencies=$(smpi_factors '$2 / latency')
	smpi_bandwidths=$(smpi_factors 'slope / $3')
	cat >"$tmp/platform.xml" <<-end
		<?xml version='1.0'?>
		<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1"><zone id="here" routing="Full">
		<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
		<link id="l" latency="$(echo "$latency" | awk '{ print $1 * 1e9 }')ns"
		bandwidth="$(echo "$slope" | awk '{ print 1 / $1 }')Bps"
		sharing_policy="FATPIPE"/>
		<route src="a" dst="b"><link_ctn id="l"/></route>
		</zone></platform>
	end
	printf 'a\nb\n' >"$tmp/hosts"
}

smpi_factors() {
	awk -v latency="$latency" -v slope="$slope" '{
		printf "%s:%.4g", (NR > 1 ? ";" $1 : 0), '"$1"'
	}' "$tmp/link"
}

# smpi_run PROGRAM ARGUMENT...: what it prints.  Computation takes what it takes; a
# sender up to 8 KiB does not wait, as with MPICH and in `bcs model simulate`.
smpi_run() {
	program=$1
	shift
	timeout -k 5 "$limit" smpirun -np 2 -platform "$tmp/platform.xml" \
		-hostfile "$tmp/hosts" --cfg=smpi/host-speed:1Gf \
		--cfg=smpi/async-small-thresh:8192 \
		--cfg=smpi/send-is-detached-thresh:8192 \
		--cfg=smpi/lat-factor:"$smpi_latencies" \
		--cfg=smpi/bw-factor:"$smpi_bandwidths" \
		--log=root.thres:error "$tmp/smpi-$program" "$@"
}
