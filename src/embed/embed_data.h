/* embed_data.h - the recording of a process that embeds Toll by toll/embed.h, and what its files
 * share. A file uses only functions of files that come before it here.
 *
 * There is one recording at a time, in static memory: a signal handler, or another thread that
 * exits, may look at it at any moment, also while it ends. What it goes through:
 *
 *     free --begin--> live --take--> taken, being written --> off --end--> free
 *
 * Whoever takes it writes the file, and nobody else does: toll_embed_end, the end of an event after
 * a signal, a signal handler, or the exit of the process. In a forked child it goes from live to
 * off at once. Once it is off, all its events do nothing.
 *
 * `busy` means that the VM's thread is in the middle of an event: only that thread may look at the
 * recorder then. Who else wants the file written sets `attention`, which each event looks at before
 * it changes anything, and again at its end. `busy` needs no memory fence before that look, since
 * other threads let much time pass between setting `attention` and reading `busy`. */
#ifndef TOLL_EMBED_EMBED_DATA_H
#define TOLL_EMBED_EMBED_DATA_H

#include "base/mem.h"
#include "base/os.h"

#include <stdatomic.h>
#include <toll/clock.h>
#include <toll/embed.h>

/* `attention`, where it is not the number of a signal. */
enum { TOLL_EMBED_EXITS = -1, TOLL_EMBED_IS_OFF = -2 };

struct toll_embed {
    toll_recorder *recorder;
    toll_clock *clock;       /* NULL: the VM's counter is read */
    const uint64_t *counter; /* the VM's; NULL: none */
    uint64_t now;            /* its value at the last event */
    uint32_t number;         /* of the recording in the process; the high half of its ids */
    toll_frame_id not_seen;  /* the frame of what toll_embed_sync was not told of; TOLL_NONE: none
                                so far */
    atomic_int busy;         /* 0: no event is under way, and nothing is held */
    atomic_int attention;    /* 0: none is asked for */

    /* What becomes notes. */
    uint64_t stale_ids, frames_not_seen, odd_budgets;

    bool is_by_process;              /* the name has %p */
    bool is_numbered;                /* the name has %n */
    char pattern[TOLL_OS_PATH_SIZE]; /* the file's name, with its %p and %n */
};

/* --- embed_save.c ------------------------------------------------------------------------------*/

/* A line on standard error. For signal handlers, too. */
void toll_embed_complain(const toll_error *err);

/* Take the file's name. False, with err: it has none of the formats that can be written here. */
toll_status toll_embed_set_path(toll_embed *embed, const char *pattern, toll_error *err);

/* Charge up to now, and write the file. For signal handlers, too: it allocates from the kernel.
 * signal_number  which ends the process; 0: none */
toll_status toll_embed_write(toll_embed *embed, int signal_number, toll_error *err);

/* Read the counter. */
static inline void toll_embed_read_counter(toll_embed *e)
{
    if (e->clock)
        e->now = toll_clock_now(e->clock);
    else if (e->counter)
        e->now = *e->counter;
}

/* --- embed_end.c -------------------------------------------------------------------------------*/

/* The recording of the process, if it is free: it is no longer. NULL: it is in use. */
toll_embed *toll_embed_claim(void);

/* This process was forked from one that had a recording. */
bool toll_embed_is_forked(void);

/* It is complete: from here on it may be taken. */
void toll_embed_go_live(toll_embed *embed, bool watch_signals);

/* End it: take and write it if nobody has, else wait until it is written. */
toll_status toll_embed_finish(toll_embed *embed, toll_error *err);

/* It is free again. */
void toll_embed_let_go(toll_embed *embed);

/* Somebody asked for attention. True: the event may go on; false: the recording is off. */
bool toll_embed_attend(toll_embed *embed);

/* --- embed.c -----------------------------------------------------------------------------------*/

/* An event, or another change of the recorder, begins. False: it is off. */
static inline bool toll_embed_enter(toll_embed *e)
{
    if (!e)
        return false;
    atomic_store_explicit(&e->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* the look, and all changes, come after that */
    return !atomic_load_explicit(&e->attention, memory_order_relaxed) || toll_embed_attend(e);
}

/* The end of what toll_embed_enter began. */
static inline void toll_embed_leave(toll_embed *e)
{
    atomic_store_explicit(&e->busy, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst); /* a signal until here has set `attention` */
    if (atomic_load_explicit(&e->attention, memory_order_relaxed))
        toll_embed_attend(e);
}

#endif
