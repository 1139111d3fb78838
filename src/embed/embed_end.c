/* embed_end.c - decides who writes the file of a recording, and when: at its end, on a signal, or
 * at exit. In a forked child it ends without a file. See embed_data.h. */
#include "base/fail.h"
#include "embed/embed_data.h"
#include "embed/embed_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT_STEPS = 100,  /* how long to wait for the next event of the VM's thread */
    EVENT_STEPS = 5000 /* for the end of an event that has begun: its thread may have to wait for a
                        * processor. Not forever: it may wait for the thread that exits */
};

static toll_embed recording = { .attention = TOLL_EMBED_IS_OFF };
static atomic_bool is_used;        /* the recording is not free */
static _Atomic(toll_embed *) live; /* &recording if it may be taken, else NULL */
static atomic_int writers;         /* threads that have taken the recording and have not written it
                                    * yet */
static atomic_bool is_forked;      /* see toll_embed_is_forked */
static atomic_int dying;           /* the signal that ends the process afterwards; 0: none */

/* --- taking it
 * --------------------------------------------------------------------------------- */

/* Take the recording. True: the caller must write it, and then call `written`. */
static bool take(toll_embed *e)
{
    atomic_fetch_add(&writers, 1); /* first: otherwise a thread could find it neither live nor being
                                    * written */
    if (atomic_compare_exchange_strong(&live, &(toll_embed *){ e }, NULL))
        return true;
    atomic_fetch_sub(&writers, 1);
    return false;
}

static void written(toll_embed *e)
{
    atomic_store(&e->attention, TOLL_EMBED_IS_OFF);
    if (atomic_fetch_sub(&writers, 1) == 1 && atomic_load(&dying))
        toll_embed_die(atomic_load(&dying));
}

static void wait_until_written(void)
{
    while (atomic_load(&writers))
        toll_embed_wait_a_little();
}

static void write_or_complain(toll_embed *e, int signal_number)
{
    toll_error err;
    if (toll_embed_write(e, signal_number, &err))
        toll_embed_complain(&err);
}

/* Wait until the VM's thread writes it in its next event, if that comes soon. */
static void wait_for_vm_thread(const toll_embed *e)
{
    for (int i = 0; i < WAIT_STEPS && !toll_embed_is_vm_thread() && atomic_load(&live) == e; i++)
        toll_embed_wait_a_little();
}

static bool is_busy(const toll_embed *e)
{
    return atomic_load_explicit(&e->busy, memory_order_acquire) != 0;
}

static void wait_for_end_of_event(const toll_embed *e)
{
    for (int i = 0; i < EVENT_STEPS && is_busy(e) && atomic_load(&live) == e; i++)
        toll_embed_wait_a_little();
}

/* --- a signal ----------------------------------------------------------------------------------*/

static void on_signal(int signal_number)
{
    int saved = errno;
    toll_embed *e = atomic_load(&live);
    if (e) {
        atomic_store(&e->attention, signal_number);
        wait_for_vm_thread(e);
    }
    if (e && !is_busy(e) && take(e)) {
        atomic_store(&dying, signal_number);
        write_or_complain(e, signal_number);
        written(e);
    } else if (!atomic_load(&live)) {
        atomic_store(&dying, signal_number); /* for the thread that writes it, if there is one */
        if (!atomic_load(&writers))
            toll_embed_die(signal_number);
    } /* else an event is in progress, and writes it at its end */
    errno = saved;
}

bool toll_embed_attend(toll_embed *e)
{
    int why = atomic_load(&e->attention);
    if (why != TOLL_EMBED_IS_OFF && take(e)) {
        if (why > 0)
            atomic_store(&dying, why);
        write_or_complain(e, why > 0 ? why : 0);
        written(e);
    }
    wait_until_written();
    atomic_store_explicit(&e->busy, 0, memory_order_release);
    return false;
}

/* --- exit --------------------------------------------------------------------------------------*/

static void at_exit(void)
{
    static const toll_error in_event = {
        TOLL_E_STATE, "the profile is not saved: the process exits in the middle of an event"
    };
    toll_embed *e = atomic_load(&live);
    if (e && !toll_embed_is_vm_thread()) {
        atomic_store(&e->attention, TOLL_EMBED_EXITS);
        wait_for_vm_thread(e);
        wait_for_end_of_event(e);
    }
    if (e && !is_busy(e) && take(e)) {
        write_or_complain(e, 0);
        written(e);
    } else if (atomic_load(&live)) {
        toll_embed_complain(&in_event);
    }
    wait_until_written();
}

/* --- a fork ------------------------------------------------------------------------------------*/

/* If another thread was changing the recording during the fork, its state is unknown. */
static void in_forked_child(void)
{
    toll_embed *e = atomic_load(&live);
    atomic_store(&writers, 0);
    atomic_store(&dying, 0);
    atomic_store(&is_forked, true);
    if (!e)
        return;
    if (is_busy(e) || !e->is_by_process) {
        atomic_store(&live, NULL);
        atomic_store(&e->attention, TOLL_EMBED_IS_OFF);
        return;
    }
    toll_embed_set_thread();
    atomic_store(&e->attention, 0);
    toll_embed_read_counters(e);
    toll_recorder_rebase(e->recorder, e->now);
    toll_recorder_start_over(e->recorder);
    e->stale_ids = e->frames_not_seen = e->odd_budgets = 0;
}

/* --- its life ----------------------------------------------------------------------------------*/

toll_embed *toll_embed_claim(void)
{
    if (atomic_exchange(&is_used, true))
        return NULL;
    uint32_t number = recording.number + 1;
    memset(&recording, 0, sizeof recording);
    recording.number = number;
    recording.not_seen = TOLL_NONE;
    atomic_store(&recording.attention, TOLL_EMBED_IS_OFF);
    return &recording;
}

bool toll_embed_is_forked(void)
{
    return atomic_load(&is_forked);
}

void toll_embed_go_live(toll_embed *e, bool watch_signals)
{
    static bool is_watched; /* used only while the recording is claimed */
    toll_embed_set_thread();
    if (!is_watched) {
        is_watched = true;
        atexit(at_exit);
        toll_embed_watch_forks(in_forked_child);
    }
    atomic_store(&e->attention, 0);
    atomic_store(&live, e);
    if (watch_signals)
        toll_embed_watch_signals(on_signal);
}

toll_status toll_embed_finish(toll_embed *e, toll_error *err)
{
    toll_status status = TOLL_OK;
    if (take(e)) {
        status = toll_embed_write(e, 0, err);
        written(e);
    }
    wait_until_written();
    return status;
}

void toll_embed_let_go(toll_embed *e)
{
    toll_embed_leave_signals();
    atomic_store(&e->attention, TOLL_EMBED_IS_OFF);
    atomic_store(&is_used, false);
}
