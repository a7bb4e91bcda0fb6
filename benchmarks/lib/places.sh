# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Where a benchmark finds what it runs, and leaves its results: with $root set,
# . "$root/benchmarks/lib/places.sh".  `bcs bench` says where; else it is the build.
# shellcheck disable=SC2034,SC2154 # for who includes this
preload=${BCS_BENCH_PRELOAD:-$root/build/pmpi-shim/libbcs-pmpi.so}
programs=${BCS_BENCH_PROGRAMS:-$root/build/benchmarks}
bcs=${BCS_BENCH_COMMAND:-$root/build/analyzer/bcs}
results=${BCS_RESULTS:-$root/build/results}
benchmark=$(basename "$0" .sh)
# The MPI that the programs were built with, mpich or openmpi, and its launcher.
mpi=${BCS_BENCH_MPI:-mpich}
mpiexec=mpiexec.$mpi
command -v "$mpiexec" >/dev/null || mpiexec=mpiexec

# mpi_name: as people say it.
mpi_name() {
	case $mpi in
	mpich) echo MPICH ;;
	openmpi) echo "Open MPI" ;;
	esac
}

# mpi_version
mpi_version() {
	case $mpi in
	mpich) mpichversion | sed -n 's/^MPICH Version:[[:space:]]*//p' ;;
	openmpi) ompi_info --version | sed -n 's/^Open MPI v//p' ;;
	esac
}

# results_begin: the file of this benchmark, with a line on the machine.
results_begin() {
	mkdir -p "$results"
	{
		echo benchmark "$benchmark"
		echo date "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
		echo bcs "$("$bcs" --version | cut -d ' ' -f 2)"
		echo kernel "$(uname -sr)"
		echo cpu "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo |
			head -n 1)"
		echo cores "$(nproc)"
		echo memory_kb "$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' \
			/proc/meminfo)"
		echo "$mpi" "$(mpi_version)"
		echo load "$(cut -d ' ' -f 1 /proc/loadavg)"
		echo repetitions "${repetitions:-}"
	} | sed 's/ /|/' | result_line >"$results/$benchmark.jsonl"
}

# result WHAT KEY VALUE [KEY VALUE]...: a line of it.
result() {
	{
		echo "what|$1"
		shift
		while [ $# -ge 2 ]; do
			echo "$1|$2"
			shift 2
		done
	} | result_line >>"$results/$benchmark.jsonl"
}

# result_line: lines KEY|VALUE as one JSON object; what is no number is a text.
result_line() {
	awk -F '|' '
	$2 == "" { next }
	{
		value = substr($0, length($1) + 2)
		if (value !~ /^-?[0-9]+(\.[0-9]+)?$/) {
			gsub(/[\\"]/, "\\\\&", value)
			value = "\"" value "\""
		}
		printf "%s\"%s\": %s", n++ ? ", " : "{", $1, value
	}
	END { print n ? "}" : "{}" }'
}
