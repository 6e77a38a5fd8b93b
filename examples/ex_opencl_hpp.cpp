// SPDX-License-Identifier: MIT
// A C++ program with the objects of opencl.hpp: dmm takes what operator() of each of them gives.
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION  120
#include <CL/opencl.hpp>
#include <dmm/dmm.h>

static void require(dmm_status status)
{
    if (status != DMM_OK)
        throw std::runtime_error(dmm_status_string(status));
}

// The k largest of the floats, largest first.
static std::vector<float> largest(
    dmm_context *dmm, const cl::CommandQueue &queue, const cl::Buffer &keys, cl_uint n, cl_uint k)
{
    dmm_topk_desc desc = {};
    desc.order.type = DMM_F32;
    desc.order.descending = 1;
    dmm_topk *made = nullptr;
    require(dmm_topk_create(&made, dmm, &desc));
    const std::unique_ptr<dmm_topk, void (*)(dmm_topk *)> topk(made, dmm_topk_free);

    const cl::Buffer first(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, k * sizeof(float));
    dmm_topk_args args = dmm_topk_args();
    args.keys_in.buffer = keys();
    args.keys_out.buffer = first();
    cl::Event selected;
    require(dmm_topk_enqueue(topk.get(), queue(), &args, n, k, 0, nullptr, &selected()));

    std::vector<float> result(k);
    const std::vector<cl::Event> wait(1, selected);
    queue.enqueueReadBuffer(first, CL_TRUE, 0, k * sizeof(float), result.data(), &wait);
    return result;
}

int main()
{
    const cl_uint n = 100000;
    std::vector<float> numbers;
    for (cl_uint i = 0; i < n; i++)
        numbers.push_back(static_cast<float>(i * 7919u % n));
    try {
        dmm_device best;
        require(dmm_device_find(&best, nullptr));
        const cl::Device device(best.id, true);
        const cl::Context context(device);
        const cl::CommandQueue queue(context, device);
        const cl::Buffer keys(context, numbers.begin(), numbers.end(), true);

        dmm_context_desc desc = dmm_context_desc();
        desc.context = context();
        dmm_context *made = nullptr;
        require(dmm_context_create(&made, &desc));
        const std::unique_ptr<dmm_context, void (*)(dmm_context *)> dmm(made, dmm_context_free);
        const std::vector<float> found = largest(dmm.get(), queue, keys, n, 3);
        for (float number : found)
            std::cout << number << '\n';
        return found == std::vector<float>{99999, 99998, 99997} ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
