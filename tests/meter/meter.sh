#!/bin/sh
# SPDX-License-Identifier: MIT
# meter.sh CASE DMM PROGRAMS: tests `DMM meter` on the programs built in the folder PROGRAMS.
set -eu

case=$1 dmm=$2 programs=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work/tmp"
mkdir "$TMPDIR"
known="$programs/meter_known $here/known.cl"
unset DMM_SET DMM_DEVICE OCLGRIND_BUILD_OPTIONS

fail() {
    echo "$case: $1" >&2
    exit 1
}

# expect STATUS TEXT COMMAND...: fails unless COMMAND exits with STATUS and prints TEXT.
expect() {
    status=$1 text=$2
    shift 2
    got=0
    "$@" >"$work/out" 2>&1 || got=$?
    [ "$got" = "$status" ] || { cat "$work/out"; fail "exit status $got, not $status: $*"; }
    grep -qF -- "$text" "$work/out" || { cat "$work/out"; fail "no '$text' from: $*"; }
}

# rows FILE.json KEY FIELD...: prints "<kernel> <fields> <text>" for each row that has KEY.
rows() {
    file=$1 key=$2
    shift 2
    awk -v key="\"$key\":" -v fields="$*" '
        function field(name) {
            match($0, "\"" name "\": \"?[^,\"]*")
            value = substr($0, RSTART, RLENGTH)
            sub(/.*: "?/, "", value)
            return value
        }
        /"name":/ { kernel = field("name") }
        index($0, key) && match($0, /"text": ".*"}/) {
            text = substr($0, RSTART + 9, RLENGTH - 11)
            line = kernel
            count = split(fields, names, " ")
            for (i = 1; i <= count; i++)
                line = line " " field(names[i])
            print line, text
        }' "$file"
}

# numbers FILE.json: prints <kernel> <space> <kind> <steps> <passes> <needed> <worst> <text> for each row.
numbers() {
    rows "$1" space space kind steps passes needed worst
}

# pages FILE.json: prints <kernel> <kind> <translations> <walks> <insertions> <text> for each row.
pages() {
    rows "$1" translations kind translations walks insertions
}

# check_marks SIGN READINGS [PROGRAM]: compares each row of READINGS whose text has a mark, SIGN and what follows the kernel's
# name, with it. Rows whose words, such as `local read`, differ from the mark's have none of their own.
check_marks() {
    awk -v sign="$1" '
        match($0, sign " [a-z]+( [a-z0-9]+)+") {
            count = split(substr($0, RSTART + 2, RLENGTH - 2), mark, " ")
            differs = 0
            for (i = 1; i <= count; i++)
                if (mark[i] != $(i + 1)) {
                    if (mark[i] !~ /^[0-9]+$/)
                        next
                    differs = 1
                }
            if (differs)
                print "differs from its mark: " $0
            right += !differs
        }
        END { print right " marks are right" }' "$2" >"$work/checked"
    marks=$(grep -c "/\* $1 " "${3:-$here/known.cl}")
    [ "$(cat "$work/checked")" = "$marks marks are right" ] ||
        { cat "$work/checked"; fail "expected $marks right marks"; }
}

# Compares the reading of each marked line of known.cl with its mark, with and without optimisation.
known_answers() {
    kernels=$(sed -n 's/^kernel void \([a-z_0-9]*\)(.*/\1/p' "$here/known.cl")
    for options in "" -cl-opt-disable; do
        env KNOWN_OPTIONS="$options" "$dmm" meter --json "$work/json" $known $kernels >"$work/table"
        numbers "$work/json" >"$work/numbers"
        check_marks @ "$work/numbers"
    done
}

# Compares integer intrinsics that Oclgrind lacks, and the meter adds, with the same numbers computed in other ways.
intrinsics() {
    words=$(sed -n 's/^AGREE(\([a-z_0-9]*\),.*/\1/p' "$here/intrinsics.cl")
    for word in $words; do
        set -- "$programs/meter_known" "$here/intrinsics.cl" "$word"
        expect 1 "Undefined external function: llvm.$(echo "${word%_*}" | tr _ .)" oclgrind "$@"
        expect 0 "0 conflicts" "$dmm" meter --fail-on-conflict "$@"
        expect 4 "31 conflicts" env KNOWN_OPTIONS="-D PLANTED=1" "$dmm" meter --fail-on-conflict "$@"
    done
    same --calls "$programs/meter_known" "$here/intrinsics.cl" $words
}

strides() {
    kernels=$(seq -f 'stride_%.0f' 1 33)
    "$dmm" meter --json "$work/json" $known $kernels >"$work/table"
    numbers "$work/json" | awk '
        function gcd(a, b) { return b ? gcd(b, a % b) : a }
        $2 == "local" {
            stride = substr($1, 8)
            seen++
            if ($4 != 1 || $5 != gcd(32, stride) || $6 != 1 || $7 != $5)
                bad = bad " " $0
        }
        END { if (seen != 33 || bad) { print seen, bad; exit 1 } }' || fail "wrong readings"
}

