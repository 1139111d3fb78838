/* run_asked.c - on WASI, where a program cannot start others, toll run asks its caller to start the
 * guest's process. Replaces run_child.c, run_lua.c and run_repeat.c if TOLL_RUN_IS_ASKED
 * (hosts/wasm/whole_command.cmake). See run.h.
 *
 * The variable TOLL_ASK is the number of a descriptor. What is written there are texts, each with a
 * NUL at its end: the number of arguments, the labels for TOLL_LABELS, and the arguments; after
 * them what the process reads from TOLL_RUN_INPUT. Reading from the descriptor starts the process,
 * waits for its end, and gives its exit status as a text. */
#define _POSIX_C_SOURCE 200809L
#include "repeat.h"
#include "run.h"

#if TOLL_RUN_IS_ASKED

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool send_text(int fd, const char *text)
{
    size_t size = strlen(text) + 1;
    return write(fd, text, size) == (ssize_t)size;
}

static bool send_line(int fd, char **argv)
{
    const char *labels = getenv("TOLL_LABELS");
    char number[12];
    int count = 0;
    while (argv[count])
        count++;
    snprintf(number, sizeof number, "%d", count);
    bool good = send_text(fd, number) && send_text(fd, labels ? labels : "");
    for (int i = 0; good && i < count; i++)
        good = send_text(fd, argv[i]);
    return good;
}

/* Have the process run. Returns its exit status, or -1: the caller did not start it. */
static int ask(const toll_run *run, int fd, char **argv, const toll_run_ways *ways)
{
    char answer[12];
    if (!send_line(fd, argv))
        return -1;
    if (ways->send)
        ways->send(run, fd);
    ssize_t size = read(fd, answer, sizeof answer - 1);
    if (size == 0)
        errno = EIO;
    if (size <= 0)
        return -1;
    answer[size] = 0;
    return atoi(answer);
}

int toll_run_child(const toll_run *run, char **argv, const toll_run_ways *ways)
{
    const char *number = getenv("TOLL_ASK");
    if (!number)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "run: nothing here can start %s", argv[0]);
    int status = toll_run_check_outputs(run);
    if (status >= 0)
        return status;
    toll_run_mark before = toll_run_mark_file(run->output);
    status = ask(run, atoi(number), argv, ways);
    if (status < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot run %s: %s", argv[0], strerror(errno));
    toll_run_mark after = toll_run_mark_file(run->output);
    int own = TOLL_EXIT_OK;
    if (run->written && toll_run_is_written(&before, &after))
        own = run->written(run, run->written_user);
    return status ? status : own;
}

bool toll_run_find_beside(const char *const *places, const char *file, char *folder)
{
    (void)places;
    (void)file;
    (void)folder;
    return false; /* the variable TOLL_WASM_DIR says where it is */
}

uint64_t toll_run_grow_stack(uint64_t most)
{
    (void)most;
    return 0;
}

static const char no_lua[] = "no toll run of Lua: it needs Toll's own program for Linux";
static const char get_lua[] = "install it; see docs/building.md";

int toll_run_lua(const toll_run *run)
{
    (void)run;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "run: %s; %s", no_lua, get_lua);
}

void toll_run_find_lua(toll_run_need *need)
{
    *need = (toll_run_need){ .get = get_lua };
    snprintf(need->found, sizeof need->found, "%s", no_lua);
}

int toll_cmd_compare(toll_settings *s, int argc, char **argv)
{
    (void)s;
    (void)argc;
    (void)argv;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "compare: needs Toll's own program for Linux");
}

int toll_check_repeat(toll_job *job, int argc, char **argv, toll_profile **out)
{
    (void)job;
    (void)argc;
    (void)argv;
    *out = NULL;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "check: --repeat needs Toll's own program for Linux");
}

#endif
