/* SPDX-License-Identifier: MIT */
/* Instruments a program's text: see build.h. */
#include "build.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache.h"

extern char **environ;

namespace meter
{

static std::string contents(const std::string &path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

static bool begins(const std::string &text, const char *with)
{
    return text.compare(0, std::string(with).size(), with) == 0;
}

/* Splits options at blanks outside of quotes. */
static std::vector<std::string> words_of(const std::string &options)
{
    std::vector<std::string> words;
    bool open = false, quoted = false;
    for (size_t i = 0; i < options.size(); i++) {
        const char c = options[i];
        if ((c == ' ' || c == '\t' || c == '\n') && !quoted) {
            open = false;
            continue;
        }
        if (!open)
            words.emplace_back();
        open = true;
        if (c == '"')
            quoted = !quoted;
        else if (c == '\\' && i + 1 < options.size())
            words.back() += options[++i];
        else
            words.back() += c;
    }
    return words;
}

/* Options of mathematics are the driver's: they do not change which memory a program accesses. */
static std::vector<std::string> clang_options(const std::string &options, const Dialect &dialect)
{
    std::vector<std::string> chosen = {
        "-D__OPENCL_VERSION__=" + dialect.version, "-D__ENDIAN_LITTLE__=1"};
    std::string extensions = "-cl-ext=-all";
    std::istringstream names(dialect.extensions);
    for (std::string name; names >> name;) {
        extensions += ",+" + name;
        if (begins(name, "cl_")) /* clang defines those alone that it knows */
            chosen.push_back("-D" + name + "=1");
    }
    chosen.insert(chosen.end(), {"-Xclang", extensions});
    if (dialect.images)
        chosen.push_back("-D__IMAGE_SUPPORT__=1");
    bool standard = false;
    const std::vector<std::string> words = words_of(options);
    for (size_t i = 0; i < words.size(); i++) {
        const std::string &word = words[i];
        const bool is_prefix = word == "-D" || word == "-I" || word == "-U" || word == "-include";
        standard |= begins(word, "-cl-std=");
        if (begins(word, "-D") || begins(word, "-I") || begins(word, "-U") || is_prefix ||
            begins(word, "-cl-std=") || word == "-cl-opt-disable")
            chosen.push_back(word);
        if (is_prefix && i + 1 < words.size())
            chosen.push_back(words[++i]);
    }
    if (!standard)
        chosen.push_back("-cl-std=CL1.2");
    return chosen;
}

/* Names of the caller are not defined: the text is preprocessed. */
std::string driver_options(const std::string &options)
{
    std::string chosen;
    for (const std::string &word : words_of(options))
        if (begins(word, "-cl-"))
            chosen += (chosen.empty() ? "" : " ") + word;
    return chosen;
}

static std::string command()
{
    const char *given = getenv("DMM_METER_REWRITE");
    if (given && *given)
        return given;
    Dl_info self;
    std::string path = "dmm-meter-rewrite";
    if (dladdr(reinterpret_cast<void *>(&rewrite), &self) && self.dli_fname) {
        const std::string name = self.dli_fname;
        path = name.substr(0, name.rfind('/') + 1) + path;
    }
    return path;
}

/* Runs the command; its output goes to FOLDER/log. Returns its exit status. */
static int run(const std::string &folder, std::vector<std::string> words)
{
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(&word[0]);
    pointers.push_back(nullptr);
    std::vector<char *> environment; /* without the layer itself */
    for (char **each = environ; *each; each++)
        if (!begins(*each, "OPENCL_LAYERS=") && !begins(*each, "LD_PRELOAD="))
            environment.push_back(*each);
    environment.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(
        &files, 1, (folder + "/reason").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(
        &files, 2, (folder + "/log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    int status = -1;
    if (posix_spawn(&child, pointers[0], &files, nullptr, pointers.data(), environment.data()) == 0)
        waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&files);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns what else the result depends on: the command, and what it reads of the environment. */
static std::string version_of(const std::string &command)
{
    struct stat facts = {};
    stat(command.c_str(), &facts);
    std::string text = std::to_string(facts.st_size) + ' ' + std::to_string(facts.st_mtim.tv_sec) +
                       '.' + std::to_string(facts.st_mtim.tv_nsec);
    for (const char *name :
        {"DMM_METER_CLANG", "DMM_METER_LLVM_SPIRV", "DMM_METER_CALLS", "DMM_METER_LATENCY"}) {
        const char *value = getenv(name);
        text += ' ' + std::string(value ? value : "");
    }
    return text;
}

/* True if the program's list of files, made by clang, names none but those of the system. */
static bool stands_alone(const std::string &list)
{
    static const std::string name = "input.bc:";
    const size_t at = list.find(name);
    return at != std::string::npos &&
           list.find_first_not_of(" \n\\", at + name.size()) == std::string::npos;
}

static bool is_il(const std::vector<std::string> &words)
{
    return words.size() > 1 && words[1] == "--il";
}

/* Runs the command in a folder of its own. `alone`: words and input determine the texts. */
static void run_rewriter(Rewritten *result, std::vector<std::string> words,
    const std::string &input, std::vector<std::string> *texts, bool *alone)
{
    const char *place = getenv("TMPDIR");
    std::string folder = std::string(place && *place ? place : "/tmp") + "/dmm-meter-XXXXXX";
    if (!mkdtemp(&folder[0])) {
        result->reason = "no folder can be made in TMPDIR";
        return;
    }
    const bool il = is_il(words);
    if (il)
        std::ofstream(folder + "/input.spv", std::ios::binary) << input;
    else
        std::ofstream(folder + "/input.cl") << "#line 1 \"input.cl\"\n" << input;
    words.insert(words.begin() + 1, folder);
    const int status = run(folder, words);
    result->reason = contents(folder + "/reason");
    result->reason = result->reason.substr(0, result->reason.find('\n'));
    result->log = contents(folder + "/log");
    if (status == 0)
        *texts = {contents(folder + "/output.cl"), contents(folder + "/sites"),
            il ? contents(folder + "/input.cl") : ""};
    *alone = stands_alone(contents(folder + "/files"));
    const char *keep = getenv("DMM_METER_KEEP");
    for (const char *name : {"/input.cl", "/input.spv", "/raw.bc", "/input.bc", "/output.cl",
             "/sites", "/files", "/reason", "/log"})
        if (!keep)
            unlink((folder + name).c_str());
    if (!keep)
        rmdir(folder.c_str());
}

/* Rewrites, or takes what the cache has. */
static Rewritten rewritten(const std::vector<std::string> &words, const std::string &input)
{
    Rewritten result;
    std::vector<std::string> texts(3), key = words;
    key.insert(key.end(), {version_of(words[0]), input});
    const std::string path = cache_path(key);
    bool alone = false;
    result.known = cache_read(path, &texts);
    if (!result.known) {
        texts.assign(texts.size(), "");
        run_rewriter(&result, words, input, &texts, &alone);
    }
    if (!texts[0].empty() && result.table.read(texts[1])) {
        result.text = texts[0];
        result.source = is_il(words) ? texts[2] : input;
        if (alone)
            cache_write(path, texts);
    } else if (result.reason.empty()) {
        result.reason = words[0] + " failed";
    }
    return result;
}

Rewritten rewrite(const std::string &source, const std::string &options, const Dialect &dialect)
{
    std::vector<std::string> words = {command()};
    for (const std::string &word : clang_options(options, dialect))
        words.push_back(word);
    return rewritten(words, source);
}

Rewritten rewrite_il(const std::string &il, const std::string &options)
{
    std::vector<std::string> words = {command(), "--il"};
    for (const std::string &word : words_of(options))
        if (word == "-cl-opt-disable")
            words.push_back(word);
    return rewritten(words, il);
}

} // namespace meter
