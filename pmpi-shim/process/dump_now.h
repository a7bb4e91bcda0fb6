/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_DUMP_NOW_H
#define SHIM_DUMP_NOW_H

struct record_writer;

/*
 * Writes the table `now`: the call that each thread is in, and where that waits
 * for requests, the transfers that it waits for.  From a signal handler too.
 */
void dump_now_write(struct record_writer *writer);

#endif
