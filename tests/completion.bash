# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC1090,SC2034,SC2086
# completion.bash COMPLETION DMM [COMPLETION PROGRAM]...: checks what bash offers at the end of a line, for every command and
# kind of argument.
set -u
source "$1"
dmm=$2
failed=0

# offers LINE WANTED: fails unless the sorted completions of LINE are WANTED. LINE is split as readline does.
offers() {
    local wanted got
    read -ra COMP_WORDS <<<"${1//=/ = }"
    [[ $1 == *' ' || $1 == *= ]] && COMP_WORDS+=('')
    [[ $1 == *= ]] && unset 'COMP_WORDS[-1]'
    COMP_WORDS[0]=$dmm
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _dmm
    got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
    wanted=$(printf '%s\n' $2 | sort | tr '\n' ' ')
    [[ $got == "$wanted" ]] || {
        printf 'FAILED: %s\n  offers %s\n  not    %s\n' "$1" "$got" "$wanted"
        failed=1
    }
}

# Lists the long options of --help.
options() {
    "$dmm" "$@" --help | sed -nE 's/^  (-., |    )(--[a-z-]+).*/\2/p'
}

commands=$("$dmm" --help | sed -nE 's/^  ([a-z]+) {2,}[a-z].*/\1/p')
[[ $(wc -w <<<"$commands") -gt 10 ]] || failed=1
offers 'dmm ' "$commands"
offers 'dmm --' "$(options)"
for command in $commands; do
    offers "dmm $command --" "$(options "$command")"
    offers "dmm --verbose --set a=b $command --" "$(options "$command")"
done

offers 'dmm so' sort
offers 'dmm --set so=so s' "$(grep ^s <<<"$commands")"
offers 'dmm sort --meth' --method
offers 'dmm sort --method ' 'auto merge network radix'
offers 'dmm sort --method=' 'auto merge network radix'
offers 'dmm sort --method=r' radix
offers 'dmm sort a.npy --method m' merge
offers 'dmm sort -t f' 'f16 f32 f64'
offers 'dmm --cache x sort --type i6' i64
offers 'dmm hull --part l' lower
offers 'dmm meter --device-like amd' 'amd amd-rdna'
offers 'dmm meter --device-like amd -- dmm sort --method ' ''
offers 'dmm sort ' ''
offers 'dmm sort -- --m' ''
offers 'dmm sort --values-out ' ''
offers 'dmm no-such-command --' ''
numbers=$("$dmm" devices | sed -nE 's/^([0-9]+): .*/\1/p')
offers 'dmm --device 0' "$(grep ^0 <<<"$numbers")"
first=$("$dmm" devices | sed -nE 's/^0: (.*) \(.*/\1/p')
COMP_WORDS=("$dmm" sort --device "${first:0:3}") COMP_CWORD=3
_dmm
[[ ${COMPREPLY[0]} == "$(printf %q "$first")" ]] || {
    echo "FAILED: --device ${first:0:3} offers '${COMPREPLY[*]}', not '$first'"
    failed=1
}
complete -p dmm | grep -q -- '-F _dmm dmm' || failed=1

# Other programs, dmm-mpi or dmm-lab, in the same shell.
own=$2
shift 2
while [[ $# -ge 2 ]]; do
    source "$1"
    dmm=$2
    other=${2##*/}
    offers "$other s" "$("$dmm" --help | sed -nE 's/^  (s[a-z]+) {2,}[a-z].*/\1/p')"
    offers "$other --" "$(options)"
    offers "$other sort --" "$(options sort)"
    offers "$other sort --type u6" u64
    offers "$other --device 0" "$(grep ^0 <<<"$numbers")"
    complete -p "$other" | grep -q -- "-F _dmm $other" || failed=1
    [[ $other != dmm-lab ]] || offers 'dmm-lab sort --method ' 'gather matrix quick shear'
    shift 2
done
dmm=$own
offers 'dmm sort --meth' --method
[[ $failed == 0 ]] && echo 'every command and option is offered'
exit $failed
