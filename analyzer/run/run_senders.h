/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_SENDERS_H
#define BCS_RUN_SENDERS_H

#include "analyzer/run/run.h"
#include "mds/base/reading.h"

/*
 * Fills in other_place of findings.  Their senders' paths are in other files,
 * which are opened `from` there once more: findings are few.
 */
void run_senders_find(struct run *run, enum reading_from from);

#endif
