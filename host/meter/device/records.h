/* SPDX-License-Identifier: MIT */
/*
 * The records of a launch, between the kernels (prelude.clh) and the layer.
 *
 * The pool is an array of slots of 16 bytes, divided into regions: a head, the records, and a slot
 * for those without a place. The first region holds what follows, and what the groups write that
 * are not metered; then each metered group has one for each work-item. The first two slots are four
 * numbers: the records that a region has place for, the stride of the groups that are metered, the
 * work-items of a group, and the launch's number. A region's head is the number of records that the
 * work-item made, and the launch's number, written when it ends. A record is
 *
 *   path << 20 | site      path >> 44 << 52 | address     an access: 56 bits of the path
 *   n << 20 | an event     a number
 */
#ifndef DMM_METER_RECORDS_H
#define DMM_METER_RECORDS_H

#include <cstdint>

namespace meter
{

enum Event : uint32_t {
    EVENT_NONE,
    EVENT_BARRIER,
    EVENT_BASE, /* array n begins at that address */
    EVENT_CALL, /* by call n */
    EVENT_RETURN,
    EVENT_OPERATIONS, /* the work-item executed so many instructions */
    EVENTS,           /* sites begin here */
};

constexpr unsigned SITE_BITS = 20, ADDRESS_BITS = 52, HEAD_SLOTS = 2,
                   REGION_SLOTS = 2 /* beside records */;
constexpr uint32_t SITES_MAX = 1u << SITE_BITS;
constexpr uint32_t STATIC_ARRAYS = 1u
                                   << 16; /* numbers of arrays that are no arguments begin here */

} // namespace meter

#endif
