#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: docs.sh
# Every option and verb of the help is in the manual page, and the other way
# round; the shell completes them all.
. "$BCS_SOURCE/tests/cli/record.sh"
page=$BCS_SOURCE/analyzer/bcs.1
completion=$BCS_SOURCE/analyzer/bcs.bash-completion

"$bcs" help >help-all
sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' help-all >verbs
"$bcs" help --help | diff - help-all || fail "help of help is another"
grep -q report verbs || fail "no verbs in the help"

long_options() {
	grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# The part of the page on a verb, from its heading to the next.
part() {
	awk -v verb="$1" '
	/^\.S[HS] / { inside = tolower($0) ~ "bcs " verb "\"?$" }
	inside' "$page" | sed 's/\\-/-/g'
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
	sed -n '/^options:/,$p' help.txt | grep -oE '^ +(-., )?--[a-z-]+' |
		long_options >in-help
	part "$verb" >part.txt
	[ -s part.txt ] || fail "no part on bcs $verb in the manual page"
	sed -n 's/^\.BR* .*/&/p' part.txt | long_options >in-page
	diff in-help in-page || fail "options of $verb: help (<), page (>)"

	# shellcheck disable=SC2016
	PATH=$BCS_BUILD/analyzer:$PATH bash -c '
		. "$1"
		COMP_WORDS=(bcs $2 --) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_bcs
		printf "%s\n" "${COMPREPLY[@]}"' - "$completion" "$verb" |
		long_options >completed
	diff in-help completed || fail "options of $verb: help (<), shell (>)"
done

# shellcheck disable=SC2016
PATH=$BCS_BUILD/analyzer:$PATH bash -c '
	. "$1"
	COMP_WORDS=(bcs "") COMP_CWORD=1
	_bcs
	printf "%s\n" "${COMPREPLY[@]}"' - "$completion" |
	grep -v '^-' | sort >completed
sort verbs | diff - completed || fail "verbs: help (<), shell (>)"

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
grep '^| BCS_' "$BCS_SOURCE/docs/settings.md" | diff settings - ||
	fail "settings: help (<), docs/settings.md (>)"

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
