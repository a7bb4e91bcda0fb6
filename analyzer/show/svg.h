/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SVG_H
#define BCS_SVG_H

/* Pictures, to stdout: what all of them begin and end with, and share. */
void svg_begin(double width, double height);
void svg_end(void);

/* `anchor` is start, middle or end; any `text` can stand there. */
void svg_text(double x, double y, const char *anchor, const char *text);

/* An axis down from the top and to the right at the foot. */
void svg_corner(double left, double top, double foot, double right);
/* A light line across, at a value of the axis. */
void svg_rule(double left, double y, double right);

#endif
