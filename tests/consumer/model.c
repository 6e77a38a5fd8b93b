/* SPDX-License-Identifier: MIT */
/* A program outside the project that counts one lock-step through the installed model library. */
#include <stdio.h>

#include <dmm-model/dmm-model.h>

int main(void)
{
    dmm_model_access accesses[32];
    dmm_model_reading reading;
    for (uint32_t lane = 0; lane < 32; lane++)
        accesses[lane] = (dmm_model_access){8 * lane, 4, lane};
    const dmm_model_local memory = {0};
    const dmm_model_status status =
        dmm_model_local_step(&reading, &memory, DMM_MODEL_READ, accesses, 32);
    if (status != DMM_MODEL_OK) {
        fprintf(stderr, "model: %s\n", dmm_model_status_string(status));
        return 1;
    }
    printf("a stride of two words: %u passes\n", reading.passes);
    return reading.passes == 2 ? 0 : 1;
}
