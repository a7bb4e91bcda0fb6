/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FINDING_BUFFERS_H
#define BCS_FINDING_BUFFERS_H

#include "analyzer/places/symbols.h"
#include "analyzer/run/run.h"

/*
 * Compares the variables in debug data with what calls were told of them.  Adds
 * the faults to the run's findings; a second call adds none.
 */
void finding_buffers_look(struct run *run, struct symbols *symbols);

#endif