# passes ARGUMENTS...: prints the passes of the only local line of a run.
passes() {
    "$dmm" meter --json - "$@" >"$work/json"
    numbers "$work/json" | awk '$2 == "local" { print $5 }'
}

machines() {
    [ "$(passes --banks 16 $known stride_16)" = 32 ] || fail "16 banks"
    [ "$(passes --banks 16 --lanes 16 $known stride_16)" = 32 ] || fail "16 banks, 16 lanes"
    [ "$(passes --banks 7 --lanes 7 $known stride_7)" = 32 ] || fail "7 banks"
    [ "$(passes --word 8 $known stride_2)" = 1 ] || fail "words of 8 bytes"
    [ "$(passes --device-like amd $known stride_2)" = 2 ] || fail "amd"
    [ "$(passes --device-like intel-gen $known same_word)" = 32 ] || fail "intel-gen"
    [ "$(passes $known broadcast)" = 1 ] || fail "broadcast"
    [ "$(passes --erew $known broadcast)" = 32 ] || fail "--erew: reads"
    [ "$(passes --erew $known same_word)" = 32 ] || fail "--erew: writes"
    [ "$(passes $known same_word)" = 1 ] || fail "writes to one word are not merged"
    expect 0 '"segment_bytes": 128' "$dmm" meter --segment 128 --json - $known scattered
    expect 1 "from 1 to 256" "$dmm" meter --banks 257 $known broadcast
    expect 1 "power of two" "$dmm" meter --segment 33 $known broadcast
    expect 1 "is none of nvidia|amd" "$dmm" meter --device-like abacus $known broadcast
}

# Tests a line of a function that is called from two places.
calls() {
    expect 0 "known.cl:$(grep -n 'return words\[at\]' "$here/known.cl" | cut -d: -f1) read" \
        "$dmm" meter --calls --json "$work/json" $known call_path
    outer=$(grep -n 's = look(' "$here/known.cl" | cut -d: -f1)
    inner=$(grep -n 's += look(' "$here/known.cl" | cut -d: -f1)
    grep -q "\"steps\": 1, \"passes\": 16, .*\"calls\": \"known.cl:$outer\"" "$work/json" ||
        fail "the call outside the loop"
    grep -q "\"steps\": 5, \"passes\": 20, .*\"calls\": \"known.cl:$inner\"" "$work/json" ||
        fail "the call in the loop"
}

# Tests a program in the style of a vendor's sample: two kernels, two-dimensional work-groups.
sample() {
    expect 0 PASSED "$dmm" meter --json "$work/json" "$programs/meter_transpose"
    numbers "$work/json" | awk '$2 == "local" { print $1, $3, $4, $5, $6, $7 }' >"$work/numbers"
    cat >"$work/want" <<END
transpose_plain read 384 12288 384 32
transpose_plain write 384 384 384 1
transpose_padded read 384 384 384 1
transpose_padded write 384 384 384 1
END
    diff "$work/want" "$work/numbers" || fail "wrong readings"
    expect 4 "conflicts in 768 local steps" \
        "$dmm" meter --fail-on-conflict "$programs/meter_transpose"
    expect 0 "transpose_padded" "$dmm" meter --fail-on-conflict --kernel '*_padded' \
        "$programs/meter_transpose"
    ! grep -q transpose_plain "$work/out" || fail "shows a kernel that --kernel does not match"
}

pictures() {
    expect 0 hidden_guard "$dmm" meter --svg "$work/worst.svg" $known hidden_guard stride_2
    grep -q '>hidden_guard<' "$work/worst.svg" || fail "the worst line is not drawn"
    [ "$(grep -c '<title>step' "$work/worst.svg")" = 32 ] || fail "not 32 cells of steps"
    grep -q '<title>step 32, bank 31: 32<' "$work/worst.svg" || fail "the last step has a wrong value"
    expect 0 stride_2 \
        "$dmm" meter --kernel stride_2 --svg "$work/chosen.svg" $known hidden_guard stride_2
    [ "$(grep -c 'bank [0-9]*: 2<' "$work/chosen.svg")" = 16 ] || fail "the chosen kernel is not drawn"
    expect 1 "nothing to draw" "$dmm" meter --svg "$work/none.svg" $known no_local
    [ ! -e "$work/none.svg" ] || fail "leaves an empty picture"
}

# insertions ARGUMENTS...: prints the insertions of the only global line of a run.
insertions() {
    "$dmm" meter --translation --json - "$@" >"$work/json"
    pages "$work/json" | awk '{ print $5 }'
}

