/* SPDX-License-Identifier: MIT */
/*
 * A plain external sort of u64 keys, for comparison with dmm sort --memory: runs by std::sort, then
 * one merge of all runs with a heap. One thread, reads and writes of whole buffers.
 *
 * external_sort MEMORY_BYTES INPUT OUTPUT SCRATCH
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

namespace
{

using key = std::uint64_t;

void require(bool ok, const char *what)
{
    if (!ok) {
        std::perror(what);
        std::exit(1);
    }
}

std::FILE *open_file(const char *path, const char *mode)
{
    std::FILE *const file = std::fopen(path, mode);
    require(file != nullptr, path);
    std::setvbuf(file, nullptr, _IONBF, 0);
    return file;
}

struct run {
    long at, end; // keys of the scratch file that are still to be read
    std::vector<key> buffer;
    std::size_t next = 0;

    bool fill(std::FILE *scratch, std::size_t most)
    {
        const std::size_t count = std::min(most, static_cast<std::size_t>(end - at));
        buffer.resize(count);
        next = 0;
        if (count == 0)
            return false;
        require(std::fseek(scratch, at * static_cast<long>(sizeof(key)), SEEK_SET) == 0, "seek");
        require(std::fread(buffer.data(), sizeof(key), count, scratch) == count, "read");
        at += static_cast<long>(count);
        return true;
    }
};

std::vector<run> make_runs(std::FILE *input, std::FILE *scratch, std::size_t items)
{
    std::vector<run> runs;
    std::vector<key> buffer(items);
    long at = 0;
    while (const std::size_t count = std::fread(buffer.data(), sizeof(key), items, input)) {
        std::sort(buffer.begin(), buffer.begin() + static_cast<long>(count));
        require(std::fwrite(buffer.data(), sizeof(key), count, scratch) == count, "write");
        runs.push_back({at, at + static_cast<long>(count), {}, 0});
        at += static_cast<long>(count);
    }
    return runs;
}

void merge(std::vector<run> &runs, std::FILE *scratch, std::FILE *output, std::size_t items)
{
    using entry = std::pair<key, std::size_t>;
    std::priority_queue<entry, std::vector<entry>, std::greater<entry>> heap;
    const std::size_t most = std::max<std::size_t>(items / (runs.size() + 1), 1);
    std::vector<key> out;
    out.reserve(most);
    for (std::size_t i = 0; i < runs.size(); i++)
        if (runs[i].fill(scratch, most))
            heap.push({runs[i].buffer[runs[i].next++], i});
    const auto flush = [&] {
        require(std::fwrite(out.data(), sizeof(key), out.size(), output) == out.size(), "write");
        out.clear();
    };
    while (!heap.empty()) {
        const entry least = heap.top();
        heap.pop();
        out.push_back(least.first);
        if (out.size() == most)
            flush();
        run &from = runs[least.second];
        if (from.next < from.buffer.size() || from.fill(scratch, most))
            heap.push({from.buffer[from.next++], least.second});
    }
    flush();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5) {
        std::fprintf(stderr, "external_sort MEMORY_BYTES INPUT OUTPUT SCRATCH\n");
        return 1;
    }
    const std::size_t items = std::strtoull(argv[1], nullptr, 10) / sizeof(key);
    std::FILE *const input = open_file(argv[2], "rb");
    std::FILE *const output = open_file(argv[3], "wb");
    std::FILE *const scratch = open_file(argv[4], "wb+");
    std::vector<run> runs = make_runs(input, scratch, items);
    merge(runs, scratch, output, items);
    require(std::fclose(output) == 0, argv[3]);
    std::remove(argv[4]);
    return 0;
}
