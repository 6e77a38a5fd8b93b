/* SPDX-License-Identifier: MIT */
/*
 * MPI's calls between threads. A collective call publishes each rank's buffers; each rank then
 * computes a slice of the result for all. A message is copied into its receiver's box.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"
#include "scale.h"

typedef struct message {
    struct message *next;
    int from;
    char bytes[];
} message;

/* One rank. */
typedef struct seat {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    message *first, **last; /* the box */
    const void *send;       /* buffer of the collective call under way */
    void *receive;
} seat;

static struct {
    int ranks;
    seat *seats;
    scale_counts *counts;
    pthread_barrier_t barrier;
    void (*body)(void *user);
    void *user;
} world;

static _Thread_local int self;

/* Ends the simulation: it cannot go on without memory. */
static void *require(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void meet(const void *send, void *receive)
{
    world.seats[self].send = send;
    world.seats[self].receive = receive;
    pthread_barrier_wait(&world.barrier);
}

static void part(void)
{
    pthread_barrier_wait(&world.barrier);
}

/* The slice of `count` items that this rank computes for all. */
static int slice(int count, int rank)
{
    return (int)((int64_t)count * rank / world.ranks);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
    *out = comm;
    return 0;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
    (void)type, (void)key, (void)info;
    *out = comm;
    return 0;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    (void)comm, (void)handler;
    return 0;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = self;
    return 0;
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    (void)comm;
    *size = world.ranks;
    return 0;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    (void)comm;
    return 0;
}

static void add(uint64_t *sum, uint64_t item, MPI_Op op)
{
    if (op == MPI_SUM)
        *sum += item;
    else if ((int64_t)item < (int64_t)*sum)
        *sum = item;
}

/* Items have 8 bytes. */
int MPI_Allreduce(
    const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    (void)comm;
    world.counts[self].sums++;
    world.counts[self].sum_bytes += (uint64_t)count * (uint64_t)type;
    meet(send, receive);
    for (int i = slice(count, self); i < slice(count, self + 1); i++) {
        uint64_t sum = ((const uint64_t *)world.seats[0].send)[i];
        for (int rank = 1; rank < world.ranks; rank++)
            add(&sum, ((const uint64_t *)world.seats[rank].send)[i], op);
        for (int rank = 0; rank < world.ranks; rank++)
            ((uint64_t *)world.seats[rank].receive)[i] = sum;
    }
    part();
    return 0;
}

int MPI_Exscan(
    const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    (void)comm;
    world.counts[self].prefixes++;
    world.counts[self].prefix_bytes += (uint64_t)count * (uint64_t)type;
    meet(send, receive);
    for (int i = slice(count, self); i < slice(count, self + 1); i++) {
        uint64_t sum = ((const uint64_t *)world.seats[0].send)[i];
        for (int rank = 1; rank < world.ranks; rank++) {
            ((uint64_t *)world.seats[rank].receive)[i] = sum;
            add(&sum, ((const uint64_t *)world.seats[rank].send)[i], op);
        }
    }
    part();
    return 0;
}

int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
    int receive_count, MPI_Datatype receive_type, MPI_Comm comm)
{
    const size_t bytes = (size_t)send_count * (size_t)send_type;
    (void)receive_count, (void)receive_type, (void)comm;
    world.counts[self].gathers++;
    world.counts[self].gather_bytes += bytes;
    meet(send, receive);
    for (int rank = 0; rank < world.ranks; rank++)
        memcpy((char *)receive + (size_t)rank * bytes, world.seats[rank].send, bytes);
    part();
    return 0;
}

int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
    int receive_count, MPI_Datatype receive_type, MPI_Comm comm)
{
    const size_t bytes = (size_t)send_count * (size_t)send_type;
    (void)receive_count, (void)receive_type, (void)comm;
    world.counts[self].transposes++;
    world.counts[self].transpose_bytes += bytes;
    meet(send, receive);
    for (int rank = 0; rank < world.ranks; rank++)
        memcpy((char *)receive + (size_t)rank * bytes,
            (const char *)world.seats[rank].send + (size_t)self * bytes, bytes);
    part();
    return 0;
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    (void)comm;
    meet(data, data);
    if (self != root)
        memcpy(data, world.seats[root].send, (size_t)count * (size_t)type);
    part();
    return 0;
}

static void post(int to, const void *data, size_t bytes)
{
    seat *const there = &world.seats[to];
    message *const sent = require(malloc(sizeof *sent + bytes));
    sent->next = NULL;
    sent->from = self;
    memcpy(sent->bytes, data, bytes);
    pthread_mutex_lock(&there->lock);
    *there->last = sent;
    there->last = &sent->next;
    pthread_cond_signal(&there->filled);
    pthread_mutex_unlock(&there->lock);
}

/* Waits for the next message of that rank. */
static void await(int from, void *data, size_t bytes)
{
    seat *const here = &world.seats[self];
    message **at = &here->first;
    pthread_mutex_lock(&here->lock);
    while (*at == NULL || (*at)->from != from)
        if (*at != NULL) {
            at = &(*at)->next;
        } else {
            pthread_cond_wait(&here->filled, &here->lock);
            at = &here->first;
        }
    message *const got = *at;
    *at = got->next;
    if (got->next == NULL)
        here->last = at;
    pthread_mutex_unlock(&here->lock);
    memcpy(data, got->bytes, bytes);
    free(got);
}

int MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int to, int send_tag,
    void *receive, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
    MPI_Comm comm, MPI_Status *status)
{
    const uint64_t bytes = (uint64_t)send_count * (uint64_t)send_type;
    scale_counts *const counts = &world.counts[self];
    (void)send_tag, (void)receive_tag, (void)comm, (void)status;
    if (to != MPI_PROC_NULL) {
        counts->messages++;
        counts->message_bytes += bytes;
        counts->longest = bytes > counts->longest ? bytes : counts->longest;
        post(to, send, (size_t)bytes);
    }
    if (from != MPI_PROC_NULL)
        await(from, receive, (size_t)receive_count * (size_t)receive_type);
    return 0;
}

static void *sit(void *rank)
{
    self = (int)(intptr_t)rank;
    world.body(world.user);
    return NULL;
}

scale_counts *scale_run(int ranks, void (*body)(void *user), void *user)
{
    enum { STACK_BYTES = 1 << 18 };
    pthread_attr_t attributes;
    pthread_t *const threads = require(calloc((size_t)ranks, sizeof *threads));
    world.ranks = ranks;
    world.body = body;
    world.user = user;
    world.seats = require(calloc((size_t)ranks, sizeof *world.seats));
    world.counts = require(calloc((size_t)ranks, sizeof *world.counts));
    pthread_barrier_init(&world.barrier, NULL, (unsigned)ranks);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (int rank = 0; rank < ranks; rank++) {
        pthread_mutex_init(&world.seats[rank].lock, NULL);
        pthread_cond_init(&world.seats[rank].filled, NULL);
        world.seats[rank].last = &world.seats[rank].first;
    }
    for (int rank = 0; rank < ranks; rank++)
        if (pthread_create(&threads[rank], &attributes, sit, (void *)(intptr_t)rank) != 0)
            abort();
    for (int rank = 0; rank < ranks; rank++)
        pthread_join(threads[rank], NULL);
    pthread_attr_destroy(&attributes);
    pthread_barrier_destroy(&world.barrier);
    free(world.seats);
    free(threads);
    return world.counts;
}
