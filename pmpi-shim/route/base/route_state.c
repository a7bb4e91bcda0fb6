/* SPDX-License-Identifier: BSD-3-Clause */

#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route.h"

struct shim_pmpi route_real;
struct engines route_engines;
struct board_slot *route_slot;
struct board_slot **route_slots;
uint32_t route_me;
unsigned route_strict;
MPI_Comm route_self = MPI_COMM_NULL;
__thread unsigned route_native __attribute__((tls_model("initial-exec")));
