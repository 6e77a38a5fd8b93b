# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Completes commands, options, arguments of options and devices of dmm, dmm-lab and dmm-mpi in bash.
# The build appends this file to lists made from the program's own tables: by the program's name, and
# by 'PROGRAM COMMAND'. readline completes file names.

# _dmm_argument KEY OPTION: prints the option's argument as in --help; nothing for a flag.
_dmm_argument() {
    local line
    while read -r line; do
        [[ $line == "$2:"* ]] && echo "${line#*:}"
    done <<<"${_dmm_arguments[$1]}"
}

# _dmm_devices PROGRAM: prints numbers and names of the devices, which dmm lists.
_dmm_devices() {
    local line dmm=${1%-mpi}
    "${dmm%-lab}" devices 2>/dev/null | while read -r line; do
        [[ $line =~ ^([0-9]+):\ (.*)\ \([a-zA-Z]+\)$ ]] &&
            printf '%s\n%q\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    done
}

# _dmm_offer WORD LINES: offers the lines that begin with WORD.
_dmm_offer() {
    local line
    while read -r line; do
        [[ -n $line && $line == "$1"* ]] && COMPREPLY+=("$line")
    done <<<"$2"
}

# _dmm_value PROGRAM ARGUMENT WORD: offers the values of an argument of that name.
_dmm_value() {
    case $2 in
        FILE | FOLDER | OUTPUT) return ;;
        DEVICE | DEVICE,...) _dmm_offer "$3" "$(_dmm_devices "$1")" ;;
        TYPE) _dmm_offer "$3" "${_dmm_types// /$'\n'}" ;;
        *'|'*) _dmm_offer "$3" "${2//|/$'\n'}" ;;
    esac
    compopt +o default +o bashdefault 2>/dev/null
}

# Collects the words up to the cursor. readline splits them at each =; --name=value stays two words.
_dmm_words() {
    local i glue=''
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == = ]]; then
            [[ ${words[-1]} == --* ]] && words+=('') || words[-1]+='='
            glue=1
        elif [[ -n $glue ]]; then
            words[-1]+=${COMP_WORDS[i]}
            glue=''
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
}

_dmm() {
    local program command='' key options argument word i
    local -a words=()
    _dmm_words
    word=${words[-1]}
    COMPREPLY=()
    program=${words[0]##*/}
    [[ -n ${_dmm_options[$program]:-} ]] || program=dmm
    key=$program
    options=${_dmm_options[$key]}

    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        if [[ $command == meter && ${words[i]} != -?* ]]; then
            return # the program's own words
        elif [[ ${words[i]} == -- ]]; then
            options=''
            [[ $command == meter ]] || break
        elif [[ ${words[i]} == -?* ]]; then
            argument=$(_dmm_argument "$key" "${words[i]}")
            if [[ -n $argument ]] && ((++i == ${#words[@]} - 1)); then
                _dmm_value "${words[0]}" "$argument" "$word"
                return
            fi
        elif [[ -z $command ]]; then
            command=${words[i]}
            key="$program $command"
            options=${_dmm_options[$key]:-}
            [[ -n $options ]] || return
        fi
    done

    if [[ $word == -* ]]; then
        _dmm_offer "$word" "${options// /$'\n'}"
    elif [[ -z $command ]]; then
        _dmm_offer "$word" "${_dmm_commands[$program]// /$'\n'}"
    elif [[ $command == meter ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}
