#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: json.sh
# JSON and CSV are what other programs take for such, whatever the record holds.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record solve.42.bcs
# Texts that have to be escaped, or that are no texts at all.
{
	begin 0 1 program 'q"uote' arguments 'a\b%09c%0Ad%7F%C3%A4%FF%ED%A0%80"x'
	printf 'a%%0Ab,"c"\n' | table notes text
	printf '0 %%22%%1B%%5B31mred 1 1\n1 %%C2%%9B31m 1 1\n' |
		table phases "phase name count time_ns"
	end
} >odd.gz

for options in "" "--paths" "--top=1" "--section=matrix,peers"; do
	# shellcheck disable=SC2086
	"$bcs" report --json $options solve.42.bcs odd.gz >all.json
	python3 - <<-'END' || fail "bad JSON with '$options'"
		import json
		with open("all.json", encoding="utf-8") as file:
		    document = json.load(file)
		assert document["format"] == 1
		assert len(document["runs"]) == 2
	END
done

python3 - "$bcs" <<-'END' || fail "JSON and CSV do not tell the same"
	import csv, io, json, re, subprocess, sys

	def report(*options):
	    return subprocess.run([sys.argv[1], "report", *options],
	                          check=True, stdout=subprocess.PIPE).stdout

	# CSV is escaped for terminals; in JSON bytes that are none are one character.
	def told_so(text, told):
	    def escaped(match):
	        return "\\x%02x" % ord(match[0])
	    pattern = re.escape(re.sub("[\0-\x1f\x7f]", escaped, told))
	    pattern = pattern.replace("\ufffd", "\\\\x[89a-f][0-9a-f]")
	    pattern = pattern.replace("\x9b", "\\\\u009b")
	    return re.fullmatch(pattern, text)

	def same(run, section, record):
	    text = report("--csv", "--paths", "--section=" + section, record)
	    text = text.decode()
	    rows = list(csv.DictReader(io.StringIO(text, newline="")))
	    members = [run[section]] if section == "run" else run[section]
	    assert len(rows) == len(members), section
	    for row, member in zip(rows, members):
	        assert list(row) == list(member), section
	        for key, value in member.items():
	            told = "" if value is None else value
	            if isinstance(told, float):
	                assert float(row[key]) == told, (section, key)
	            else:
	                assert told_so(row[key], str(told)), (section, key)

	runs = json.loads(report("--json", "--paths", "solve.42.bcs", "odd.gz"))["runs"]
	assert runs[1]["run"]["arguments"] == 'a\\b\tc\nd\x7fä\ufffd\ufffd\ufffd\ufffd"x'
	assert runs[1]["notes"][0]["text"].startswith('a\nb,"c"')
	for run, record in zip(runs, ("solve.42.bcs", "odd.gz")):
	    for section in run:
	        same(run, section, record)
END

# A terminal is not to be upset.
"$bcs" report --color=never odd.gz >odd.txt
if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" odd.txt; then
	fail "control bytes in the report"
fi
if grep -q "$(printf '\302\233')" odd.txt; then
	fail "a control character of C1 in the report"
fi
