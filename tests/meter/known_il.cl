/* SPDX-License-Identifier: MIT */
/* A kernel whose stride is the specialization constant 7, as it is in SPIR-V alone. */
#ifdef __SPIR__
uint __attribute__((overloadable)) __spirv_SpecConstant(uint, uint);
#else
#define __spirv_SpecConstant(number, value) value
#endif

kernel void specialized(global uint *out, local uint *words)
{
    const uint t = get_local_id(0);
    out[t] = words[__spirv_SpecConstant(7, 2) * t];
}
