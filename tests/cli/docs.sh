#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: docs.sh
# Every option and verb of the help is in a manual page, and every setting in that
# of the environment and in docs/settings.md.
. "$BCS_SOURCE/tests/cli/record.sh"
pages=$BCS_BUILD/analyzer/man

"$bcs" help >help-all
sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' help-all >verbs
"$bcs" help --help | diff - help-all || fail "help of help is another"
grep -q report verbs || fail "no verbs in the help"

long_options() {
	grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# Verbs of verbs, too, as two words.
while read -r verb; do
	"$bcs" help "$verb" 2>/dev/null |
		sed -n "/^verbs:/,/^\$/s/^  \([a-z]*\) .*/$verb \1/p"
done <verbs >inner
grep -q 'model eval' inner || fail "no verbs of verbs"

# shellcheck disable=SC2086 # a verb can be two words
cat verbs inner | while read -r verb; do
	[ "$verb" = help ] && continue
	"$bcs" help $verb >help.txt
	"$bcs" $verb --help | diff help.txt - || fail "two helps of $verb"
	sed -n '/^options:/,$p' help.txt | grep -oE '^ {2,6}(-., )?--[a-z-]+' |
		long_options >in-help
	page=$pages/bcs-$(echo "$verb" | tr ' ' -).1
	[ -s "$page" ] || fail "no manual page of bcs $verb"
	sed -n '/^\.SH OPTIONS/,$p' "$page" | sed -n '/^\.TP/{n;p}' |
		sed 's/\\-/-/g' | long_options >in-page
	diff in-help in-page || fail "options of $verb: help (<), page (>)"
done

"$bcs" --version | grep -qE '^bcs [0-9]+\.[0-9]+\.[0-9]+$' || fail "--version"

# The settings in docs/settings.md are those of the help: names, values, defaults and
# what they do.
"$bcs" help run | sed '1,/^options:/d; /--help/d' | awk '
	/^ +(-., )?--/ && NR > 1 { print line; line = "" }
	{ $1 = $1; line = line (line ? " " : "") $0 }
	END { print line }' |
	sed -E 's/^(.*) \((.*); default (.*)\)$/\1|\2|\3/; t name
		s/^(.*) \((.*)\)$/\1|\2|/
		:name
		s/^(-., )?--([a-z-]+)(\[=VALUE\]|=VALUE) (.*)(\|.*\|.*)$/\2\5|\4/' |
	while IFS='|' read -r name values default does; do
		name=BCS_$(echo "$name" | tr 'a-z-' 'A-Z_')
		echo "| $name | $values | ${default:+$default }| $does |"
	done >settings
[ -s settings ] || fail "no settings in the help"
sed 's/^| \([A-Z_]*\) .*/\1/' settings | while read -r name; do
	grep -qx "\.B $name" "$pages/bcs-environment.7" ||
		fail "$name is not in the manual page"
done
grep '^| BCS_' "$BCS_SOURCE/docs/settings.md" | diff settings - ||
	fail "settings: help (<), docs/settings.md (>)"

# Recipes are written in the language that their tools read.
for recipe in package.py bcs.eb; do
	python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' \
		"$BCS_SOURCE/docs/recipes/$recipe" || fail "$recipe is no Python"
done
! command -v luac5.4 >/dev/null || luac5.4 -p "$BCS_SOURCE/docs/recipes/bcs.lua" ||
	fail "bcs.lua is no Lua"

# Each figure of README.md is one of its row in docs/results.md, rounded.
awk -F ' *[|] *' '
	FNR == NR && /^## / { section = substr($0, 4) }
	FNR == NR && /^    [^$]/ {
		line = $0
		sub(/^ +/, "", line)
		row[section ": " line]
		next
	}
	FNR == NR || !/^\|.*: / { next }
	{
		figure = $(NF - 2)
		sub(/ .*/, "", figure)
		point = index(figure, ".")
		decimals = point ? length(figure) - point : 0
		found = 0
		for (r in row) {
			if (index(r, $(NF - 1)) != 1)
				continue
			n = split(substr(r, length($(NF - 1)) + 1), word, " ")
			for (i = 1; i <= n; i++)
				found += sprintf("%.*f", decimals, word[i]) == figure
		}
		checked++
		if (!found) {
			print "not in docs/results.md: " $0
			bad = 1
		}
	}
	END { exit bad || checked < 10 }' \
	"$BCS_SOURCE/docs/results.md" "$BCS_SOURCE/README.md" >figures ||
	fail "figures of README.md: $(cat figures)"
