#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: html_check.py PAGE [REPORT.json [RUN]]

Checks a page of `bcs html`: elements that are closed, ids that are there once,
a content policy that fits its style and script, nothing that would be fetched.
With a report of `bcs report --json` all numbers of its tables are in the page.
"""
import base64
import gzip
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "input"}
KNOWN = VOID | set("""html head title style body header nav main section div h1 h2
    h3 p ul li dl dt dd table thead tbody tr th td pre b small a label
    script""".split())
BAD = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
                 "\u2028-\u202e\u2066-\u2069]")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links = [], [], []
        self.tables, self.lists = {}, {}
        self.table = self.cell = self.list = None
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert tag in KNOWN, tag
        for name in attrs:
            assert not name.startswith("on") and name not in ("src", "style"), name
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        if tag == "div" and attrs.get("class") == "scroll":
            self.id = attrs["aria-labelledby"]
        if tag == "table":
            self.table = self.tables[self.id] = {"columns": [], "rows": []}
        if tag in ("td", "th") and "data-k" in attrs:
            self.table["columns"].append(attrs["data-k"])
        elif tag == "tr" and self.table["columns"]:
            self.table["rows"].append([])
        elif tag in ("td", "th"):
            self.cell = {"v": attrs.get("data-v"), "text": ""}
            self.table["rows"][-1].append(self.cell)
        if tag in ("ul", "dl") and "data-name" in attrs:
            self.list = self.lists.setdefault(attrs["data-name"], [])
        if tag in ("li", "dd") and self.list is not None:
            self.list.append("")

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag
        if tag in ("ul", "dl"):
            self.list = None
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        where = self.open[-1] if self.open else ""
        if self.cell is not None and where in ("td", "th"):
            self.cell["text"] += data
        if self.list is not None and where in ("li", "dd"):
            self.list[-1] += data


def digest(text):
    found = hashlib.sha256(text.encode()).digest()
    return "'sha256-%s'" % base64.b64encode(found).decode()


def between(text, begin, end):
    assert text.count(begin) == 1, begin
    return text.split(begin)[1].split(end)[0]


def check_policy(text):
    policy = between(text, '"Content-Security-Policy" content="', '"')
    assert policy.startswith("default-src 'none';"), policy
    assert digest(between(text, "<style>", "</style>")) in policy
    assert digest(between(text, "<script>", "</script>")) in policy
    assert "unsafe" not in policy and "*" not in policy
    addresses = re.findall("[a-z]+://[^\"']*", text)
    assert addresses in ([], ["http://www.w3.org/2000/svg"]), addresses


def check_cell(cell, told, where):
    if told is None:
        assert cell["text"] == "-", where
    elif isinstance(told, str):
        assert cell["text"] == told, (where, cell, told)
    else:
        shown = float(cell["v"] if cell["v"] is not None else cell["text"])
        assert shown == told, (where, cell, told)


def check_numbers(page, run, number):
    checked = 0
    for name, members in run.items():
        table = page.tables.get("t%d-%s" % (number, name))
        if not table or not isinstance(members, list):
            continue
        assert len(table["rows"]) == min(len(members), 1000 if name == "peers"
                                         else 10000), name
        for row, member in zip(table["rows"], members):
            assert len(row) == len(table["columns"]), name
            for key, cell in zip(table["columns"], row):
                if key in member:
                    check_cell(cell, member[key], (name, key))
                    checked += 1
    assert [note["text"] for note in run["notes"]] == page.lists["notes"] or \
        number or len(page.lists["notes"]) != len(run["notes"])
    assert checked > 50, checked


def check_data(data, run):
    assert data["distributions"] == run["distributions"]
    sent = sum(row["sent_bytes"] for row in run["peers"])
    assert sum(cell["bytes"] for cell in data["cells"]) == sent
    ranks = run["ranks"]
    assert data["bars"][0]["from"] == ranks[0]["rank"]
    assert data["bars"][-1]["to"] == ranks[-1]["rank"]
    if len(data["bars"]) == len(ranks):
        for bar, rank in zip(data["bars"], ranks):
            for key in "computation_ns", "communication_ns", "waiting_ns", "off_ns":
                assert bar[key] == rank[key], key


def main():
    raw = open(sys.argv[1], "rb").read()
    text = raw.decode("utf-8")
    assert not BAD.search(text), BAD.search(text)
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert all(link[1:] in page.ids for link in page.links) and page.links
    check_policy(text)
    packed = between(text, 'id="data">', "</script>")
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    if len(sys.argv) > 2:
        number = int(sys.argv[3]) if len(sys.argv) > 3 else 0
        run = json.load(open(sys.argv[2], encoding="utf-8"))["runs"][0]
        check_numbers(page, run, number)
        check_data(data["runs"][number], run)


main()
