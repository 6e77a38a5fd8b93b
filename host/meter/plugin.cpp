/* SPDX-License-Identifier: MIT */
/*
 * The bank meter: an Oclgrind plugin that watches the local and global accesses of every kernel,
 * puts those of one lock-step together, and evaluates them with the machine models. `dmm meter`
 * runs programs under it and shows what it wrote (readings.h).
 */
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fnmatch.h>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/CommandLine.h>

#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/Program.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>

#include "intrinsics.h"
#include "path.h"
#include "readings.h"
#include "settings.h"
#include "site.h"
#include "source.h"
#include "trace.h"

namespace meter
{

class Meter : public oclgrind::Plugin
{
  public:
    Meter(const oclgrind::Context *context, const char *readings)
        : Plugin(context), machine_(machine_wanted()), calls_(setting("DMM_METER_CALLS", 0) != 0),
          digests_wanted_(setting("DMM_METER_DIGEST", 0) != 0),
          readings_(readings, machine_, setting("DMM_METER_RUNS", 0) != 0),
          trace_(size_t(setting("DMM_METER_TRACE_MB", 512)) << 20)
    {
    }

    /* False: readings must not depend on how threads interleave. */
    bool isThreadSafe() const override
    {
        return false;
    }

    void kernelBegin(const oclgrind::KernelInvocation *launch) override;
    void kernelEnd(const oclgrind::KernelInvocation *launch) override;
    void memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size, cl_mem_flags,
        const uint8_t *initial) override;
    void memoryMap(const oclgrind::Memory *memory, size_t address, size_t offset, size_t size,
        cl_map_flags flags) override;
    void hostMemoryLoad(const oclgrind::Memory *memory, size_t address, size_t size) override;
    void hostMemoryStore(
        const oclgrind::Memory *memory, size_t address, size_t size, const uint8_t *) override;
    void workGroupBegin(const oclgrind::WorkGroup *group) override;
    void workGroupBarrier(const oclgrind::WorkGroup *group, uint32_t flags) override;
    void workGroupComplete(const oclgrind::WorkGroup *group) override;
    void instructionExecuted(const oclgrind::WorkItem *item, const llvm::Instruction *instruction,
        const oclgrind::TypedValue &result) override;

    using Plugin::memoryLoad;
    using Plugin::memoryStore;
    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
        size_t size) override
    {
        access(memory, item, address, size, DMM_MODEL_READ);
    }
    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
        size_t size, const uint8_t *) override
    {
        access(memory, item, address, size, DMM_MODEL_WRITE);
    }
    /* Oclgrind reports every atomic as a load, and also as a store if it stores. */
    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
        oclgrind::AtomicOp, size_t address, size_t size) override
    {
        access(memory, item, address, size, DMM_MODEL_ATOMIC);
    }

  private:
    static constexpr uint32_t NO_GROUP = UINT32_MAX;

    /* Accesses of an instruction, on one call path, to one space, of one kind. */
    struct Site {
        bool known, watched;
        uint32_t line;         /* in the readings */
        uint32_t widest_bytes; /* that go in one access */
    };
    using Sites = std::array<Site, 6>; /* three kinds in local memory, three in global */

    void access(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
        size_t size, dmm_model_access_kind kind);
    const Site &site_of(
        const llvm::Instruction &instruction, Space space, dmm_model_access_kind kind);
    void record(const Step &step, uint64_t address);
    void turn_to(const oclgrind::WorkItem *item);
    void judge();

    const Machine machine_;
    const bool calls_, digests_wanted_;
    Readings readings_;
    Trace trace_;
    Loops loops_;
    llvm::DenseMap<std::pair<const llvm::Instruction *, uint64_t>, Sites> sites_;
    Source source_;
    unsigned long source_of_ = 0;              /* the program's number in Oclgrind */
    const oclgrind::Kernel *kernel_ = nullptr; /* kernel of the launch that is watched, or null */
    uint64_t refused_ = 0;                     /* accesses of this launch that were not evaluated */
    uint64_t launches_ = 0;                    /* so far, of all kernels */
    uint64_t digest_ = 0; /* digest of the launch: its number, then its groups */

    /* The current work-group. */
    oclgrind::Size3 shape_;
    std::vector<Path> paths_;          /* by linear local number */
    std::vector<uint64_t> operations_; /* likewise: instructions; empty if they are not wanted */
    std::vector<uint64_t> digests_;    /* likewise: of accesses and barriers, in their order */

    /* The current work-item: lane `lane_` of lane group `group_`. */
    const oclgrind::WorkItem *item_ = nullptr;
    Path *path_ = nullptr;
    size_t number_ = 0; /* its linear local number */
    uint32_t group_ = NO_GROUP;
    uint32_t lane_ = 0;
};

