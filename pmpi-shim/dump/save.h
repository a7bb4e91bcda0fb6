/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_SAVE_H
#define SHIM_SAVE_H

/*
 * A thread that writes the record regularly while the program runs. A process
 * that is killed by SIGKILL writes nothing more. Nor do the processes of a lost
 * node, nor the others, which the launcher then kills at once.
 */
void save_start(void);
void save_stop(void);

#endif