# trace NAME ARGUMENTS...: writes <kernel> <launches> <digest> of a call of $program to NAME.trace. The digest has every
# address of every work-item, in its order, and the number of each launch among all launches.
trace() {
    name=$1
    shift
    "$dmm" meter --digest --json "$work/json" -- "$program" --set form=gpu,u=32,E=4,banks=32 "$@" -o "$work/sorted.bin" \
        >"$work/table" || { cat "$work/table"; fail "$*"; }
    sed -n 's/.*"name": "\([^"]*\)", "launches": \([0-9]*\),.*/\1 \2/p; s/.*"digest": "\([^"]*\)".*/\1/p' \
        "$work/json" >"$work/$name.trace"
}

# Counts the digests in trace a, and compares the traces of random, sorted and equal keys.
same_traces() {
    [ "$(grep -cE '^[0-9a-f]{16}$' "$work/a.trace")" = "$1" ] || { cat "$work/a.trace"; fail "not $1 digests"; }
    cmp "$work/a.trace" "$work/b.trace" || fail "sorted keys have another trace"
    cmp "$work/a.trace" "$work/c.trace" || fail "equal keys have another trace"
}

# A digest tells apart what counts do not: reads of other words, in another order, in another launch.
digests() {
    digest_of() {
        "$dmm" meter --digest $known "$@" | sed -n 's/  digest of its accesses: //p'
    }
    [ "$(digest_of stride_2)" = "$(digest_of stride_2)" ] || fail "a digest is not the same again"
    [ "$(digest_of stride_2)" != "$(digest_of stride_4)" ] || fail "other words have the same digest"
    [ "$(digest_of stride_1)" != "$(digest_of stride_1 stride_1 | tail -n 1)" ] || fail "two launches are as one"
    [ "$(digest_of stride_1 stride_3)" != "$(digest_of stride_3 stride_1)" ] || fail "the order of launches is lost"
    [ "$(digest_of broadcast | wc -c)" = 17 ] || fail "not 16 digits"
    "$dmm" meter $known stride_2 >"$work/out"
    ! grep -q digest "$work/out" || fail "a digest without --digest"
}

# A sort by network accesses memory as n says, whatever the keys and values are; one by merge does not.
oblivious() {
    digests
    program=$dmm
    awk 'BEGIN { srand(5); for (i = 0; i < 2100; i++) print int(rand() * 1000000000) }' >"$work/a.txt"
    seq 2100 >"$work/b.txt"
    yes 7 | head -n 2100 >"$work/c.txt"
    for values in "" "--argsort --values-out $work/values.bin"; do
        for file in a b c; do
            trace $file sort -t u32 --method network $values "$work/$file.txt"
        done
        grep -q '^dmm_sort_network [1-9]' "$work/a.trace" || fail "no launch of the network"
        same_traces 1
    done
    trace a sort -t u32 --method merge "$work/a.txt"
    trace b sort -t u32 --method merge "$work/b.txt"
    ! cmp -s "$work/a.trace" "$work/b.trace" || fail "the traces of merge do not differ"
    program=$dmm-lab
    [ -x "$program" ] || return 0 # a build without it
    for file in a b c; do
        trace $file network odd-even -n 300 --run "$work/$file.txt" -t u32
    done
    same_traces 1
}

# Tests translations of kernels with known pages, on several machines.
translations() {
    kernels=$(sed -n 's/^kernel void \(pages_[a-z_]*\)(.*/\1/p' "$here/known.cl")
    "$dmm" meter --translation --json "$work/json" $known $kernels >"$work/table"
    grep -q "pages of 4 KiB, 64 nodes, LRU" "$work/table" || fail "no table of translations"
    pages "$work/json" >"$work/pages"
    check_marks '&' "$work/pages"
    # 16 pages in turn: LRU misses all of them with fewer than 4 + 16 nodes, and hits all with 20
    [ "$(insertions --tlb 19 $known pages_in_turn)" = 36 ] || fail "19 nodes"
    [ "$(insertions --tlb 20 $known pages_in_turn)" = 20 ] || fail "20 nodes"
    [ "$(insertions --tlb 5 --policy islru $known pages_in_turn)" = 36 ] || fail "ISLRU"
    # MIN keeps leaves 0 to 6 and 15 of the 16: they hit in the second round
    [ "$(insertions --tlb 12 --policy min $known pages_in_turn)" = 28 ] || fail "MIN"
    [ "$(insertions --tlb 12 --policy ismin $known pages_in_turn)" = 28 ] || fail "ISMIN"
    [ "$(insertions --pages 64K $known pages_at_random)" = 5 ] || fail "pages of 64 KiB"
    [ "$(insertions --pages 2M $known pages_at_random)" = 4 ] || fail "pages of 2 MiB"
    # a random page of 16 misses the 8 in the cache half of the time: 2048 +- 5 standard deviations
    random=$(insertions --tlb 12 $known pages_at_random)
    [ "$random" -gt 1888 ] && [ "$random" -lt 2208 ] || fail "$random insertions at random"
    # 32 random accesses to 64 pages touch 64 (1 - (63/64)^32) of them: 51891 in 2048 steps
    "$dmm" meter --translation --json "$work/json" "$programs/meter_scatter" >"$work/table"
    random=$(pages "$work/json" | awk '$2 == "write" { print $3 }')
    [ "$random" -gt 51391 ] && [ "$random" -lt 52391 ] || fail "$random translations at random"
    # a step scatters within one page
    "$dmm" meter --translation --json "$work/json" "$programs/meter_scatter" 65536 64 >"$work/table"
    [ "$(pages "$work/json" | awk '$2 == "write" { print $3, $4, $5 }')" = "2048 64 65" ] ||
        fail "a scatter by pages"
    # every launch begins with an empty cache
    [ "$(insertions $known pages_in_turn pages_in_turn)" = 40 ] || fail "two launches"
    for resident in 1 3 100; do
        "$dmm" meter --translation --resident $resident --json - "$programs/meter_transpose" |
            grep -c '"translations": 384, ' >"$work/count"
        [ "$(cat "$work/count")" = 4 ] || fail "$resident groups at once"
    done
    expect 1 "goes from 5" "$dmm" meter --translation --tlb 4 $known broadcast
    expect 0 "4 nodes, LRU" "$dmm" meter --translation --tlb 4 --pages 2M $known broadcast
    expect 1 "none of 4K|64K|2M" "$dmm" meter --translation --pages 1G $known broadcast
    expect 1 "from 1 to" "$dmm" meter --resident 0 $known broadcast
}

