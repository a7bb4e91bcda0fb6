#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: escapes.sh GOLDEN [--update]
# Names and values from outside never reach a terminal as they are: control
# characters, marks that turn the direction of what follows, bytes that are no
# character.  In JSON they are what they were.
. "$BCS_SOURCE/tests/cli/record.sh"

golden=$1
update=${2-}

# An escape sequence, a bell, C1's CSI, what turns the direction, two bytes that
# are no character.
bad=%1b[31m%07%7f%c2%9b%d8%9c%e2%80%8f%e2%80%ae%e2%81%a6%ff%c2

# harmless FILE...: nothing but what can be shown, and ends of lines.
harmless() {
	python3 - "$@" <<-'END' || fail "not harmless"
		import re, sys
		bad = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
		                 "\u2028-\u202e\u2066-\u2069]")
		for name in sys.argv[1:]:
		    text = open(name, "rb").read().decode("utf-8")
		    found = bad.search(text)
		    if found:
		        sys.exit("%s: %r" % (name, text[:found.end() + 20]))
	END
}

# hostile RANK: each text of a record has all of them.
hostile() {
	begin "$1" 2 program "prog$bad" arguments "./prog%20$bad" \
		host "host$bad" mpi "mpi$bad" mode "mode$bad" \
		thread_level "level$bad" reason "reason$bad" polite "polite$bad" \
		clock "clock$bad"
	echo "note$bad" | table notes text
	echo "0 9000000 900000 300 300 0 20" | table threads "$threads"
	table cells "$cells" <<-END
		1 0 MPI_Send 1 1 1000 500000 500 9000 0 8192000 0 8192 8192
		2 0 Call$bad 1 2 1000 400000 500 9000 0 8192000 0 8192 8192
	END
	echo "1 phase$bad 100 6000000" |
		table phases "phase name count time_ns"
	table paths "path level module offset_hex" <<-END
		1 0 0 1234
		1 1 1 4321
		2 0 1 1234
	END
	table modules "module file build_id" <<-END
		0 /opt/a$bad %
		1 $place/prog %
	END
	echo "0 44000000 comm$bad 2 $1 1 1100 900000 8192800 800" |
		table communicators "$communicators"
	echo "0 1 10 80 10 80 90000" | table peers "$peers"
	echo "0 Call$bad 1 2000 send$bad 1 7 comm$bad" | table now "$now"
	end
}

# A folder of such a name, and a record in it.
plain=$(printf 'a\033[2J\007\177\302\233\342\200\256\377')
folder=$out/$plain
place=$out/a%1b[2J%07%7f%c2%9b%e2%80%ae%ff
mkdir "$folder"
solve=$folder/prog.1.bcs
mkdir "$solve" golden.bcs
for rank in 0 1; do
	hostile $rank >"$solve/rank-00000$rank.gz"
	place=/opt hostile $rank >golden.bcs/rank-00000$rank.gz
done
# A program in it, whose symbols are looked for.
cp "$bcs" "$folder/prog"

# shown NAME COMMAND...
shown() {
	name=$1
	shift
	"$@" >"$name" 2>"$name.stderr" || fail "status $?: $(cat "$name.stderr")"
	harmless "$name" "$name.stderr"
}
shown report.txt "$bcs" report --top=0 --width=1000 "$solve"
grep -qF 'prog\x1b[31m\x07\x7f\u009b\u061c\u200f\u202e\u2066\xff\xc2' report.txt ||
	fail "no escapes in the report"
shown wide.txt "$bcs" report --paths --ranks --matrix --width=60 "$solve"
grep -qF '< a\x1b[31m\x07' wide.txt || fail "no path with escapes"
shown report.json "$bcs" report --json --paths "$solve"
python3 - report.json <<'END' || fail "another text in JSON"
import json, sys
run = json.load(open(sys.argv[1], encoding="ascii"))["runs"][0]
text = json.dumps(run, ensure_ascii=False)
bad = "\x1b[31m\x07\x7f\x9b\u061c\u200f\u202e\u2066\ufffd\ufffd"
for name in "prog", "host", "note", "phase", "comm", "Call", "a":
    found = json.dumps(name + bad, ensure_ascii=False)[1:-1]
    assert found in text, name
END
for section in run now notes account ranks threads primitives sites peers \
	matrix communicators traffic sizes phases distributions; do
	shown one.csv "$bcs" report --csv --paths --section=$section "$solve"
	cat one.csv >>all.csv
done
grep -qF '"Call\x1b[31m\x07\x7f\u009b' all.csv || fail "no escapes in CSV"
shown diff.txt "$bcs" diff "$solve" golden.bcs
shown diff.json "$bcs" diff --json "$solve" golden.bcs

# What cannot be done is told of in the same way.
told() {
	rc=0
	"$@" >stdout 2>stderr || rc=$?
	[ $rc -eq 2 ] || fail "status $rc: $*"
	[ -s stderr ] || fail "nothing is told: $*"
	harmless stdout stderr
}
told "$bcs" report "$folder/none$plain"
told "$bcs" diff "$solve" "$folder/none"
told "$bcs" slices "$folder"
told "$bcs" merge "$solve" "$solve"
told "$bcs" tree "$folder"
told "$bcs" model fit "$folder/none"
told "$bcs" model eval "$plain" 1
told "$bcs" model simulate "$folder/none"
told "$bcs" "$plain"
told "$bcs" help "$plain"
told "$bcs" report "--$plain"
told "$bcs" report --sort="$plain" "$solve"
told "$bcs" run --mode="$plain" true
told "$bcs" run --out="$folder/none/none" true
told "$bcs" bench "$plain"
cp "$folder/prog" "$solve/rank-$plain.gz"
shown warned "$bcs" report "$solve"
grep -qF 'rank-a\x1b[2J\x07\x7f\u009b\u202e\xff.gz: ' warned.stderr ||
	fail "no escapes in a warning"
BCS_DEPTH=$plain BCS_SAVE=$plain BCS_MODE=$plain \
	"$bcs" run --out="$folder" sh -c 'exit 0' 2>stderr || true
harmless stderr
grep -qF 'BCS_MODE=a\x1b[2J\x07' stderr || fail "no escapes of a variable"
cat >print.lua <<'END'
print("\27[31mred\7 \xe2\x80\xae\xff", "tab\nline")
error("\27[31mred")
END
told "$bcs" model simulate print.lua
grep -qF '\x1b[31mred\x07 \u202e\xff' stderr || fail "no escapes of Lua's print"
grep -q '^line$' stderr || fail "print has one line"
! "$bcs" run "./none$plain" 2>stderr || fail "it was run"
harmless stderr

# As a person sees it.
"$bcs" report --width=100 --paths golden.bcs >escapes.txt
if [ "$update" = --update ]; then
	cp escapes.txt "$golden/escapes.txt"
fi
diff -u "$golden/escapes.txt" escapes.txt
