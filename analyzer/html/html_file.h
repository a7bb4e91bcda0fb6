/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HTML_FILE_H
#define BCS_HTML_FILE_H

#include "analyzer/html/html_page.h"

/*
 * Writes the page to `path`, or to stdout if that is "-".  A file that is there
 * is replaced if it is a page of ours, else it stays and that is an error.  The
 * new page is for its user alone, as records are.  Returns 0, or -errno after
 * it has said why; *size_p is set to its bytes.
 */
int html_file_write(const struct html_page *page, const char *path,
		    size_t *size_p);

#endif