# costs KERNEL: prints <DMM time> <UMM time> <ATGPU blocks> <PEM blocks> of one launch, latency 10.
costs() {
    "$dmm" meter --models --latency 10 --json - $known "$1" | sed -n \
        's/.*"dmm_time": \([0-9]*\), "umm_time": \([0-9]*\), "atgpu_operations": [0-9]*, "atgpu_blocks": \([0-9]*\), "pem_blocks": \([0-9]*\).*/\1 \2 \3 \4/p'
}

# With one warp, a step of k passes takes k + latency - 1 time units.
models() {
    [ "$(costs one_bank)" = "51 13 4 4" ] || fail "one_bank"
    [ "$(costs broadcast)" = "10 13 4 4" ] || fail "broadcast"
    [ "$(costs pages_by_lane)" = "0 54 36 36" ] || fail "pages_by_lane"
    # 8 warps per group, 4 segments per step, 12 groups: 384 steps read and 384 write
    "$dmm" meter --models --latency 1 --json "$work/json" "$programs/meter_transpose" >"$work/table"
    grep -q '"umm_time": 3072, .*"atgpu_blocks": 3072, "pem_blocks": 32' "$work/json" ||
        fail "latency 1: not one time unit per segment"
    grep -q "ATGPU: 12288 words to the device in 1 transfer, 24576 from it in 2, 2 rounds" "$work/table" ||
        fail "wrong counts of words between host and device"
    expect 0 "In other models, latency 100" "$dmm" meter --models $known broadcast
    expect 1 "--latency" "$dmm" meter --models --latency 0 $known broadcast
}

failures() {
    expect 2 "ended by signal 11" "$dmm" meter $known one_bank crash
    expect 2 "one_bank: 1 launch" "$dmm" meter $known one_bank crash
    expect 2 "failed with exit status 3" "$dmm" meter --fail-on-conflict $known one_bank fail
    expect 1 "ran no kernel" "$dmm" meter $known
    expect 1 "made no OpenCL context" "$dmm" meter true
    expect 1 "no such program" "$dmm" meter ./no_such_program
    expect 1 "did: broadcast" "$dmm" meter --kernel cast $known broadcast
    expect 2 "install the package oclgrind" env PATH=/nowhere "$dmm" meter --engine oclgrind $known broadcast
    expect 2 "names no file" env DMM_METER_PLUGIN=/nowhere "$dmm" meter --engine oclgrind $known broadcast
    expect 1 "cannot create a file" "$dmm" meter --json /nowhere/json $known broadcast
    expect 4 "accesses are not counted" env DMM_METER_TRACE_MB=1 \
        "$dmm" meter --fail-on-conflict $known long_loop
    [ -z "$(ls -A "$TMPDIR")" ] || fail "leaves readings behind"
}

# Tests the settings that a metered program gets from the meter, and a dmm kernel that was built for other banks.
environment() {
    expect 1 "E=15,,banks=16,lanes=8" env DMM_SET=E=15 "$dmm" meter --banks 16 --lanes 8 env
    expect 1 "--banks and --lanes" "$dmm" --set banks=16 meter $known broadcast
    expect 0 "was built for 16 banks" env KNOWN_OPTIONS="-D DMM_W=16" "$dmm" meter $known broadcast
    expect 0 "broadcast" env KNOWN_OPTIONS="-D DMM_W=16" "$dmm" meter --banks 16 $known broadcast
    ! grep -q "was built for" "$work/out" || fail "warns about matching banks"
}

