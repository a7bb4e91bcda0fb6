/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HTML_DIFF_H
#define BCS_HTML_DIFF_H

#include "analyzer/diff/diff.h"
#include "analyzer/html/html_run.h"

/* Adds the tables of `bcs diff`, whose runs were added and matched. */
void html_diff_add(struct html_page *page, const struct diff *diff,
		   const struct html_choice *choice);

#endif
