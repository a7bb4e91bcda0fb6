/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_END_H
#define BCS_RUN_END_H

#include "analyzer/run/run.h"

/*
 * Finds out what became of ranks whose record was saved while they ran, and
 * puts `running`, `gone` or `unwritten` in place of that reason.  Where a
 * deadlock ended the job, `deadlock` is put in place of `request`.
 */
void run_end_know(struct run *run);

#endif
