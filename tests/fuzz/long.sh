#!/bin/sh
# SPDX-License-Identifier: MIT
# long.sh CLANG SOURCE BUILD [SECONDS]: runs libFuzzer with the address and undefined-behaviour sanitizers on the
# readers of files (readers.c), starting from the corpus, for SECONDS (default 1200). Leaves new inputs and crashes in
# the current folder.
set -eu
clang=$1 source=$2 build=$3 seconds=${4:-1200}
"$clang" -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o fuzz_readers \
    -I "$source/include" -I "$source/host" -I "$source" -I "$build/host" -iquote "$source/host/cli" "$source/tests/fuzz/readers.c" \
    "$source"/host/cli/npy.c "$source"/host/cli/index_file.c "$source"/host/cli/text.c "$source"/host/cli/number_parse.c "$source"/host/core/cache.c \
    "$source"/host/core/tuning_rows.c "$source"/host/core/tuning.c "$source"/host/primitives/permute/plan_file.c \
    "$build/host/libdmm_cli_parts.a" "$build/host/libdmm.a" -lOpenCL -lpthread -lm
mkdir -p found
exec ./fuzz_readers -max_total_time="$seconds" -max_len=4096 -print_final_stats=1 found "$source/tests/fuzz/corpus"
