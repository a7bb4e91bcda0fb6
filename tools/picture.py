#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: picture.py BROWSER PAGE PICTURE

The timeline of a page of `bcs html`, some calls of it, with their messages.
"""
import base64
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "tests/cli"))
from browser import Browser  # noqa: E402

CANVAS = "document.querySelector('#timeline canvas')"


def clip(browser):
    """The timeline, and the box about a call that hangs out of it."""
    return browser.value("""(() => {
        const b = document.querySelector("#timeline").getBoundingClientRect();
        return { x: b.x - 16, y: b.y + scrollY - 16, width: b.width + 32,
                 height: b.height + 60, scale: 1 }; })()""")


def near(browser):
    """Zooms into the middle of the run, where messages can be told apart."""
    browser.value(CANVAS + ".scrollIntoView({ block: 'center' })")
    at = browser.value("""(() => { const b = %s.getBoundingClientRect();
        return { x: b.x + b.width * 0.6, y: b.y + b.height / 2 }; })()""" % CANVAS)
    browser.mouse("mousePressed", **at, button="left", clickCount=1)
    browser.mouse("mouseReleased", **at, button="left", clickCount=1)
    for _ in range(12):
        browser.mouse("mouseWheel", **at, deltaX=0, deltaY=-300)
    browser.key("m", "m")
    browser.mouse("mouseMoved", **at)


def main():
    command, page, picture = sys.argv[1:]
    browser = Browser(command)
    if not browser.starts():
        sys.exit("picture.py: " + command + " does not start here")
    try:
        browser.attach()
        browser.open(page)
        near(browser)
        browser.value("new Promise(r => setTimeout(r, 500))")
        shot = browser.call("Page.captureScreenshot", clip=clip(browser),
                            captureBeyondViewport=True)
    finally:
        browser.end()
    pathlib.Path(picture).write_bytes(base64.b64decode(shot["data"]))


main()
