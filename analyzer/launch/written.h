/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WRITTEN_H
#define BCS_WRITTEN_H

#include <time.h>

struct records;

/* A moment that times of files can be compared with. */
struct timespec written_now(void);
/* Says which records were written since, and by how many processes. */
void written_say(const struct records *records, struct timespec since);

#endif
