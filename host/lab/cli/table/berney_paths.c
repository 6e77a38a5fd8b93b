/* SPDX-License-Identifier: MIT */
/* K. Berney 2023, chapter 3: shortest paths by a bucket heap. */
#include <stdlib.h>

#include <dmm-model/graph.h>
#include <dmm/paths.h>

#include "core/opencl.h"
#include "table_device.h"

#define SOURCE "Berney 2023, "

typedef struct paths_call {
    dmm_paths *paths;
    dmm_paths_args args;
    uint64_t n, m;
} paths_call;

static dmm_status enqueue_paths(void *user, cl_command_queue queue, cl_event *event)
{
    const paths_call *const call = user;
    return dmm_paths_enqueue(call->paths, queue, &call->args, call->n, call->m, 0, NULL, event);
}

/* Times one method on a graph in buffers. */
static bool time_method(double *seconds, const paths_call *graph, dmm_paths_method method,
    uint64_t batch, table_run *run, cli_error *error)
{
    const dmm_paths_desc desc = {
        .weight = DMM_U32, .method = method, .batch = batch, .max_n = graph->n};
    paths_call call = *graph;
    table_buffers buffers = {0};
    uint64_t temp_bytes;
    bool done =
        table_check(run, dmm_paths_create(&call.paths, run->session.context, &desc), error) &&
        table_check(run, dmm_paths_temp_bytes(&temp_bytes, call.paths, call.n), error) &&
        table_add_buffer(&call.args.temp, &buffers, run, temp_bytes, NULL, error) &&
        table_time_call(seconds, run, enqueue_paths, &call, 1, error);
    table_free_buffers(&buffers);
    dmm_paths_free(call.paths);
    return done;
}

/* Checks the distances, which are those of the last method: v of vertex v. */
static bool check_distances(const paths_call *graph, table_run *run, cli_error *error)
{
    const size_t bytes = (size_t)graph->n * sizeof(uint32_t);
    uint32_t *const distances = malloc(bytes);
    uint64_t wrong = 0;
    if (!distances)
        return cli_fail_memory(error, NULL, bytes);
    const dmm_status status = clEnqueueReadBuffer(dmm_context_queue(run->session.context),
        graph->args.distances_out.buffer, CL_TRUE, 0, bytes, distances, 0, NULL, NULL);
    for (uint64_t v = 0; v < graph->n; v++)
        wrong += distances[v] != v;
    free(distances);
    return table_check(run, status, error) &&
           (wrong == 0 || cli_fail(error, CLI_CHECK_FAILED, NULL, "wrong distances"));
}

static bool upload(paths_call *out, table_buffers *buffers, const dmm_model_graph *graph,
    table_run *run, cli_error *error)
{
    static const uint32_t source = 0;
    const uint64_t n = graph->vertices, m = graph->edges;
    *out = (paths_call){.n = n, .m = m, .args = {.num_sources = 1}};
    return table_add_buffer(&out->args.offsets, buffers, run, 8 * (n + 1), graph->offsets, error) &&
           table_add_buffer(&out->args.targets, buffers, run, 4 * m, graph->targets, error) &&
           table_add_buffer(&out->args.weights, buffers, run, 4 * m, graph->weights, error) &&
           table_add_buffer(&out->args.sources, buffers, run, 4, &source, error) &&
           table_add_buffer(&out->args.distances_out, buffers, run, 4 * n, NULL, error);
}

/* sizes: share of the edges of a complete graph without circles, in percent. */
static bool measure_paths(
    double *values, const table_point *point, table_run *run, cli_error *error)
{
    const uint64_t n = run->full ? 30000 : 2048, most = n * (n - 1) / 2;
    const double share = point->sizes[0] / 100;
    const uint64_t edges = (uint64_t)fmax((double)(n - 1), share * (double)most);
    const dmm_model_graph_desc desc = {.vertices = (uint32_t)n, .edges = edges, .seed = 1};
    dmm_model_graph graph = {0};
    table_buffers buffers = {0};
    paths_call call;
    if (dmm_model_graph_make(&graph, &desc) != DMM_MODEL_OK)
        return cli_fail_memory(error, NULL, 8 * edges);
    bool done = upload(&call, &buffers, &graph, run, error) &&
                time_method(&values[1], &call, DMM_PATHS_DIJKSTRA, 0, run, error) &&
                check_distances(&call, run, error) &&
                time_method(&values[2], &call, DMM_PATHS_DIJKSTRA, 64, run, error) &&
                time_method(&values[3], &call, DMM_PATHS_NEAR_FAR, 0, run, error) &&
                check_distances(&call, run, error);
    values[0] = (double)edges / 1e6;
    if (done)
        values[4] = values[3] / values[1];
    table_free_buffers(&buffers);
    dmm_model_graph_free(&graph);
    return done;
}

static const table_column columns[] = {{"edges (millions)", 3, false}, {"ParDijkstra s", 3, false},
    {"64 vertices a round s", 3, false}, {"near-far s", 3, false},
    {"near-far over ParDijkstra", 2, false}, {0}};

#define SHARE(p)                                   \
    {                                              \
        .label = #p " %", .x = (p), .sizes = { p } \
    }
static const table_point points[] = {
    SHARE(1), SHARE(9), SHARE(18), SHARE(44), SHARE(67), SHARE(100), {0}};

const paper_table tables_berney_paths[] = {
    {.name = "berney-3.3",
        .title = "shortest paths in dense graphs of largest diameter (figures 3.3 and 3.4)",
        .source = SOURCE "section 3.5.3, figures 3.3 and 3.4",
        .place = TABLE_DEVICE,
        .head = "share of all edges",
        .unit = "seconds",
        .scale = TABLE_LINEAR,
        .heights = TABLE_LOG10,
        .columns = columns,
        .points = points,
        .measure = measure_paths,
        .paper = "30,000 vertices. On the 2080 Ti ParDijkstra is faster than Gunrock from 80 "
                 "million edges on (18 %), at most 2.8 times (300 million), and than ADDS from 100 "
                 "million on, at most 12 times (450 million); on the M4000 than Gunrock from 40 "
                 "million on (9 %), at most 5.4 times.",
        .reading =
            "2,048 vertices here, 30,000 with --full. Not reproduced: Gunrock and ADDS need "
            "CUDA, and dmm's own near-far, which stands for them, is faster than the heap at "
            "every density on a CPU by PoCL, where each round of the heap is many "
            "launches. More vertices a round help more than anything else."},
    {0},
};