void Meter::kernelBegin(const oclgrind::KernelInvocation *launch)
{
    const oclgrind::Kernel *kernel = launch->getKernel();
    const char *pattern = getenv("DMM_METER_KERNEL");
    kernel_ = nullptr;
    digest_ = ++launches_;
    oclgrind::Size3 all = launch->getGlobalSize(), group = launch->getLocalSize();
    size_t sizes[] = {all.x, all.y, all.z, group.x, group.y, group.z};
    const oclgrind::Program *program = kernel->getProgram();
    readings_.launch(
        kernel->getName(), sizes, built_banks(program->getBuildOptions(), program->getSource()));
    if (pattern && fnmatch(pattern, kernel->getName().c_str(), 0) != 0)
        return;
    kernel_ = kernel;
    /* addresses of a released program's functions and instructions may be reused */
    loops_.clear();
    sites_.clear();
    if (source_of_ != program->getUID()) {
        source_ = Source(program->getSource());
        source_of_ = program->getUID();
    }
}

void Meter::kernelEnd(const oclgrind::KernelInvocation *)
{
    if (kernel_ && digests_wanted_)
        readings_.digest(digest_);
    if (kernel_)
        readings_.done(kernel_->getName(), source_, refused_);
    refused_ = 0;
    kernel_ = nullptr;
}

void Meter::workGroupBegin(const oclgrind::WorkGroup *group)
{
    if (!kernel_)
        return;
    shape_ = group->getGroupSize();
    size_t items = shape_.x * shape_.y * shape_.z;
    paths_.resize(items);
    const llvm::LoopInfo &loops = loops_.of(*kernel_->getFunction());
    for (Path &path : paths_)
        path.start(loops);
    operations_.assign(machine_.latency ? items : 0, 0);
    digests_.assign(digests_wanted_ ? items : 0, 0);
    readings_.group_begins(
        static_cast<uint32_t>((items + machine_.local.lanes - 1) / machine_.local.lanes));
    trace_.begin(static_cast<uint32_t>(std::min<size_t>(machine_.local.lanes, items)));
    item_ = nullptr;
    group_ = NO_GROUP;
}

void Meter::judge()
{
    if (kernel_ && group_ != NO_GROUP)
        readings_.judge(trace_, group_);
}

void Meter::workGroupBarrier(const oclgrind::WorkGroup *, uint32_t)
{
    judge();
    if (kernel_)
        readings_.barrier();
    for (uint64_t &digest : digests_)
        digest = mix(digest, IDLE);
}

void Meter::workGroupComplete(const oclgrind::WorkGroup *)
{
    judge();
    uint64_t most = 0;
    for (uint64_t operations : operations_)
        most = std::max(most, operations);
    if (kernel_)
        readings_.group_ends(most);
    for (uint64_t digest : digests_)
        digest_ = mix(digest_, digest);
    digests_.clear();
}

/* ---- What the host does with buffers --------------------------------------------------------- */

static bool is_global(const oclgrind::Memory *memory)
{
    return memory->getAddressSpace() == oclgrind::AddrSpaceGlobal;
}

void Meter::memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size,
    cl_mem_flags, const uint8_t *initial)
{
    if (!is_global(memory))
        return;
    readings_.allocated(address, size);
    if (initial)
        readings_.host(size, 0);
}

void Meter::memoryMap(
    const oclgrind::Memory *memory, size_t, size_t, size_t size, cl_map_flags flags)
{
    if (!is_global(memory))
        return;
    if (flags & CL_MAP_READ)
        readings_.host(0, size);
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        readings_.host(size, 0);
}

void Meter::hostMemoryLoad(const oclgrind::Memory *memory, size_t, size_t size)
{
    if (is_global(memory))
        readings_.host(0, size);
}

void Meter::hostMemoryStore(const oclgrind::Memory *memory, size_t, size_t size, const uint8_t *)
{
    if (is_global(memory))
        readings_.host(size, 0);
}

/* Work-items run in linear order up to the next barrier: when the first of another lane group runs,
 * those of the previous group have stopped. */
void Meter::turn_to(const oclgrind::WorkItem *item)
{
    oclgrind::Size3 local = item->getLocalID();
    size_t number = local.x + shape_.x * (local.y + shape_.y * local.z);
    uint32_t group = static_cast<uint32_t>(number / machine_.local.lanes);
    if (group != group_)
        judge();
    item_ = item;
    number_ = number;
    path_ = &paths_[number];
    group_ = group;
    lane_ = static_cast<uint32_t>(number % machine_.local.lanes);
}

