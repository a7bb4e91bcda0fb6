#compdef bcs
# SPDX-License-Identifier: BSD-3-Clause
#
# What there is to complete the command says itself: its help is the only list.

# The verbs of `bcs help $@`, as name:summary.
_bcs_verbs()
{
	bcs help $@ 2>/dev/null |
		sed -n '/^verbs:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1:\2/p'
}

# The options of a verb, as name:description; their first line is enough.
_bcs_options()
{
	bcs help $@ 2>/dev/null | sed -n '/^options:/,$s/^  \(-., \|    \)\(--[a-z-]*\)[^ ]* *\(.*\)/\2:\3/p'
}

_bcs()
{
	local word=${words[CURRENT]}
	local -a found verb
	verb=(${words[2]})

	[[ ${words[2]} == model && $CURRENT -gt 3 ]] && verb+=(${words[3]})
	if (( CURRENT == 2 )); then
		found=(${(f)"$(_bcs_verbs)"} --help --version)
		_describe verb found
	elif [[ ${words[2]} == help ]]; then
		found=(${(f)"$(_bcs_verbs)"})
		_describe verb found
	elif [[ $word == -* ]]; then
		found=(${(f)"$(_bcs_options $verb)"})
		_describe option found
	elif [[ ${words[2]} == model ]] && (( CURRENT == 3 )); then
		found=(${(f)"$(_bcs_verbs model)"})
		_describe verb found
	elif [[ ${words[2]} == run ]]; then
		_command_names
		_files
	else
		_files
	fi
}

# Loaded by compinit as a function of its own, or read by a shell's start file.
if [[ $funcstack[1] == _bcs ]]; then
	_bcs "$@"
elif (( $+functions[compdef] )); then
	compdef _bcs bcs
fi
