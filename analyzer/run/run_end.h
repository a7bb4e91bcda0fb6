/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_END_H
#define BCS_RUN_END_H

#include "analyzer/run/run.h"

/*
 * Finds out what became of ranks whose record was saved while they ran, and
 * puts `running`, `gone` or `unwritten` in place of that reason.  Where a
 * deadlock ended the job, `deadlock` is put in place of `request`.  Where there
 * is a flight recorder alone because the record could not be written, it puts
 * `lost`.
 */
void run_end_know(struct run *run);

/*
 * Why that rank could not write its record into `folder`, with the setting that
 * helps; newly allocated.  NULL: it has not left word.
 */
char *run_end_why(const char *folder, uint64_t rank);

#endif
