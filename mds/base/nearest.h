/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NEAREST_H
#define BCS_NEAREST_H

/*
 * The known name that a mistyped one most resembles.  `names` ends with NULL.
 * Returns NULL if all differ by more than a third of their letters.
 */
const char *nearest_name(const char *mistyped, const char *const *names);

#endif
