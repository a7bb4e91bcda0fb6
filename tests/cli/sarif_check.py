# SPDX-License-Identifier: BSD-3-Clause
"""Checks files for what the schema of SARIF 2.1.0 (OASIS) demands of the parts
that `bcs check --sarif` writes: required members, types, and words of a fixed
set.  A member that is not known here is an error, as the schema forbids others.

usage: sarif_check.py FILE...
"""
import json
import re
import sys


class Wrong(Exception):
    pass


def text(value, at):
    if not isinstance(value, str):
        raise Wrong(f"{at}: is no text")


def pattern(regex):
    def check(value, at):
        text(value, at)
        if not re.fullmatch(regex, value):
            raise Wrong(f"{at}: {value!r} does not match {regex}")
    return check


def one_of(*words):
    def check(value, at):
        if value not in words:
            raise Wrong(f"{at}: {value!r} is none of {words}")
    return check


def number(least):
    def check(value, at):
        if isinstance(value, bool) or not isinstance(value, int):
            raise Wrong(f"{at}: is no integer")
        if value < least:
            raise Wrong(f"{at}: {value} is below {least}")
    return check


def array(item, least=0, unique=False):
    def check(value, at):
        if not isinstance(value, list):
            raise Wrong(f"{at}: is no array")
        if len(value) < least:
            raise Wrong(f"{at}: has {len(value)} items, and not {least}")
        for i, one in enumerate(value):
            item(one, f"{at}[{i}]")
            if unique and one in value[:i]:
                raise Wrong(f"{at}[{i}]: is there twice")
    return check


def an_object(required=(), least=0, **members):
    def check(value, at):
        if not isinstance(value, dict):
            raise Wrong(f"{at}: is no object")
        for name in required:
            if name not in value:
                raise Wrong(f"{at}: lacks {name}")
        if len(value) < least:
            raise Wrong(f"{at}: is empty")
        for name, one in value.items():
            if name not in members:
                raise Wrong(f"{at}: knows no {name}")
            members[name](one, f"{at}.{name}")
    return check


def named(item):
    """Members of any name."""
    def check(value, at):
        if not isinstance(value, dict):
            raise Wrong(f"{at}: is no object")
        for name, one in value.items():
            item(one, f"{at}.{name}")
    return check


# RFC 3986, as far as it is needed: no blanks, and % with two digits.
uri = pattern(r"([A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]-]|%[0-9A-Fa-f]{2})*")
absolute = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:.*")
level = one_of("none", "note", "warning", "error")
message = an_object(least=1, text=text, markdown=text, id=text)
help_text = an_object(required=["text"], text=text, markdown=text)
artifact = an_object(least=1, uri=uri, uriBaseId=text, index=number(-1))
region = an_object(
    startLine=number(1), startColumn=number(1), endLine=number(1),
    endColumn=number(1))
physical = an_object(
    required=["artifactLocation"], artifactLocation=artifact, region=region)
logical = an_object(
    least=1, name=text, fullyQualifiedName=text, kind=text, index=number(-1))
location = an_object(
    id=number(-1), physicalLocation=physical, message=message,
    logicalLocations=array(logical, unique=True))
rule = an_object(
    required=["id"], id=text, name=text, shortDescription=help_text,
    fullDescription=help_text, help=help_text, helpUri=absolute,
    defaultConfiguration=an_object(level=level))
tool = an_object(required=["driver"], driver=an_object(
    required=["name"], name=text, version=text, informationUri=absolute,
    rules=array(rule, unique=True)))
suppression = an_object(
    required=["kind"], kind=one_of("inSource", "external"),
    status=one_of("accepted", "underReview", "rejected"), justification=text)
result = an_object(
    required=["message"], ruleId=text, ruleIndex=number(-1), level=level,
    kind=one_of("notApplicable", "pass", "fail", "review", "open",
                "informational"),
    message=message, locations=array(location),
    relatedLocations=array(location, unique=True),
    occurrenceCount=number(1), suppressions=array(suppression, unique=True))
run = an_object(
    required=["tool"], tool=tool, results=array(result),
    originalUriBaseIds=named(artifact))
log = an_object(
    required=["version", "runs"], version=one_of("2.1.0"), runs=array(run),
    **{"$schema": absolute})


def bases(one, at):
    """What the text of the standard demands, and not its schema."""
    known = one.get("originalUriBaseIds", {})
    rules = one["tool"]["driver"].get("rules", [])
    for name, base in known.items():
        if not base["uri"].endswith("/"):
            raise Wrong(f"{at}.originalUriBaseIds.{name}: is no folder")
    for i, found in enumerate(one.get("results", [])):
        index = found.get("ruleIndex", -1)
        if index >= len(rules) or (
                index >= 0 and rules[index]["id"] != found.get("ruleId")):
            raise Wrong(f"{at}.results[{i}]: of another rule")
        for place in found.get("locations", []) + found.get(
                "relatedLocations", []):
            file = place.get("physicalLocation", {}).get(
                "artifactLocation", {})
            base = file.get("uriBaseId")
            if base is not None and base not in known:
                raise Wrong(f"{at}.results[{i}]: {base} is not known")
            if base is not None and re.match(r"[A-Za-z][^/]*:|/",
                                             file["uri"]):
                raise Wrong(f"{at}.results[{i}]: is relative to nothing")


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
        try:
            log(value, "log")
            for i, one in enumerate(value["runs"]):
                bases(one, f"log.runs[{i}]")
        except Wrong as wrong:
            sys.exit(f"{path}: {wrong}")


main()
