/* control_outcome.c - see control_outcome.h. */
#include "control_outcome.h"

#include <pthread.h>
#include <stdio.h>

#include "system_clock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void host_outcome_begin(host_outcome *o, bool records)
{
    pthread_mutex_lock(&lock);
    o->begun_ns = records ? host_read_clock(CLOCK_MONOTONIC) : 0;
    *o->file = *o->failure = 0;
    pthread_mutex_unlock(&lock);
}

void host_outcome_wrote(host_outcome *o, const char *path)
{
    pthread_mutex_lock(&lock);
    snprintf(o->file, sizeof o->file, "%s", path);
    *o->failure = 0;
    pthread_mutex_unlock(&lock);
}

void host_outcome_fail(host_outcome *o, const char *message)
{
    pthread_mutex_lock(&lock);
    snprintf(o->failure, sizeof o->failure, "%s", message);
    pthread_mutex_unlock(&lock);
}

void host_outcome_read(const host_outcome *o, host_outcome *copy)
{
    pthread_mutex_lock(&lock);
    *copy = *o;
    pthread_mutex_unlock(&lock);
}

void host_outcome_after_fork(void)
{
    pthread_mutex_init(&lock, NULL); /* another thread may have held it */
}
