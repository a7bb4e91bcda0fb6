/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_FORMS_H
#define SHIM_ROUTE_FORMS_H

/*
 * Entries of the table of calls, for a function and its large-count form at
 * once.  gen_wrappers.py writes these macros from the prototypes in mpi.h:
 *
 * ROUTE_TRY(Send, TRY): Send and Send_c call TRY(SHIM_MPI_Send, &rc,
 * arguments). If TRY returns true, rc is the answer; else MPI gets the call.
 *
 * ROUTE_AROUND(Win_create, BEGIN, END): the statement BEGIN runs before MPI's
 * own call, and the expression END is the answer.  Both may name the arguments;
 * END also sees MPI's answer, rc.
 *
 * ROUTE_COLL(Bcast, MAKE): Bcast, Ibcast and Bcast_init.  MAKE fills a struct
 * route_call; form_run, form_post or form_init does the rest.
 *
 * ROUTE_INSTALL(Send, table) puts the entries into the table.
 *
 * Arrays of counts and of displacements arrive as struct shim_counts and struct
 * route_displs, since their elements have two widths.
 */
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/shim.h"
#include "shim_forms.h" /* generated */

#define ROUTE_TRY(NAME, TRY)           ROUTE_TRY_##NAME(TRY)
#define ROUTE_AROUND(NAME, BEGIN, END) ROUTE_AROUND_##NAME(BEGIN, END)
#define ROUTE_COLL(NAME, MAKE)         ROUTE_COLL_##NAME(MAKE)
#define ROUTE_INSTALL(NAME, table)     ROUTE_INSTALL_##NAME(table)

#endif
