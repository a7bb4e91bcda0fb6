#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: html_browser.py BROWSER PAGE AB_PAGE MANY_PAGE

Opens pages of `bcs html` in a browser: no message on the console, no request but
for the page, all charts drawn, nothing wider than a phone; sorts and searches by
mouse and keys.  77 if the browser does not start.
"""
import json
import sys

from browser import Browser

COLUMN = """(table, key) => { const t = document.querySelector(
    `[aria-labelledby=${table}] table`);
    const i = [...t.tHead.rows[0].cells].findIndex(c => c.dataset.k === key);
    return [...t.querySelectorAll('tbody > tr')].map(r => r.cells[i].dataset.v ??
        r.cells[i].textContent); }"""


def column(browser, table, key):
    return browser.value("(%s)(%s, %s)" % (COLUMN, json.dumps(table), json.dumps(key)))


def check_sort(browser):
    names = column(browser, "t0-primitives", "primitive")
    by_max = "[aria-labelledby=t0-primitives] th[data-k=max_ns] button"
    browser.click(by_max)
    shown = [float(v) for v in column(browser, "t0-primitives", "max_ns")[:-2]]
    assert shown == sorted(shown, reverse=True) and len(shown) > 3, shown
    browser.key("Enter", "\r")  # it has the focus
    again = [float(v) for v in column(browser, "t0-primitives", "max_ns")[:-2]]
    assert again == sorted(shown), again
    last = column(browser, "t0-primitives", "primitive")
    assert last[-2:] == names[-2:], "rows that are to stay last"
    assert browser.value("""document.querySelector("[aria-labelledby=t0-primitives] "
        + "th[data-k=max_ns]").getAttribute("aria-sort")""") == "ascending"


VISIBLE = "[...document.querySelectorAll('tbody tr')].filter(r => r.offsetHeight).length"


def check_search(browser):
    before = browser.value(VISIBLE)
    browser.value("document.activeElement.blur()")
    browser.key("/", "/")
    assert browser.value("document.activeElement.id") == "search"
    assert browser.value("document.activeElement.value") == ""
    for letter in "mpi_recv":
        browser.key(letter, letter)
    found = browser.value("document.querySelector('nav output').textContent")
    n = browser.value(VISIBLE)
    assert 0 < n < before and found == "%d rows" % n, (before, n, found)
    assert browser.value("""[...document.querySelectorAll("tbody tr")].every(r =>
        !r.offsetHeight || r.textContent.includes("MPI_Recv"))""")
    browser.key("Escape")
    assert browser.value(VISIBLE) == before


def check_charts(browser, n):
    drawn = browser.value("""[...document.querySelectorAll(
        ".chart:not([data-chart=timeline])")].map(c =>
        [c.dataset.chart, c.querySelectorAll(":scope > svg rect").length])""")
    assert len(drawn) == n and all(rects > 1 for _, rects in drawn), drawn
    browser.value("document.querySelector('[data-chart=matrix] > svg').focus()")
    browser.key("ArrowRight")
    browser.key("ArrowRight")
    told = browser.value(
        "document.querySelector('[data-chart=matrix] .readout').textContent")
    assert told == "rank 0 to rank 1: 7.81 MiB in 1000 messages", told


TIMELINE = "document.querySelector('[data-chart=timeline]')"
TIP_HIDDEN = TIMELINE + ".querySelector('.tip').hidden"


class Timeline:
    """The timeline of synth_trace: rounds of 100 us on 3 ranks, from 50 us on."""

    def __init__(self, browser):
        self.browser = browser
        self.box = browser.value(
            """(() => { const c = %s.querySelector("canvas");
            c.scrollIntoView({ block: "center" });
            const b = c.getBoundingClientRect();
            return { x: b.x, y: b.y, width: b.width, height: b.height }; })()""" % TIMELINE)

    def span(self):
        # A frame may be under way.
        self.browser.value("new Promise(r => requestAnimationFrame(() => "
                           "requestAnimationFrame(r)))")
        return [float(v) for v in self.browser.value(
            "[%s.dataset.from, %s.dataset.to]" % (TIMELINE, TIMELINE))]

    def place(self, ns, lane):
        begin, end = self.span()
        left = 64
        return (self.box["x"] + left + (ns - begin) / (end - begin) *
                (self.box["width"] - left), self.box["y"] + 18 + 28 * lane + 14)

    def text(self, selector):
        return self.browser.value("%s.querySelector(%s).textContent"
                                  % (TIMELINE, json.dumps(selector)))

    def pixel(self, ns, lane):
        x, y = self.place(ns, lane)
        return self.browser.value("""(() => { const c = %s.querySelector("canvas");
            const copy = new OffscreenCanvas(c.width, c.height).getContext("2d",
                { willReadFrequently: true });
            copy.drawImage(c, 0, 0);
            return [...copy.getImageData(%d, %d, 1, 1).data]; })()"""
                                  % (TIMELINE, x - self.box["x"], y - self.box["y"]))


def color(browser, name):
    text = browser.value("getComputedStyle(document.documentElement)"
                         ".getPropertyValue('%s')" % name).strip()
    return [int(text[i:i + 2], 16) for i in (1, 3, 5)] + [255]


def check_timeline_view(browser, line):
    whole = line.span()
    assert whole == [50000, 2095000], whole
    browser.mouse("mousePressed", *line.place(1000000, 1), button="left", clickCount=1)
    browser.mouse("mouseReleased", *line.place(1000000, 1), button="left", clickCount=1)
    at = line.place(1050000, 1)
    for _ in range(5):
        browser.mouse("mouseWheel", *at, deltaX=0, deltaY=-300)
    near = line.span()
    assert near[0] < 1050000 < near[1] and near[1] - near[0] < 300000, near
    browser.key("ArrowRight")
    right = line.span()
    assert right[0] > near[0] and abs(right[1] - right[0] - near[1] + near[0]) < 1, right
    x, y = at
    browser.drag(x, y, x - 200, y)
    assert line.span()[0] > right[0], (right, line.span())
    browser.key("+", "+")
    assert line.span()[1] - line.span()[0] < right[1] - right[0]
    assert browser.value(TIP_HIDDEN), "the call that was chosen is out of view"
    browser.key("0", "0")
    assert line.span() == whole, line.span()
    assert not browser.value(TIP_HIDDEN)


def check_timeline_calls(browser, line):
    """Rank 1 waits in MPI_Recv for rank 0, which sends 15 us later."""
    browser.key("Escape")
    browser.mouse("mouseMoved", *line.place(1074000, 1))
    told = line.text(".tip")
    for fact in ("MPI_Recv", "rank 1", "1066.000 us", "16.000 us", "waited15.000 us",
                 "peer0", "tag3", "received64 B", "MPI_COMM_WORLD", "solve+0x1300",
                 "from rank 0, 64 B, tag 3"):
        assert fact in told, (fact, told)
    x, y = line.place(1074000, 1)
    for kind in "mousePressed", "mouseReleased":
        browser.mouse(kind, x, y, button="left", clickCount=1)
    assert line.text(".readout").startswith("MPI_Recv: where rank 1"), line.text(".readout")
    browser.key("Enter")
    begin, end = line.span()
    assert (begin, end) == (1034000, 1114000), (begin, end)
    assert line.pixel(1070000, 1) == color(browser, "--c2"), "waiting"
    assert line.pixel(1060000, 2) == color(browser, "--c1"), "completes requests"
    assert line.pixel(1110000, 2) == color(browser, "--c0"), "computing"
    assert line.pixel(1093000, 0) == color(browser, "--c5"), "a collective"
    browser.key(".", ".")
    assert line.text(".readout").startswith("MPI_Allreduce: where rank 1")
    browser.key("m", "m")
    line.span()
    # Of the round: 2 messages that began before its end, and what is in the next.
    n = int(line.text(".controls > output").split()[0])
    assert 4 <= n <= 8, n


def check_timeline_search(browser, line):
    browser.value(TIMELINE + ".querySelector('input[type=search]').focus()")
    for letter in "quarter":
        browser.key(letter, letter)
    assert line.text(".controls output") == "70 calls", line.text(".controls output")
    for letter in "no":
        browser.key(letter, letter)
    assert line.text(".controls output") == "0 calls"
    browser.key("Escape")
    for letter in "mpi_recv, peer 0":
        browser.key(letter, letter)
    assert line.text(".controls output") == "20 calls"
    browser.value(TIMELINE + ".querySelector('canvas').focus()")
    browser.key("0", "0")
    browser.key("Escape")
    browser.value(TIMELINE + ".querySelector('input[type=search]').focus()")
    browser.key("Enter", "\r")
    browser.key("Enter", "\r")
    assert "begin 266.000 us" in line.text(".readout"), line.text(".readout")


def check_timeline(browser):
    line = Timeline(browser)
    check_timeline_view(browser, line)
    check_timeline_calls(browser, line)
    check_timeline_search(browser, line)
    assert browser.value("document.querySelector('.letters').hidden")


def check_fold(browser):
    rows = "document.querySelectorAll('[aria-labelledby=t0-ranks] tbody tr')"
    shown = "[...%s].filter(r => r.offsetHeight).length" % rows
    assert browser.value(rows + ".length") == 300
    assert browser.value(shown) == 20
    browser.click("#t0-ranks-all")
    assert browser.value(shown) == 300


def check_quiet(browser):
    asked = {event["params"]["request"]["url"] for event in browser.events
             if event.get("method") == "Network.requestWillBeSent"}
    assert asked and all(url.startswith("file://") and url.endswith(".html")
                         for url in asked), asked
    said = [event for event in browser.events if event.get("method") in (
        "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")]
    assert not said, said


def check(browser, page, two, many):
    browser.attach()
    browser.open(page)
    check_charts(browser, 4)
    check_timeline(browser)
    check_sort(browser)
    check_search(browser)
    grounds = []
    for dark in False, True:
        for width in 1400, 800, 390:
            for name in page, two, many:
                browser.open(name, width, dark)
                wide = browser.value("document.documentElement.scrollWidth")
                assert wide <= width, (name, width, wide)
        grounds.append(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] != grounds[1], grounds
    browser.open(many)
    check_fold(browser)
    check_quiet(browser)


def main():
    browser = Browser(sys.argv[1])
    if not browser.starts():
        print("the browser does not start here", file=sys.stderr)
        sys.exit(77)
    try:
        check(browser, *sys.argv[2:])
    finally:
        browser.end()


main()