# same ARGUMENTS...: fails unless both engines give the same reading, but for the host's transfers.
same() {
    for engine in oclgrind driver; do
        "$dmm" meter --engine $engine --json "$work/$engine.json" "$@" >"$work/$engine.table" 2>"$work/$engine.log" ||
            { cat "$work/$engine.log"; fail "engine $engine: exit status $?"; }
        grep -v '"to_device_bytes"' "$work/$engine.json" >"$work/$engine.reading"
    done
    diff "$work/oclgrind.reading" "$work/driver.reading" || fail "the engines differ on: $*"
}

# Compares the readings of the engines, kernel by kernel and line by line.
engines() {
    "$dmm" meter --check --engine driver >"$work/out" || { cat "$work/out"; fail "the driver's engine lacks a part"; }
    kernels=$(sed -n 's/^kernel void \([a-z_0-9]*\)(.*/\1/p' "$here/known.cl")
    same --calls --models --translation $known $kernels
    KNOWN_OPTIONS=-cl-opt-disable same --calls --models $known call_path ragged_loops rounds wide_16 vector_load
    same --device-like intel-gen --models "$programs/meter_transpose"
    same --device-like amd --translation "$programs/meter_scatter"
    # the loads of a merge: clang would compare their bounds in vectors of 32 elements, which OpenCL C lacks
    seq 5000 >"$work/keys.txt"
    DMM_SET=form=gpu,u=128,E=16 POCL_MEMORY_LIMIT=1 POCL_MAX_PTHREAD_COUNT=1 \
        same "$dmm" merge -t f32 "$work/keys.txt" "$work/keys.txt" -o "$work/merged.bin"
    expect 1 "ran no kernel" "$dmm" meter --engine driver $known
    expect 2 "names no file" env DMM_METER_LAYER=/nowhere "$dmm" meter --engine driver $known broadcast
    expect 0 "without the meter: /nowhere does not start" \
        env DMM_METER_CLANG=/nowhere sh -c "$dmm meter --engine driver $known broadcast 2>&1 || :"
    # each of 12 groups has 256 records: one of them
    "$dmm" meter --engine driver --groups 1 --json - "$programs/meter_transpose" | grep -q '"steps": 32, ' ||
        fail "--groups 1 does not meter one group"
    expect 4 "accesses are not counted" env DMM_METER_TRACE_MB=1 \
        "$dmm" meter --engine driver --fail-on-conflict $known long_loop
    [ -z "$(ls -A "$TMPDIR")" ] || fail "leaves files behind"
}

# Tests the list of what the engines need, with each part missing.
needs() {
    layer=${DMM_METER_LAYER:?}
    expect 0 "chosen: driver, which has all it needs" "$dmm" meter --check --engine driver
    expect 2 "missing: install the package oclgrind" env PATH=/nowhere "$dmm" meter --check --engine oclgrind
    expect 2 "with liboclgrind-dev" env DMM_METER_PLUGIN=/nowhere "$dmm" meter --check --engine oclgrind
    expect 2 "with llvm-19-dev" env DMM_METER_LAYER=/nowhere "$dmm" meter --check --engine driver
    cp "$layer" "$work/libdmm_meter_layer.so"
    expect 2 "LLVM's headers" env DMM_METER_LAYER="$work/libdmm_meter_layer.so" "$dmm" meter --check --engine driver
    expect 2 "missing: install clang-" env DMM_METER_CLANG=/nowhere "$dmm" meter --check --engine driver
    expect 2 "or pocl-opencl-icd" env OCL_ICD_VENDORS=/nowhere OPENCL_VENDOR_PATH=/nowhere "$dmm" meter --check --engine driver
    mkdir "$work/lib"
    : >"$work/lib/libOpenCL.so.1"
    expect 2 "missing: install ocl-icd-libopencl1" \
        env LD_LIBRARY_PATH="$work/lib" "$dmm" meter --check --engine driver
    # a loader without layers: this system's, with another name for the variable
    loader=$("$dmm" meter --check --engine driver | sed -n 's/.*loader libOpenCL.so.1 *//p')
    LC_ALL=C sed 's/OPENCL_LAYERS/OPENCL_LATERS/' "$loader" >"$work/lib/libOpenCL.so.1"
    expect 2 "install ocl-icd-libopencl1 2.3 or later" \
        env LD_LIBRARY_PATH="$work/lib" "$dmm" meter --check --engine driver
    # which --preload does without
    expect 0 "31 conflicts" \
        env LD_LIBRARY_PATH="$work/lib" "$dmm" meter --engine driver --preload $known one_bank
    expect 1 "needs --preload" env LD_LIBRARY_PATH="$work/lib" "$dmm" meter --engine driver $known one_bank
    # without Oclgrind, the driver is the usual engine
    expect 0 "chosen: driver" env -u DMM_METER_ENGINE PATH=/nowhere "$dmm" meter --check
    # with no binary to keep, for which PoCL calls a linker
    expect 0 "31 conflicts" env -u DMM_METER_ENGINE PATH=/nowhere DMM_METER_CACHE=0 "$dmm" meter $known one_bank
}

