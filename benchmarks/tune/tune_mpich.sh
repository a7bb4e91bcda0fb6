# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# MPICH's algorithms, and how it is told to take them.  Gather and scatter have only one
# each, so they are not tuned.
# shellcheck disable=SC2034,SC2154 # of tune.sh
library=MPICH
suffix=json
collectives="bcast reduce allreduce allgather alltoall barrier"
collectives="$collectives reduce_scatter reduce_scatter_block"
settings=3 # of algorithms, beside the default

# algorithm COLLECTIVE SETTING: MPICH's name; nothing for the default or none.
algorithm() {
	case $1-$2 in
	bcast-1 | reduce-1) echo binomial ;;
	bcast-2) echo scatter_recursive_doubling_allgather ;;
	bcast-3) echo scatter_ring_allgather ;;
	reduce-2) echo reduce_scatter_gather ;;
	allreduce-1 | allgather-2) echo recursive_doubling ;;
	allreduce-2) echo reduce_scatter_allgather ;;
	allgather-1 | alltoall-1) echo brucks ;;
	allgather-3) echo ring ;;
	alltoall-2) echo pairwise ;;
	alltoall-3) echo scattered ;;
	barrier-1) echo dissemination ;;
	reduce_scatter-1 | reduce_scatter_block-1) echo recursive_halving ;;
	reduce_scatter-2 | reduce_scatter_block-2) echo pairwise ;;
	reduce_scatter-3 | reduce_scatter_block-3) echo recursive_doubling ;;
	esac
}

# applies ALGORITHM RANKS BYTES: else MPICH takes another one.
applies() {
	case $1 in
	scatter_recursive_doubling_allgather | recursive_doubling)
		case $collective in
		bcast | allgather) [ $(($2 & ($2 - 1))) -eq 0 ] ;;
		esac
		;;
	reduce_scatter_*) [ "$3" -ge "$2" ] ;;
	esac
}

# use FILE: launches from here on have this tuning file; none: MPICH chooses itself.
use() {
	export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$1"
}

how_to_use() {
	echo "export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$tuning"
}
