# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Open MPI's algorithms (component tuned), and how it is told to take them.
# NAME+BYTES has segments of so many bytes.
# shellcheck disable=SC2034,SC2154 # of tune.sh
library="Open MPI"
suffix=rules
collectives="bcast reduce allreduce allgather alltoall barrier gather scatter"
collectives="$collectives reduce_scatter reduce_scatter_block"
settings=7 # of algorithms, beside the default

# algorithm COLLECTIVE SETTING: a name that `bcs tree` knows; nothing for none.
algorithm() {
	case $1 in
	bcast)
		set -- "$2" linear binomial knomial pipeline+32768 \
			split_binary+32768 scatter_allgather scatter_allgather_ring
		;;
	reduce)
		set -- "$2" linear binomial chain+32768 pipeline+32768 binary+32768 \
			rabenseifner
		;;
	allreduce) set -- "$2" linear nonoverlapping recursive_doubling ring rabenseifner ;;
	allgather) set -- "$2" linear bruck recursive_doubling ring neighbor ;;
	alltoall) set -- "$2" linear pairwise modified_bruck linear_sync ;;
	barrier) set -- "$2" linear double_ring recursive_doubling bruck tree ;;
	gather) set -- "$2" linear binomial linear_sync ;;
	scatter) set -- "$2" linear binomial linear_nb ;;
	reduce_scatter) set -- "$2" nonoverlapping recursive_halving ring butterfly ;;
	*) set -- "$2" linear recursive_doubling recursive_halving butterfly ;;
	esac
	[ "$1" -gt 0 ] && [ "$1" -lt $# ] || return 0
	shift "$1"
	echo "$1"
}

# applies ALGORITHM RANKS BYTES: else Open MPI takes another one.
applies() {
	case $1 in
	neighbor) [ $(($2 % 2)) -eq 0 ] ;;
	recursive_doubling)
		[ "$collective" != allgather ] || [ $(($2 & ($2 - 1))) -eq 0 ]
		;;
	*+*) [ "$3" -gt "${1#*+}" ] ;;
	scatter_allgather* | rabenseifner) [ "$3" -ge "$2" ] ;;
	esac
}

# use FILE: launches from here on have this rules file; none: Open MPI chooses itself.
use() {
	unset OMPI_MCA_coll_tuned_use_dynamic_rules \
		OMPI_MCA_coll_tuned_dynamic_rules_filename
	[ -z "$1" ] || export OMPI_MCA_coll_tuned_use_dynamic_rules=1 \
		OMPI_MCA_coll_tuned_dynamic_rules_filename="$1"
}

how_to_use() {
	echo "export OMPI_MCA_coll_tuned_use_dynamic_rules=1"
	echo "export OMPI_MCA_coll_tuned_dynamic_rules_filename=$tuning"
	echo "Open MPI applies these rules to operations that do not commute, too.  A program"
	echo "with such an operation must not use them for reductions."
}
