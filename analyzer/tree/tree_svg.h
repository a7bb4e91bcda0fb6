/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_SVG_H
#define BCS_TREE_SVG_H

#include "tree/tree_quad.h"

/* To stdout: what a tree decides over processes and bytes. */
void tree_svg_map(const struct tree_quad *quad);
/* Likewise, how much longer that takes than the best. */
void tree_svg_penalty(const struct tree_quad *quad);

#endif