# What cannot be metered runs unchanged, and is named with the reason.
unmetered() {
    program=$programs/meter_unmetered
    expect 0 "of_source: 1 launch" "$dmm" meter --engine driver "$program" source binary linked printf
    grep -q PASSED "$work/out" || fail "a kernel gave a wrong result"
    for reason in "of_binary runs without the meter: its program was made from a binary" \
        "of_parts runs without the meter: its program was linked" "with_printf runs without the meter: it calls printf"; do
        grep -q "kernel $reason" "$work/out" || { cat "$work/out"; fail "no '$reason'"; }
    done
    expect 1 "of_driver runs without the meter: it is built into the driver" \
        env OPENCL_LAYERS="${STAND_IN:?}" "$dmm" meter --engine driver --preload "$program" built_in
    grep -q PASSED "$work/out" || fail "a kernel gave a wrong result"
    # a program of which no kernel can be metered
    expect 1 "its program was made from a binary" "$dmm" meter --engine driver "$program" binary
    grep -q PASSED "$work/out" || fail "a kernel gave a wrong result"
    # a driver that refuses what the rewriter wrote: the caller's text is built instead
    printf '#!/bin/sh\nfolder=$1\necho broken >"$folder/output.cl"\n: >"$folder/sites"\n' >"$work/rewrite"
    chmod +x "$work/rewrite"
    expect 1 "of_source runs without the meter: the driver's compiler refuses" \
        env DMM_METER_REWRITE="$work/rewrite" DMM_METER_CACHE=0 "$dmm" meter --engine driver "$program" source
    grep -q PASSED "$work/out" || fail "a kernel gave a wrong result"
    expect 1 "of_source runs without the meter: /nowhere failed" \
        env DMM_METER_REWRITE=/nowhere DMM_METER_CACHE=0 "$dmm" meter --engine driver "$program" source
    # some groups alone are metered, and the table says so
    expect 0 "1 of its 12 work-groups are metered" \
        "$dmm" meter --engine driver --groups 1 "$programs/meter_transpose"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "leaves files behind"
}

# spirv FILE.cl OUT OPTION...: compiles OpenCL C to SPIR-V.
spirv() {
    "$clang" -x cl -target spir64 -Xclang -finclude-default-header -Xclang -w -c -emit-llvm "$@"
}

