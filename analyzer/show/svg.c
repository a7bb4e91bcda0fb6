/* SPDX-License-Identifier: BSD-3-Clause */

/* The frame of an SVG picture, and text that is safe within one. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/show/svg.h"
#include "mds/base/utf8.h"

void svg_begin(double width, double height)
{
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
	       "height=\"%.0f\" font-family=\"sans-serif\" "
	       "font-size=\"12\">\n"
	       "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
	       width, height);
}

void svg_end(void)
{
	puts("</svg>");
}

/* XML has not the last two characters of three bytes. */
static bool is_forbidden(const char *text)
{
	return strncmp(text, "\xef\xbf\xbe", 3) == 0 ||
	       strncmp(text, "\xef\xbf\xbf", 3) == 0;
}

/* One of an escaped text.  Returns the bytes of it. */
static unsigned put_character(const char *text)
{
	const unsigned length = utf8_length(text);

	if (is_forbidden(text))
		putchar('?');
	else if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
		printf("&#%d;", *text);
	else
		printf("%.*s", (int)length, text);
	return length;
}

void svg_text(double x, double y, const char *anchor, const char *text)
{
	char *shown = mem_shown(text);

	printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	for (const char *at = shown; *at;)
		at += put_character(at);
	printf("</text>\n");
	free(shown);
}

void svg_corner(double left, double top, double foot, double right)
{
	printf("<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" "
	       "stroke=\"#333\"/>\n",
	       left, top, foot, right);
}

void svg_rule(double left, double y, double right)
{
	printf("<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/>\n", left, y,
	       right);
}
