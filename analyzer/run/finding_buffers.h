/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FINDING_BUFFERS_H
#define BCS_FINDING_BUFFERS_H

#include "analyzer/run/run.h"
#include "analyzer/run/symbols.h"

/*
 * Adds what is wrong with the buffers of a run to its findings, once: the
 * variables in debug data are compared with what calls were told of them.
 */
void finding_buffers_look(struct run *run, struct symbols *symbols);

#endif
