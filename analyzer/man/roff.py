# SPDX-License-Identifier: BSD-3-Clause
"""Text as roff, for the generators of manual pages."""
import re


def say(text):
    """A line; long lists may break after their commas."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = re.sub(r"(?<=\w),(?=\w)", ",\\\\:", text)
    return re.sub(r"^\.", r"\\&.", text)


def kept(text):
    """Lines that stay as they are, indented."""
    return f".RS\n.nf\n{text}.fi\n.RE\n" if text else ""
