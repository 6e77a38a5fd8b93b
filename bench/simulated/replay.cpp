// SPDX-License-Identifier: MIT
// replay FOLDER: runs the launches recorded by record.c on GPGPU-Sim's CUDA runtime and compares
// each read with the bytes that the driver returned. The kernels come from the PTX that the runtime
// loads; kernel K of program P is named dmmP_K. A kernel with arguments of local memory must have
// no local arrays of its own.
// Prints `launch KERNEL GROUPS LOCAL` before each launch, and `end good` or `end BAD`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// The functions that nvcc's output calls, declared here because no CUDA header is needed otherwise.
struct dim3 {
    unsigned x, y, z;
};
extern "C" {
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(
    void **, const char *, char *, const char *, int, void *, void *, dim3 *, dim3 *, int *);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void *);
int cudaMalloc(void **, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaLaunchKernel(const char *, dim3, dim3, void **, size_t, void *);
int cudaThreadSynchronize();
}

namespace
{
enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3 };

[[noreturn]] void fail(const std::string &what)
{
    std::cerr << "replay: " << what << "\n";
    std::exit(2);
}

void check(int error, const char *what)
{
    if (error != 0)
        fail(std::string(what) + ": error " + std::to_string(error));
}

struct replayer {
    std::string folder;
    void **handle = nullptr;
    std::map<size_t, char *> buffers;
    std::map<size_t, size_t> buffer_bytes;
    std::map<std::string, std::string> functions; // by name; the address of an entry identifies it
    bool good = true;

    std::vector<char> load(const std::string &name) const
    {
        std::ifstream file(folder + "/" + name, std::ios::binary);
        if (!file)
            fail("cannot read " + name);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    void create(size_t id, size_t bytes, const std::string &first)
    {
        void *memory = nullptr;
        check(cudaMalloc(&memory, bytes), "cudaMalloc");
        buffers[id] = static_cast<char *>(memory);
        buffer_bytes[id] = bytes;
        if (first != "-")
            check(cudaMemcpy(memory, load(first).data(), bytes, TO_DEVICE), "cudaMemcpy");
    }

    void compare(size_t id, size_t at, size_t bytes, const std::string &name)
    {
        std::vector<char> got(bytes);
        check(cudaMemcpy(got.data(), buffers.at(id) + at, bytes, TO_HOST), "cudaMemcpy");
        good = good && got == load(name);
    }

    void dump(size_t id, const std::string &name) const
    {
        std::vector<char> got(buffer_bytes.at(id));
        check(cudaMemcpy(got.data(), buffers.at(id), got.size(), TO_HOST), "cudaMemcpy");
        std::ofstream file(folder + "/" + name, std::ios::binary);
        if (!file.write(got.data(), static_cast<std::streamsize>(got.size())))
            fail("cannot write " + name);
    }

    static std::vector<char> bytes_of(uintptr_t address)
    {
        std::vector<char> bytes(sizeof address);
        for (size_t i = 0; i < sizeof address; i++)
            bytes[i] = static_cast<char>(address >> (8 * i));
        return bytes;
    }

    // Returns the bytes of an argument, followed by zeros for wider reads. Local memory is taken
    // from `local_end` on.
    std::vector<char> argument(const std::string &text, size_t &local_end) const
    {
        if (text[0] == '@')
            return bytes_of(reinterpret_cast<uintptr_t>(buffers.at(std::stoul(text.substr(1)))));
        if (text[0] == '*') {
            const size_t begin = (local_end + 127) / 128 * 128;
            local_end = begin + std::stoul(text.substr(1));
            return bytes_of(begin);
        }
        std::vector<char> bytes(text.size() / 2 + sizeof(void *));
        for (size_t i = 0; i < text.size() / 2; i++)
            bytes[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
        return bytes;
    }

    const char *function(const std::string &name)
    {
        const auto found = functions.find(name);
        if (found != functions.end())
            return found->second.c_str();
        std::string &kept = functions[name] = name;
        __cudaRegisterFunction(handle, kept.c_str(), &kept[0], kept.c_str(), -1, nullptr, nullptr,
            nullptr, nullptr, nullptr);
        return kept.c_str();
    }

    void launch(std::istream &line)
    {
        std::string program, kernel, word;
        size_t offset = 0, global = 0, local = 0, local_end = 0;
        std::vector<std::vector<char>> values;
        std::vector<void *> arguments;
        line >> program >> kernel >> offset >> global >> local;
        if (offset != 0)
            fail("a launch with an offset");
        while (line >> word)
            values.push_back(argument(word, local_end));
        for (auto &value : values)
            arguments.push_back(value.data());
        const std::string name = "dmm" + program + "_" + kernel;
        const dim3 groups = {static_cast<unsigned>(global / local), 1, 1};
        const dim3 group = {static_cast<unsigned>(local), 1, 1};
        std::cout << "launch " << name << " " << groups.x << " " << local << std::endl;
        const char *const called = function(name);
        __cudaPushCallConfiguration(groups, group, local_end, nullptr);
        check(cudaLaunchKernel(called, groups, group, arguments.data(), local_end, nullptr),
            "the launch");
        check(cudaThreadSynchronize(), "the kernel");
    }

    void take(const std::string &text)
    {
        std::istringstream line(text);
        std::string what, file;
        size_t id = 0, at = 0, to = 0, to_at = 0, bytes = 0;
        line >> what;
        if (what == "launch") {
            launch(line);
        } else if (what == "buffer") {
            line >> id >> bytes >> file;
            create(id, bytes, file);
        } else if (what == "write") {
            line >> id >> at >> bytes >> file;
            check(
                cudaMemcpy(buffers.at(id) + at, load(file).data(), bytes, TO_DEVICE), "cudaMemcpy");
        } else if (what == "read") {
            line >> id >> at >> bytes >> file;
            compare(id, at, bytes, file);
        } else if (what == "dump") {
            line >> id >> file;
            dump(id, file);
        } else if (what == "copy") {
            line >> id >> at >> to >> to_at >> bytes;
            check(cudaMemcpy(buffers.at(to) + to_at, buffers.at(id) + at, bytes, ON_DEVICE),
                "cudaMemcpy");
        } else {
            fail("unknown call: " + text);
        }
    }
};
} // namespace

int main(int argc, char **argv)
{
    if (argc != 2)
        fail("usage: replay FOLDER");
    replayer r;
    r.folder = argv[1];
    std::ifstream calls(r.folder + "/calls");
    r.handle = __cudaRegisterFatBinary(nullptr);
    for (std::string line; std::getline(calls, line);)
        r.take(line);
    std::cout << "end " << (r.good ? "good" : "BAD") << std::endl;
    return r.good ? 0 : 1;
}
