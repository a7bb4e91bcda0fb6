/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_HELPER_H
#define BCS_STROBE_HELPER_H

struct strobe;

/* The helper thread of a process.  Returns 0 or -errno. */
int strobe_helper_start(struct strobe *strobe);
void strobe_helper_stop(struct strobe *strobe);

#endif