/* Called for each instruction that the simulator runs: most must leave at once. */
void Meter::instructionExecuted(const oclgrind::WorkItem *item,
    const llvm::Instruction *instruction, const oclgrind::TypedValue &)
{
    unsigned code = instruction->getOpcode();
    if (kernel_ && !operations_.empty()) {
        if (item != item_)
            turn_to(item);
        operations_[number_]++;
    }
    bool jumps = code == llvm::Instruction::Br || code == llvm::Instruction::Switch;
    if (!kernel_ || !(jumps || code == llvm::Instruction::Call || code == llvm::Instruction::Ret))
        return;
    if (item != item_)
        turn_to(item);
    path_->settle(*instruction->getParent());
    if (jumps) {
        path_->branch();
    } else if (code == llvm::Instruction::Ret) {
        path_->leave();
    } else {
        const llvm::Function *callee = llvm::cast<llvm::CallInst>(instruction)->getCalledFunction();
        if (callee && !callee->isDeclaration())
            path_->call(*instruction, loops_.of(*callee));
    }
}

const Meter::Site &Meter::site_of(
    const llvm::Instruction &instruction, Space space, dmm_model_access_kind kind)
{
    uint64_t calls = calls_ ? path_->calls_value() : 0;
    Site &site = sites_[{&instruction, calls}][3 * (space == Space::GLOBAL) + kind];
    if (!site.known) {
        site.known = true;
        site.watched = is_watched(instruction);
        site.widest_bytes = widest_bytes(instruction, kind);
        Place place = place_of(instruction, space, kind, source_);
        if (calls_)
            place.calls = calls_of(instruction, path_->calls());
        if (site.watched)
            site.line = readings_.line(place);
    }
    return site;
}

void Meter::record(const Step &step, uint64_t address)
{
    if (trace_.add(step, lane_, address))
        return;
    if (trace_.lanes() > 1) {
        refused_++;
        return;
    }
    /* a single lane need not wait for others */
    judge();
    trace_.add(step, lane_, address);
}

void Meter::access(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
    size_t size, dmm_model_access_kind kind)
{
    unsigned space = memory->getAddressSpace();
    if (!kernel_ || (space != oclgrind::AddrSpaceLocal && space != oclgrind::AddrSpaceGlobal))
        return;
    if (item != item_)
        turn_to(item);
    if (digests_wanted_)
        digests_[number_] =
            mix(mix(digests_[number_], address), size << 8 | uint64_t(kind) << 4 | space);
    const llvm::Instruction *instruction = item->getCurrentInstruction();
    path_->settle(*instruction->getParent());
    const Site &site = site_of(
        *instruction, space == oclgrind::AddrSpaceLocal ? Space::LOCAL : Space::GLOBAL, kind);
    if (!site.watched)
        return;
    uint64_t key = mix(mix(path_->value(), instruction), site.line);
    while (size > 0) {
        uint32_t piece = static_cast<uint32_t>(std::min<size_t>(size, site.widest_bytes));
        record(Step{mix(key, piece), site.line, piece}, address);
        address += piece;
        size -= piece;
    }
}

} // namespace meter

static std::map<const oclgrind::Context *, meter::Meter *> meters;

/*
 * Oclgrind 21.10 refuses kernels with llvm.experimental.noalias.scope.decl, which LLVM's inliner
 * leaves where it inlines a function that returns a struct or has `restrict` parameters. Its scopes
 * are hints for the optimiser: without them the kernel computes the same.
 */
static void leave_out_noalias_scopes()
{
    auto &options = llvm::cl::getRegisteredOptions();
    const auto found = options.find("enable-noalias-to-md-conversion");
    if (found != options.end())
        *static_cast<llvm::cl::opt<bool> *>(found->second) = false;
}

extern "C" void initializePlugins(oclgrind::Context *context)
{
    const char *readings = getenv("DMM_METER_READINGS");
    if (!readings)
        return;
    leave_out_noalias_scopes();
    meter::add_intrinsics();
    meters[context] = new meter::Meter(context, readings);
    context->registerPlugin(meters[context]);
}

extern "C" void releasePlugins(oclgrind::Context *context)
{
    auto found = meters.find(context);
    if (found == meters.end())
        return;
    context->unregisterPlugin(found->second);
    delete found->second;
    meters.erase(found);
}
