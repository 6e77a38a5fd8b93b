// SPDX-License-Identifier: MIT
// The C++ of dmm: host arrays in one call, and your own queue and buffers by the classes of
// <dmm/dmm.hpp> and <CL/opencl.hpp>.
#include <iostream>
#include <vector>

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION  120
#include <CL/opencl.hpp>
#include <dmm/dmm.hpp>

// Sorts particles by the numbers of their cells, behind the event of the kernel that found them.
static cl::Event sort_by_cell(const dmm::context &dmm, const cl::CommandQueue &queue,
    const cl::Buffer &cells, const cl::Buffer &particles, const cl::Event &found, cl_uint n)
{
    dmm::sort_desc<cl_uint, cl_float2> desc;
    desc.bits = {0, 12};
    const dmm::object<dmm_sort> sort(dmm, desc);
    dmm_sort_args args = {};
    args.keys_in = args.keys_out = dmm::span(cells);
    args.values_in = args.values_out = dmm::span(particles);
    return cl::Event(sort.enqueue(queue, args, {found}, n).release());
}

int main()
{
    std::vector<float> numbers = {2.5F, -1, 8, -7};
    std::vector<cl_uint> cells = {7, 1, 4};
    std::vector<cl_float2> particles = {{{7, 0}}, {{1, 0}}, {{4, 0}}};
    try {
        const dmm::context dmm;
        dmm::sort(dmm, numbers);
        for (const float number : numbers)
            std::cout << number << ' ';

        const cl::Context context(dmm_context_cl(dmm), true);
        const cl::CommandQueue queue(context);
        const cl::Buffer keys(context, cells.begin(), cells.end(), false);
        const cl::Buffer values(context, particles.begin(), particles.end(), false);
        cl::Event found;
        queue.enqueueMarkerWithWaitList(nullptr, &found);
        const std::vector<cl::Event> sorted(1, sort_by_cell(dmm, queue, keys, values, found, 3));
        queue.enqueueReadBuffer(
            values, CL_TRUE, 0, 3 * sizeof(cl_float2), particles.data(), &sorted);
        for (const cl_float2 &particle : particles)
            std::cout << particle.s[0] << ' ';
        std::cout << '\n';
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return particles[0].s[0] == 1 && particles[2].s[0] == 7 ? 0 : 1;
}
