/* embed_data.h - declares the recording of a process that uses toll/embed.h, and the functions that
 * its files share. A file uses only functions of files that come before it here.
 *
 * There is one recording at a time, in static memory: a signal handler, or another thread that
 * exits, may read it at any moment, also while it ends. Its states:
 *
 *     free --begin--> live --take--> taken, being written --> off --end--> free
 *
 * Exactly one caller takes the recording, and that one writes the file: toll_embed_end, the end of
 * an event after a signal, a signal handler, or the exit of the process. In a forked child it goes
 * from live to off at once. Once it is off, all its events do nothing.
 *
 * `busy` means that the VM's thread is in the middle of an event: only that thread may read the
 * recorder then. Any other thread that wants the file written sets `attention`, which each event
 * reads before it changes anything, and again at its end. `busy` needs no memory fence before that
 * read, since other threads wait for a long time between setting `attention` and reading `busy`. */
#ifndef TOLL_EMBED_EMBED_DATA_H
#define TOLL_EMBED_EMBED_DATA_H

#include "base/cpu_clock.h"
#include "base/mem.h"
#include "base/os.h"

#include <stdatomic.h>
#include <toll/clock.h>
#include <toll/embed.h>

/* Values of `attention` that are not numbers of signals. */
enum { TOLL_EMBED_EXITS = -1, TOLL_EMBED_IS_OFF = -2 };

/* CPU time, and what was waited; else one counter. */
enum { TOLL_EMBED_COUNTERS = 2 };

struct toll_embed {
    toll_recorder *recorder;
    const uint64_t *counter;           /* the VM's; NULL: one of the clocks is read: */
    toll_clock *clock;                 /* of wall time, or NULL: */
    toll_cpu_clock cpu;                /* of CPU time */
    uint64_t now[TOLL_EMBED_COUNTERS]; /* the counters at the last event */
    uint32_t number;        /* the recording's number in the process, which is the high half of its
                             * ids */
    toll_frame_id not_seen; /* the frame for functions that toll_embed_sync knows only by their
                             * number; TOLL_NONE: none so far */
    atomic_int busy;        /* 0 if no event is in progress and nothing is held */
    atomic_int attention;   /* 0 if no thread has asked for it */

    /* Counts that become notes. */
    uint64_t stale_ids, frames_not_seen, odd_budgets;

    bool is_by_process;              /* the name has %p */
    bool is_numbered;                /* the name has %n */
    char pattern[TOLL_OS_PATH_SIZE]; /* the file's name, with its %p and %n */
};

/* --- embed_save.c ------------------------------------------------------------------------------*/

/* Print the message as a line on standard error. Signal handlers may call it. */
void toll_embed_complain(const toll_error *err);

/* Set the file's name. Fails, with *err, if its ending is not that of a format that can be written
 * here. */
toll_status toll_embed_set_path(toll_embed *embed, const char *pattern, toll_error *err);

/* Charge up to now, and write the file. Signal handlers may call it: it allocates from the kernel.
 * signal_number  which ends the process; 0: none */
toll_status toll_embed_write(toll_embed *embed, int signal_number, toll_error *err);

static inline void toll_embed_read_counters(toll_embed *e)
{
    if (e->counter) {
        e->now[0] = *e->counter;
    } else if (e->clock) {
        e->now[0] = toll_clock_now(e->clock);
    } else {
        e->now[0] = toll_cpu_clock_now(&e->cpu, e->now[0]);
        e->now[1] = e->cpu.waited;
    }
}

/* --- embed_end.c -------------------------------------------------------------------------------*/

/* Claim the recording of the process. NULL: it is in use. */
toll_embed *toll_embed_claim(void);

/* Was this process forked from one that had a recording? */
bool toll_embed_is_forked(void);

/* Make the recording live: it is complete, and may be taken from now on. */
void toll_embed_go_live(toll_embed *embed, bool watch_signals);

/* End the recording: take and write it, or wait until it is written if another thread has taken
 * it. */
toll_status toll_embed_finish(toll_embed *embed, toll_error *err);

/* Make the recording free again. */
void toll_embed_let_go(toll_embed *embed);

/* Handle a request for attention. True: the event may continue; false: the recording is off. */
bool toll_embed_attend(toll_embed *embed);

/* --- embed.c -----------------------------------------------------------------------------------*/

/* Begin an event or another change of the recorder. False: the recording is off. */
static inline bool toll_embed_enter(toll_embed *e)
{
    if (!e)
        return false;
    atomic_store_explicit(&e->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* reading `attention`, and all changes, come after
                                                * that */
    return !atomic_load_explicit(&e->attention, memory_order_relaxed) || toll_embed_attend(e);
}

/* End what toll_embed_enter began. */
static inline void toll_embed_leave(toll_embed *e)
{
    atomic_store_explicit(&e->busy, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst); /* a signal that came before this has set
                                                * `attention` */
    if (atomic_load_explicit(&e->attention, memory_order_relaxed))
        toll_embed_attend(e);
}

#endif
