/* control_commands.c - see control_commands.h. */
#include "control_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control_data.h"
#include "control_socket.h"
#include "lua_control.h"
#include "system_clock.h"

enum { MOST_SECONDS = 1, STEP_NS = 2000000 };

static bool is_asked(const control *c)
{
    return atomic_load(&c->L) && atomic_load(&c->has_socket);
}

static bool some_wait(void)
{
    for (const control *c = atomic_load(&host_controls); c; c = c->next)
        if (is_asked(c) && (atomic_load(&c->requested) || atomic_load(&c->is_taken)))
            return true;
    return false;
}

static void await_states(void)
{
    const uint64_t end =
        host_read_clock(CLOCK_MONOTONIC) + UINT64_C(1) * MOST_SECONDS * HOST_NS_A_SECOND;
    while (some_wait() && host_read_clock(CLOCK_MONOTONIC) < end)
        nanosleep(&(struct timespec){ 0, STEP_NS }, NULL);
}

/* What the state will do when it runs Lua next; NULL: nothing. */
static const char *next_step(const control *c)
{
    bool records = atomic_load(&c->p->active), on = atomic_load(&c->on);
    if (!atomic_load(&c->requested))
        return NULL;
    if (on != records)
        return on ? "will begin" : "will end";
    return on && atomic_load(&c->wants_snapshot) ? "will write what it has" : NULL;
}

/* Without the signal, which the program handles itself by now, only a call of the host's is seen.
 */
static const char *next_time(const control *c)
{
    return host_is_handled(c->signal_number)
               ? " when the program next runs Lua"
               : " when the program next calls Lua: it has changed the handler of Toll's signal";
}

/* Returns what host_socket_send does. */
static bool describe(const control *c, bool wants_file, int client)
{
    host_outcome came;
    host_outcome_read(&c->outcome, &came);
    bool records = atomic_load(&c->p->active);
    const char *next = next_step(c);
    char so_far[64] = "";
    if (wants_file && !records && !next)
        snprintf(came.failure, sizeof came.failure, "nothing is recorded");
    if (records && came.begun_ns)
        snprintf(so_far, sizeof so_far, ", %.1f s so far",
                 (double)(host_read_clock(CLOCK_MONOTONIC) - came.begun_ns) / HOST_NS_A_SECOND);
    return host_socket_send(
        client, "%sprocess %ld: state %u: %s%s%s%s%s%s%s%s%s\n", *came.failure ? "error: " : "",
        (long)getpid(), (unsigned)c->number, records ? "recording" : "not recording", so_far,
        next ? "; " : "", next ? next : "", next ? next_time(c) : "",
        *came.file ? "; written: " : "", came.file, *came.failure ? "; " : "", came.failure);
}

/* In the order of their numbers: the list begins with the last one. */
static void describe_all(bool wants_file, int client)
{
    const control *last = atomic_load(&host_controls);
    const control **by_number = last ? calloc(last->number, sizeof *by_number) : NULL;
    uint32_t count = 0;
    bool takes = true;
    for (const control *c = last; c && by_number; c = c->next)
        if (is_asked(c))
            by_number[count++] = c;
    for (uint32_t i = count; i > 0 && takes; i--)
        takes = describe(by_number[i - 1], wants_file, client);
    free(by_number);
    if (!count)
        host_socket_send(client, "process %ld: there is no state now that takes commands\n",
                         (long)getpid());
}

void host_answer_command(const char *command, int client)
{
    static const char *const commands[] = {
        [HOST_COMMAND_ON] = "on", [HOST_COMMAND_OFF] = "off", [HOST_COMMAND_SNAPSHOT] = "snapshot"
    };
    bool is_known = strcmp(command, "status") == 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(command, commands[i]) == 0) {
            host_control_command((host_command)i);
            is_known = true;
        }
    if (!is_known) {
        host_socket_send(client,
                         "error: process %ld: '%s' is no command: on, off, snapshot, "
                         "status\n",
                         (long)getpid(), command);
        return;
    }
    await_states();
    describe_all(strcmp(command, "snapshot") == 0, client);
}
