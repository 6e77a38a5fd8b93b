/* SPDX-License-Identifier: MIT */
/* Includes everything: the statuses, the context, and one header per primitive. */
#ifndef DMM_DMM_H
#define DMM_DMM_H

#include <dmm/axis.h>
#include <dmm/cache.h>
#include <dmm/context.h>
#include <dmm/device.h>
#include <dmm/group.h>
#include <dmm/heap.h>
#include <dmm/hull.h>
#include <dmm/histogram.h>
#include <dmm/layout.h>
#include <dmm/lexsort.h>
#include <dmm/map.h>
#include <dmm/merge.h>
#include <dmm/merge_many.h>
#include <dmm/merge_stream.h>
#include <dmm/network.h>
#include <dmm/nth.h>
#include <dmm/partition.h>
#include <dmm/partition_stream.h>
#include <dmm/paths.h>
#include <dmm/permutation_plan.h>
#include <dmm/permute.h>
#include <dmm/reduce.h>
#include <dmm/reduce_by_key.h>
#include <dmm/reduce_segmented.h>
#include <dmm/run_length.h>
#include <dmm/scan.h>
#include <dmm/scan_by_key.h>
#include <dmm/scan_segmented.h>
#include <dmm/search.h>
#include <dmm/selftest.h>
#include <dmm/select.h>
#include <dmm/set.h>
#include <dmm/set_stream.h>
#include <dmm/shuffle.h>
#include <dmm/sort.h>
#include <dmm/sort_devices.h>
#include <dmm/sort_segmented.h>
#include <dmm/sort_stream.h>
#include <dmm/status.h>
#include <dmm/take.h>
#include <dmm/topk.h>
#include <dmm/topk_segmented.h>
#include <dmm/transpose.h>
#include <dmm/tuning.h>
#include <dmm/types.h>
#include <dmm/unique.h>
#include <dmm/unique_stream.h>
#include <dmm/version.h>
#include <dmm/warm.h>

#endif
