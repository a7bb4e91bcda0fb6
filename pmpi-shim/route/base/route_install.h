/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_INSTALL_H
#define SHIM_ROUTE_INSTALL_H

/*
 * Each file of route/ that has entries of the table of calls puts them in.
 */
#include "pmpi-shim/pmpi.h"

/* Fill in their entries of the table. */
void route_send_install(struct shim_pmpi *table);
void route_recv_install(struct shim_pmpi *table);
void route_probe_install(struct shim_pmpi *table);
void route_persistent_install(struct shim_pmpi *table);
void route_complete_install(struct shim_pmpi *table);
void route_many_all_install(struct shim_pmpi *table);
void route_many_any_install(struct shim_pmpi *table);
void route_buffers_install(struct shim_pmpi *table);
void route_looks_install(struct shim_pmpi *table);
void route_comms_install(struct shim_pmpi *table);
void route_coll_install(struct shim_pmpi *table);
void route_neighbors_install(struct shim_pmpi *table);
void route_windows_install(struct shim_pmpi *table);
void route_files_install(struct shim_pmpi *table);
void route_native_install(struct shim_pmpi *table);
void route_attrs_install(struct shim_pmpi *table);
/* After the collectives: their entry of MPI_Type_free is called by its own. */
void route_types_install(struct shim_pmpi *table);

#endif
