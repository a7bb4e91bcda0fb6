/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_SAVE_H
#define SHIM_SAVE_H

/*
 * A thread that writes the record every so often while the program runs: who is
 * killed by SIGKILL writes nothing any more, nor do those of a node that is
 * lost, nor the others, whom the launcher kills at once.
 */
void save_start(void);
void save_stop(void);

#endif