# Programs in SPIR-V, which PoCL 3.1 takes none of: the same readings as of the source, line by line.
il() {
    "$dmm" meter --check --engine driver >"$work/check" || :
    clang=$(sed -n 's/^ *clang of LLVM [0-9]* *//p' "$work/check")
    translator=$(sed -n 's/^ *llvm-spirv, for programs in SPIR-V *//p' "$work/check")
    [ -x "$translator" ] || { echo "left out: $translator"; exit 77; }
    for name in known known_il; do
        for lines in -gline-tables-only -g0; do
            spirv -O0 -Xclang -disable-O0-optnone $lines -o "$work/bc" "$here/$name.cl"
            "$translator" -o "$work/$name$lines.spv" "$work/bc"
        done
    done
    known_il="$programs/meter_known $work/known-gline-tables-only.spv"
    kernels=$(sed -n 's/^kernel void \([a-z_0-9]*\)(.*/\1/p' "$here/known.cl")
    for options in "" -cl-opt-disable; do
        for program in "$known" "$known_il"; do
            KNOWN_OPTIONS="$options" "$dmm" meter --engine driver --json "$work/json" --models --translation \
                $program $kernels >"$work/table.$options${program##*/}"
            numbers "$work/json" >"$work/numbers"
            check_marks @ "$work/numbers"
        done
    done
    diff "$work/table.known.cl" "$work/table.known-gline-tables-only.spv" || fail "other readings of SPIR-V"
    # without lines, those of LLVM's IR; with the loader's layers, without, and by the extension
    for way in "" --preload; do
        expect 0 "input.ll:" "$dmm" meter --engine driver $way "$programs/meter_known" "$work/known-g0.spv" one_bank
        grep -q "31 conflicts in 2 local steps" "$work/out" && grep -q 'input.ll:.* write .* store i32' "$work/out" || { cat "$work/out"; fail "wrong readings without lines"; }
        expect 0 "31 conflicts in 2 local steps" env KNOWN_KHR=1 "$dmm" meter --engine driver $way $known_il one_bank
    done
    for stride in 1 2 32; do
        expect 0 ": $((stride - 1)) conflict" env KNOWN_CONSTANT=$stride \
            "$dmm" meter --engine driver "$programs/meter_known" "$work/known_il-g0.spv" specialized
    done
    # what SYCL's compilers make; a barrier of a sub-group is none of the work-group
    if command -v spirv-as >/dev/null; then
        spirv-as --target-env spv1.4 "$here/known_sycl.spvasm" -o "$work/known_sycl.spv"
        expect 0 "31 conflicts in 2 local steps" "$dmm" meter --engine driver "$programs/meter_known" "$work/known_sycl.spv" one_bank
        mkdir "$work/rewritten"
        sed '/%scope = /s/2$/3/' "$here/known_sycl.spvasm" | spirv-as --target-env spv1.4 -o "$work/rewritten/input.spv"
        "$(dirname "$DMM_METER_LAYER")/dmm-meter-rewrite" "$work/rewritten" --il || fail "not rewritten"
        grep -q ' *sub_group_barrier(' "$work/rewritten/output.cl" || fail "a barrier of a sub-group is another"
    else
        echo "left out: spirv-as not found"
    fi
    # C++, built with and without its optimiser
    for level in "-O0 -Xclang -disable-O0-optnone" "-O1 -Xclang -disable-llvm-passes" -O2; do
        # shellcheck disable=SC2086 # a list of words
        spirv $level -cl-std=clc++ -gline-tables-only -o "$work/bc" "$here/known_cpp.cl"
        "$translator" -o "$work/known_cpp.spv" "$work/bc"
        "$dmm" meter --engine driver --json "$work/json" "$programs/meter_known" "$work/known_cpp.spv" columns padded >"$work/table"
        numbers "$work/json" >"$work/numbers"
        check_marks @ "$work/numbers" "$here/known_cpp.cl"
    done
    # what does not build, and says so
    for bytes in 4 100; do
        head -c $bytes "$work/known-g0.spv" >"$work/damaged.spv"
        expect 2 "a program in SPIR-V does not run: " "$dmm" meter --engine driver "$programs/meter_known" "$work/damaged.spv" one_bank
    done
    expect 2 "the device takes no SPIR-V" env DMM_METER_LLVM_SPIRV=/nowhere "$dmm" meter --engine driver $known_il one_bank
    printf '#!/bin/sh\nexit 1\n' >"$work/fails"
    chmod +x "$work/fails"
    expect 2 "llvm-spirv does not translate it" env DMM_METER_CACHE=0 DMM_METER_LLVM_SPIRV="$work/fails" \
        "$dmm" meter --engine driver $known_il one_bank
    # a driver that takes SPIR-V itself, as a layer below: metered, or else unchanged, and named
    export OPENCL_LAYERS="${STAND_IN:?}" STAND_IN_SOURCE="$here/known.cl"
    expect 0 "31 conflicts in 2 local steps" "$dmm" meter --engine driver --preload $known_il one_bank
    expect 1 "one_bank runs without the meter: its program was made from IL (SPIR-V): install llvm-spirv-" \
        env DMM_METER_CACHE=0 DMM_METER_LLVM_SPIRV=/nowhere "$dmm" meter --engine driver --preload $known_il one_bank
    [ -z "$(ls -A "$TMPDIR")" ] || fail "leaves files behind"
}

# Times of kernels without records and with them: the program runs twice, and the readings are those without --time.
kernel_times() {
    for way in "" --preload; do
        "$dmm" meter --engine driver $way "$programs/meter_transpose" >"$work/untimed"
        "$dmm" meter --engine driver $way --time --json "$work/json" "$programs/meter_transpose" >"$work/timed"
        [ "$(grep -c "^  time: [0-9.]* ms, [0-9.]* ms with records$" "$work/timed")" = 2 ] || { cat "$work/timed"; fail "no times"; }
        grep -v "^  time: " "$work/timed" | diff "$work/untimed" - || fail "other readings, or the output twice"
        [ "$(grep -c '"time_ns": [1-9][0-9]*, "metered_ns": [1-9]' "$work/json")" = 2 ] || { cat "$work/json"; fail "no times in JSON"; }
    done
    expect 0 PASSED "$dmm" meter --engine driver --time "$programs/meter_newer" 5 plain
    grep -q "^  time: " "$work/out" || fail "no times of several threads"
    expect 2 "with exit status 3" "$dmm" meter --engine driver --time $known one_bank fail
    expect 1 "needs --engine driver" "$dmm" meter --engine oclgrind --time $known one_bank
    [ -z "$(ls -A "$TMPDIR")" ] || fail "leaves files behind"
}

