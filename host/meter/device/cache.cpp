/* SPDX-License-Identifier: MIT */
/* Instrumented programs on disk: see cache.h. */
#include "cache.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "../mix.h"

namespace meter
{

namespace fs = std::filesystem;

constexpr uint64_t FOLDER_BYTES_MAX = uint64_t{256} << 20;

static uint64_t hash_of(uint64_t seed, const std::string &text)
{
    uint64_t hash = mix(seed, text.size());
    for (size_t i = 0; i < text.size(); i += sizeof(uint64_t)) {
        uint64_t word = 0;
        std::memcpy(&word, &text[i], std::min(sizeof word, text.size() - i));
        hash = mix(hash, word);
    }
    return hash;
}

std::string cache_path(const std::vector<std::string> &words)
{
    const char *wanted = getenv("DMM_METER_CACHE"), *base = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    const bool has_base = base && base[0] == '/';
    if ((wanted && std::string(wanted) == "0") || (!has_base && (!home || home[0] != '/')))
        return "";
    uint64_t first = 1, second = 2;
    for (const std::string &word : words) {
        first = hash_of(first, word);
        second = hash_of(second, word);
    }
    char name[40];
    std::snprintf(name, sizeof name, "/%016llx%016llx", static_cast<unsigned long long>(first),
        static_cast<unsigned long long>(second));
    return (has_base ? std::string(base) : home + std::string("/.cache")) + "/dmm-meter" + name;
}

/* A file is the number of texts, the bytes of each, a hash, an end of line, and the texts. */
static std::string head_of(const std::vector<std::string> &texts)
{
    std::ostringstream head;
    uint64_t hash = texts.size();
    head << texts.size();
    for (const std::string &text : texts) {
        head << ' ' << text.size();
        hash = hash_of(hash, text);
    }
    head << ' ' << hash << '\n';
    return head.str();
}

bool cache_read(const std::string &path, std::vector<std::string> *texts)
{
    std::ifstream file(path, std::ios::binary);
    std::string head;
    if (path.empty() || !std::getline(file, head))
        return false;
    std::istringstream fields(head);
    size_t count = 0;
    if (!(fields >> count) || count != texts->size())
        return false;
    for (std::string &text : *texts) {
        size_t bytes = 0;
        if (!(fields >> bytes) || bytes > FOLDER_BYTES_MAX)
            return false;
        text.resize(bytes);
        if (!file.read(&text[0], static_cast<std::streamsize>(bytes)))
            return false;
    }
    return head + '\n' == head_of(*texts);
}

static void remove_oldest(const fs::path &folder)
{
    std::error_code failed;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    uint64_t bytes = 0;
    for (const fs::directory_entry &each : fs::directory_iterator(folder, failed)) {
        const uintmax_t size = each.file_size(failed);
        bytes += failed ? 0 : size;
        files.emplace_back(each.last_write_time(failed), each.path());
    }
    std::sort(files.begin(), files.end());
    for (size_t i = 0; i < files.size() && bytes > FOLDER_BYTES_MAX; i++) {
        const uintmax_t size = fs::file_size(files[i].second, failed);
        if (fs::remove(files[i].second, failed))
            bytes -= std::min<uint64_t>(bytes, size);
    }
}

void cache_write(const std::string &path, const std::vector<std::string> &texts)
{
    if (path.empty())
        return;
    std::error_code failed;
    fs::create_directories(fs::path(path).parent_path(), failed);
    const std::string fresh = path + "." + std::to_string(getpid());
    std::ofstream file(fresh, std::ios::binary);
    file << head_of(texts);
    for (const std::string &text : texts)
        file << text;
    file.close();
    if (!file)
        fs::remove(fresh, failed);
    else
        fs::rename(fresh, path, failed); /* at once: other processes read whole files */
    remove_oldest(fs::path(path).parent_path());
}

} // namespace meter
