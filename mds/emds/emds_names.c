/* SPDX-License-Identifier: BSD-3-Clause */
#include "mds/emds/emds.h"

#define EMDS_NAME(name, text) text,
const char *const emds_names[EMDS_COLUMNS] = { EMDS_LIST(EMDS_NAME) };
