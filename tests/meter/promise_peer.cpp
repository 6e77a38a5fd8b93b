/* SPDX-License-Identifier: MIT */
/*
 * promise_peer radix|merge|pairs FILE.bin: sorts u32 keys with Boost.Compute, a sort that knows
 * nothing of banks, for the bank meter. radix: its sort for integers; merge: its sort for an order
 * of one's own; pairs: keys with values, which is radix again. Fails if the keys do not come out
 * sorted.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/system.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace compute = boost::compute;
using keys = std::vector<compute::uint_>;

static keys read_keys(const char *path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto bytes = static_cast<size_t>(file.tellg());
    keys result(bytes / sizeof(compute::uint_));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(result.data()),
        static_cast<std::streamsize>(result.size() * sizeof(compute::uint_)));
    if (!file)
        throw std::ios::failure("cannot read the keys");
    return result;
}

BOOST_COMPUTE_FUNCTION(bool, comes_before, (compute::uint_ a, compute::uint_ b), { return a < b; });

static void sort(
    const std::string &how, compute::vector<compute::uint_> &items, compute::command_queue &queue)
{
    if (how == "radix") {
        compute::sort(items.begin(), items.end(), queue);
    } else if (how == "merge") {
        compute::sort(items.begin(), items.end(), comes_before, queue);
    } else {
        compute::vector<compute::uint_> values(items.begin(), items.end(), queue);
        compute::sort_by_key(items.begin(), items.end(), values.begin(), queue);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: promise_peer radix|merge|pairs FILE.bin\n";
        return 1;
    }
    try {
        keys host = read_keys(argv[2]);
        compute::command_queue queue(
            compute::system::default_context(), compute::system::default_device());
        compute::vector<compute::uint_> items(host.begin(), host.end(), queue);
        sort(argv[1], items, queue);
        compute::copy(items.begin(), items.end(), host.begin(), queue);
        if (std::is_sorted(host.begin(), host.end()))
            std::_Exit(0); /* Boost's caches, freed at exit, call an OpenCL that has gone before */
        std::cerr << "promise_peer: not sorted\n";
    } catch (const std::exception &error) {
        std::cerr << "promise_peer: " << error.what() << "\n";
    }
    return 2;
}
