# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What there is to complete the command says itself: its help is the only list.

_bcs_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}")
}

_bcs_options()
{
	# shellcheck disable=SC2086 # a verb, or two words
	bcs help $1 2>/dev/null |
		sed -n '/^options:/,$s/^ \{2,6\}\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}

_bcs()
{
	local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}

	if [ "$COMP_CWORD" -eq 1 ]; then
		_bcs_words "$(bcs help 2>/dev/null |
			sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p') \
			--help --version"
	elif [ "$verb" = model ] && [ "$COMP_CWORD" -eq 2 ] &&
		[[ $word != -* ]]; then
		_bcs_words "$(bcs help model 2>/dev/null |
			sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')"
	elif [ "$verb" = model ] && [ "$COMP_CWORD" -gt 2 ] &&
		[[ $word == -* ]]; then
		_bcs_words "$(_bcs_options "model ${COMP_WORDS[2]}")"
	elif [ "$verb" = help ]; then
		_bcs_words "$(bcs help 2>/dev/null |
			sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')"
	elif [[ $word == -* ]]; then
		_bcs_words "$(_bcs_options "$verb")"
	elif [ "$verb" = run ]; then
		mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
	elif [ "$verb" = tree ] || [ "$verb" = model ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	fi
}

complete -o filenames -F _bcs bcs
