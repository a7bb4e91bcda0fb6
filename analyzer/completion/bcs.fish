# SPDX-License-Identifier: BSD-3-Clause
#
# What there is to complete the command says itself: its help is the only list.

function __bcs_words
    commandline -opc | string match -v -- '-*'
end

# The verbs of `bcs help $argv`, each with its summary behind a tab.
function __bcs_verbs
    bcs help $argv 2>/dev/null |
        sed -n '/^verbs:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

# The options of the verb on the line, each with its description.
function __bcs_options
    set -l words (__bcs_words)
    set -l verb $words[2]
    test "$verb" = model; and set verb $verb $words[3]
    bcs help $verb 2>/dev/null |
        sed -n '/^options:/,$s/^  \(-., \|    \)\(--[a-z-]*\)[^ ]* *\(.*\)/\2\t\3/p'
end

function __bcs_at
    test (count (__bcs_words)) -eq $argv[1]
end

function __bcs_in
    set -l words (__bcs_words)
    contains -- "$words[2]" $argv
end

function __bcs_in_option
    string match -q -- '-*' (commandline -ct)
end

complete -c bcs -n '__bcs_at 1' -f -a '(__bcs_verbs)'
complete -c bcs -n '__bcs_at 1; and __bcs_in_option' -f -a '--help --version'
complete -c bcs -n '__bcs_at 2; and __bcs_in model' -f -a '(__bcs_verbs model)'
complete -c bcs -n '__bcs_in help' -f -a '(__bcs_verbs)'
complete -c bcs -n '__bcs_in_option; and not __bcs_at 1' -f -a '(__bcs_options)'
