/* toll_guest.h - names sections of a Solana program written in C, so that Toll measures their
 * compute units and heap.
 *
 *     toll_start("checks");
 *     ...
 *     toll_end("checks");
 *     {
 *         TOLL_SECTION("transfer");      ends with the block, however it is left
 *         ...
 *     }
 *
 * The runtime must have the two syscalls: crate toll-svm adds them to Mollusk and LiteSVM. They
 * cost no compute units. Ids are string literals here; sol_log_compute_units_start itself accepts
 * any bytes.
 *
 * Programs for SBPF v3 call syscalls by number: define TOLL_STATIC_SYSCALLS. */
#ifndef TOLL_GUEST_H
#define TOLL_GUEST_H

typedef unsigned long long toll_u64;

/* heap_value: bytes of heap in use. 0 means that they are not known, unless tracks_heap is this
 * value, "tollheap". No register contains it by accident, so a program may be built for the first
 * three arguments only. */
#define TOLL_TRACKS_HEAP 0x706165686c6c6f74ull

#ifdef TOLL_STATIC_SYSCALLS
typedef toll_u64 toll_syscall(const char *id, toll_u64 id_size, toll_u64 heap_value,
                              toll_u64 tracks_heap);
#define sol_log_compute_units_start ((toll_syscall *)0x82816ce7)
#define sol_log_compute_units_end ((toll_syscall *)0x395b3fcb)
#else
toll_u64 sol_log_compute_units_start(const char *id, toll_u64 id_size, toll_u64 heap_value,
                                     toll_u64 tracks_heap);
toll_u64 sol_log_compute_units_end(const char *id, toll_u64 id_size, toll_u64 heap_value,
                                   toll_u64 tracks_heap);
#endif

#define toll_start(id) sol_log_compute_units_start("" id, sizeof(id) - 1, 0, 0)
#define toll_end(id) sol_log_compute_units_end("" id, sizeof(id) - 1, 0, 0)
#define toll_start_with_heap(id, heap)                                                             \
    sol_log_compute_units_start("" id, sizeof(id) - 1, heap, TOLL_TRACKS_HEAP)
#define toll_end_with_heap(id, heap)                                                               \
    sol_log_compute_units_end("" id, sizeof(id) - 1, heap, TOLL_TRACKS_HEAP)

typedef struct toll_guard {
    const char *id;
    toll_u64 id_size;
} toll_guard;

static inline void toll_guard_end(const toll_guard *guard)
{
    sol_log_compute_units_end(guard->id, guard->id_size, 0, 0);
}

#define TOLL_JOIN_(a, b) a##b
#define TOLL_JOIN(a, b) TOLL_JOIN_(a, b)
#define TOLL_SECTION(name)                                                                         \
    toll_guard TOLL_JOIN(toll_guard_, __LINE__)                                                    \
        __attribute__((cleanup(toll_guard_end), unused)) = { "" name, sizeof(name) - 1 };          \
    toll_start(name)

#endif
