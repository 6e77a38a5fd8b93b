#!/bin/sh
# SPDX-License-Identifier: MIT
# completion_shells.sh FOLDER DMM: checks that the completions of zsh and fish name every command and option of --help, and,
# where these shells are installed, what fish offers and that zsh reads the file.
set -u
folder=$1
dmm=$2
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# has TEXT FILE WHAT: fails unless the file contains the text.
has() {
    grep -qF -e "$1" "$2" || fail "$2 lacks $3"
}

commands=$("$dmm" --help | sed -nE 's/^  ([a-z]+) {2,}[a-z].*/\1/p')
for command in $commands; do
    has "'$command:" "$folder/_dmm" "$command"
    has "-a $command " "$folder/dmm.fish" "$command"
    sed -n "/^    ($command) /,/;;/p" "$folder/_dmm" >"$$.zsh"
    grep -e "from $command'" -e '^complete -c dmm -[sl]' "$folder/dmm.fish" >"$$.fish"
    for option in $("$dmm" "$command" --help | sed -nE 's/^  (-., |    )--([a-z-]+).*/\2/p'); do
        has "--$option" "$$.zsh" "$command --$option"
        has "-l $option " "$$.fish" "$command --$option"
    done
done
rm -f "$$.zsh" "$$.fish"

# offers LINE WANTED: fails unless fish offers these words.
offers() {
    got=$(fish --no-config -c "source $folder/dmm.fish; complete -C '$1'" | cut -f 1 | tr '\n' ' ')
    [ "$got" = "$2 " ] || fail "fish offers '$got' for '$1', not '$2'"
}
if command -v fish >/dev/null; then
    offers 'dmm so' sort
    offers 'dmm sort --meth' --method
    offers 'dmm sort --method ' 'auto merge network radix'
    offers 'dmm sort -t i' 'i8 i16 i32 i64'
fi
if command -v zsh >/dev/null; then
    zsh -n "$folder/_dmm" || fail 'zsh does not read _dmm'
fi
[ $failed = 0 ] && echo 'every command and option is named'
exit $failed
