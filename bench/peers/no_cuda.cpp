/* SPDX-License-Identifier: MIT */
/*
 * Without CUDA.
 */
#include "peers/peers.h"

peer_cuda *peer_cuda_make(const void *, size_t, const void *, size_t, const void *, size_t)
{
    return nullptr;
}

void peer_cuda_free(peer_cuda *)
{
}

void peer_cuda_prepare(peer_cuda *, peer_cuda_algorithm)
{
}

int peer_cuda_run(peer_cuda *, peer_cuda_algorithm, peer_items, size_t, uint32_t)
{
    return 0;
}

void peer_cuda_read(const peer_cuda *, void *, size_t, void *)
{
}
