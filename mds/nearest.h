/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NEAREST_H
#define BCS_NEAREST_H

/*
 * The name that a mistyped one was probably meant to be.  `names` ends with
 * NULL.  Returns NULL if none differs by at most a third of its letters.
 */
const char *nearest_name(const char *mistyped, const char *const *names);

#endif
