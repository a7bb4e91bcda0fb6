#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: completion.sh
# bash, zsh and fish complete every verb and every option that the help has, and
# nothing else.
# shellcheck source=tests/cli/record.sh
. "$BCS_SOURCE/tests/cli/record.sh"
scripts=$BCS_SOURCE/analyzer/completion
PATH=$BCS_BUILD/analyzer:$PATH
# LeakSanitizer hangs in a process of a pipeline of zsh; other tests look for leaks.
export ASAN_OPTIONS=detect_leaks=0

# The words of a line "bcs ..." that ends in the word to complete: one a line.
# shellcheck disable=SC2016
in_bash() {
	bash -c '. "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_bcs
		printf "%s\n" "${COMPREPLY[@]}"' "$scripts/bcs.bash" "$@"
}

# What zsh would offer is put aside before it is shown.
# shellcheck disable=SC2016
in_zsh() {
	zsh -f -c '
		_describe() { shift; print -l -- ${${(P)1}%%:*} }
		_files() { ls -d ${words[CURRENT]}* 2>/dev/null }
		_command_names() { : }
		compdef() { : }
		file=$1
		shift
		words=("$@") CURRENT=$#
		. $file
		_bcs' - "$scripts/bcs.zsh" "$@"
}

in_fish() {
	HOME=$out fish --no-config -c "
		source $scripts/bcs.fish
		complete -C'$*'" | cut -f 1
}

verbs_of() {
	# shellcheck disable=SC2086 # none, or a verb
	"$bcs" help $1 | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

options_of() {
	# shellcheck disable=SC2086 # a verb can be two words
	"$bcs" help $1 | sed -n '/^options:/,$p' |
		sed -nE 's/^ {2,6}(-., )?(--[a-z-]+).*/\2/p' | sort -u
}

same() {
	sort -u | diff - expected || fail "$*: shell (<), help (>)"
}

check() {
	in=in_$1
	verbs_of '' | grep -v '^-' | sort >expected
	$in bcs '' | grep -v '^-' | same "verbs in $1"
	verbs_of model | sort >expected
	$in bcs model '' | same "verbs of model in $1"
	verbs_of '' | sort >expected
	$in bcs help '' | same "verbs of help in $1"
	for verb in $(verbs_of '' | grep -v help) 'model eval' 'model fit' \
		'model simulate'; do
		options_of "$verb" >expected
		# shellcheck disable=SC2086 # a verb can be two words
		$in bcs $verb -- | same "options of $verb in $1"
	done
	: >an-operand
	$in bcs tree an-op | grep -qx an-operand ||
		fail "no file in $1: $($in bcs tree an-op)"
}

checked=
for shell in bash zsh fish; do
	command -v $shell >/dev/null || continue
	check $shell
	checked="$checked $shell"
done
echo "checked:$checked"
[ -n "$checked" ] || exit 77
