#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: embed.py OUTPUT page.html page.css SCRIPT...

Writes the page as C: the style and the scripts are put into page.html, and their
hashes into its content policy, so that no other script runs there.  The scripts
become one function, so that they see each other and leave no names behind.  The page is
cut at the slots that `bcs html` fills: @TITLE@, @MAIN@ and @DATA@.
"""
import base64
import hashlib
import re
import sys

SLOTS = ["@TITLE@", "@MAIN@", "@DATA@"]


def digest(text):
    found = hashlib.sha256(text.encode()).digest()
    return "'sha256-" + base64.b64encode(found).decode() + "'"


def array(number, text):
    data = text.encode() + b"\0"
    lines = [", ".join(str(byte) for byte in data[i:i + 16])
             for i in range(0, len(data), 16)]
    return "static const char part_%d[] = {\n\t%s\n};\n" % (
        number, ",\n\t".join(lines))


def main():
    output, *inputs = sys.argv[1:]
    page, style, *scripts = (open(name, encoding="ascii").read()
                             for name in inputs)
    script = '\n"use strict";\n(() => {\n%s})();\n' % "\n".join(scripts)
    for text in style, script:
        if "</" in text:
            sys.exit("embed.py: the style or the script would end early")
    page = page.replace("@STYLE_HASH@", digest(style))
    page = page.replace("@SCRIPT_HASH@", digest(script))
    page = page.replace("@STYLE@", style).replace("@SCRIPT@", script)
    parts = re.split("(@[A-Z_]+@)", page)
    if parts[1::2] != SLOTS:
        sys.exit("embed.py: slots of page.html: %s" % parts[1::2])
    with open(output, "w", encoding="ascii") as file:
        file.write('#include "analyzer/html/html_page.h"\n\n')
        for number, text in enumerate(parts[::2]):
            file.write(array(number, text))
        file.write("const char *const html_page_parts[] = {\n\t%s,\n};\n"
                   % ", ".join("part_%d" % i for i in range(len(SLOTS) + 1)))


main()
