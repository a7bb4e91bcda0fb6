/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TOP_TERMINAL_H
#define BCS_TOP_TERMINAL_H

#include <stdbool.h>

/*
 * The terminal on stdout as a screen of its own, until top_terminal_end, or a
 * signal ends the command.
 */
void top_terminal_begin(void);
void top_terminal_end(void);

/* Before and after a picture is printed to stdout. */
void top_terminal_clear(void);
void top_terminal_flush(void);
unsigned top_terminal_lines(void);

/* Waits for a second, or for a key.  True if the user wants to leave. */
bool top_terminal_wait(void);

#endif