# What is kept of a program: its text after the first run, PoCL's binary after the second. Damaged files are made again.
kept() {
    export XDG_CACHE_HOME="$work/cache"
    "$dmm" meter --engine driver "$programs/meter_transpose" >"$work/first"
    for files in 1 2 2; do
        [ "$(ls "$work/cache/dmm-meter" | wc -l)" = $files ] || fail "not $files files: $(ls "$work/cache/dmm-meter")"
        "$dmm" meter --engine driver "$programs/meter_transpose" | diff "$work/first" - || fail "other readings"
    done
    for file in "$work"/cache/dmm-meter/*; do
        cp "$file" "$work/whole"
        printf x | dd of="$file" bs=1 seek=300 conv=notrunc status=none
        ! cmp -s "$file" "$work/whole" || fail "no damage"
        "$dmm" meter --engine driver "$programs/meter_transpose" | diff "$work/first" - || fail "other readings of a damaged file"
        cmp "$file" "$work/whole" || fail "a damaged file stays"
    done
}

# On a driver whose blocking writes return before kernels of other queues see them.
late() {
    "$dmm" meter --engine driver "$programs/meter_transpose" >"$work/soon"
    LD_PRELOAD=$LIAR DMM_LIAR_LATE=1 "$dmm" meter --engine driver --preload "$programs/meter_transpose" >"$work/late"
    diff "$work/soon" "$work/late" || fail "other readings"
}

# Several threads with a queue each, and what OpenCL C 3.0 adds, where the device has it: 4 launches of 4 groups of 2 lane
# groups in each thread, whose steps in local memory take 2 passes.
newer() {
    for threads in 1 5; do
        expect 0 PASSED "$dmm" meter --engine driver --json "$work/json" "$programs/meter_newer" $threads plain sub_groups any_space
        ! grep -q "without the meter" "$work/out" || { cat "$work/out"; fail "a kernel is not metered"; }
        numbers "$work/json" | awk -v threads=$threads '
            $2 == "local" { seen[$1]++; bad += $4 != 32 * threads || $5 != 2 * $4 || $7 != 2 }
            END { exit bad || seen["plain"] != 2 }' || { numbers "$work/json"; fail "wrong readings"; }
        for kernel in sub_groups any_space; do
            grep -q "^no $kernel" "$work/out" || grep -q "\"$kernel\", \"launches\": $((4 * threads))," "$work/json" ||
                fail "no reading of $kernel"
        done
    done
}

# Pins the format of the readings: what the plugin writes, and what the command rejects.
format() {
    plugin=$(dirname "$dmm")/host/meter/libdmm_meter.so
    DMM_METER_RUNS=1 DMM_METER_READINGS="$work/readings" \
        oclgrind --plugins "${DMM_METER_PLUGIN:-$plugin}" $known one_bank
    grep -v '^text' "$work/readings" | tr '\t' ' ' | diff "$here/one_bank.readings" - || fail "the format of the readings has changed"
    # 40 lines before the first line with accesses, and after the last
    awk -F '\t' '$1 == "text" && $2 == "one_bank" && $4 == ++n { print $5 }' "$work/readings" >"$work/text"
    head -n 73 "$here/known.cl" | diff - "$work/text" || fail "another text of the program"
    mkdir "$work/bin"
    printf '#!/bin/sh\ncp "$FAKE" "$DMM_METER_READINGS"\n' >"$work/bin/oclgrind"
    chmod +x "$work/bin/oclgrind"
    FAKE="$work/fake" PATH="$work/bin:$PATH"
    export FAKE PATH
    cp "$work/readings" "$FAKE"
    expect 0 "31 conflicts" "$dmm" meter true
    sed 's/^dmm-meter\t2/dmm-meter\t3/' "$work/readings" >"$FAKE"
    expect 2 "another version" "$dmm" meter true
    grep -v ^done "$work/readings" >"$FAKE"
    expect 0 "the program ended in it" "$dmm" meter true
    for bytes in $(seq 1 7 "$(wc -c <"$work/readings")"); do
        head -c "$bytes" "$work/readings" >"$FAKE"
        "$dmm" meter true >"$work/out" 2>&1 || [ $? -le 2 ] || fail "wrong exit status for $bytes bytes"
    done
}

# Meters the collectives for other programs' kernels, for banks from 4 to 128, and the examples, each of which has a
# kernel of collectives and one as is usual.
collectives() {
    for shape in '16 4 4' '32 6 8' '32 7 16' '64 8 32' '64 15 64' '128 3 128'; do
        set -- $shape
        expect 0 'g: 3 launches' "$dmm" meter --banks "$3" --lanes "$3" --fail-on-conflict "$programs/meter_collectives" $shape
    done
    for wrong in block grid turn plan; do
        expect 4 'kernel' "$dmm" meter --fail-on-conflict "$programs/meter_collectives" 64 8 32 "$wrong"
    done
    for example in rows cells join spmv transpose common; do
        "$dmm" meter --json "$work/json" "$programs/../../examples/ex_group_$example" >"$work/out" ||
            fail "ex_group_$example: exit status $?"
        grep -q '^by_collectives: .* 0 conflicts' "$work/out" || { cat "$work/out"; fail "ex_group_$example has conflicts"; }
        grep -q '^by_[a-z_]*: .* [1-9][0-9]* conflicts' "$work/out" || { cat "$work/out"; fail "ex_group_$example: no conflict in the usual way"; }
    done
}

$case
