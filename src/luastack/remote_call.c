/* remote_call.c - see remote_call.h. */
#ifdef __linux__
#define _GNU_SOURCE /* process_vm_writev */
#include "remote_call.h"

#include <stdio.h>

#if defined(__x86_64__)

#include "process_files.h"
#include "process_symbols.h"
#include "remote_stub.h"
#include "remote_thread.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    RED_ZONE = 128, /* below the stack pointer, used by functions that call none */
    MOST_CODE = 512,
    MOST_ARGUMENT = 4096,
    MOST_ROUND_MS = 5000 /* over all threads, longer than the limit */
};

/* What is written below the thread's stack. */
typedef struct block {
    toll_stub_data data;
    char library[TOLL_THEIR_PATH], function[64];
    uint8_t argument[MOST_ARGUMENT];
} block;

typedef struct caller {
    const toll_remote_call *call;
    const toll_mappings *mappings;
    pid_t thread;
    uint64_t code;  /* the address of the routine */
    uint64_t at;    /* the address of the block */
    uint64_t limit; /* when no further round begins */
    struct user_regs_struct registers;
    block block;
    char *why;
    size_t why_size;
} caller;

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void rest(void)
{
    nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
}

/* Between two rounds over the threads, since each stop costs the process something. */
static void rest_longer(void)
{
    nanosleep(&(struct timespec){ 0, 10L * 1000 * 1000 }, NULL);
}

static bool fail(caller *c, const char *text, const char *more)
{
    snprintf(c->why, c->why_size, "%s%s", text, more);
    return false;
}

/* --- the call ----------------------------------------------------------------------------------*/

static bool write_memory(const caller *c, uint64_t to, const void *from, size_t size)
{
    const struct iovec local = { (void *)(uintptr_t)from, size },
                       remote = { (void *)(uintptr_t)to, size };
    return process_vm_writev(c->mappings->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/* Write the routine to memory that may only be executed: a debugger may. It is there already if
 * this was done before. */
static bool write_code(const caller *c)
{
    uint8_t code[MOST_CODE] = { 0 }, there[MOST_CODE];
    memcpy(code, toll_stub_begin, (size_t)(toll_stub_end - toll_stub_begin));
    if (!toll_process_read(c->mappings->pid, c->code, there, sizeof there))
        return false;
    for (size_t i = 0; i < MOST_CODE; i += sizeof(long)) {
        long word;
        memcpy(&word, code + i, sizeof word);
        if (memcmp(code + i, there + i, sizeof word) != 0 &&
            ptrace(PTRACE_POKETEXT, c->thread, (void *)(uintptr_t)(c->code + i),
                   (void *)(uintptr_t)word))
            return false;
    }
    return true;
}

/* Where the thread goes on, and with what in rax: a call of the system that was interrupted is made
 * again, as the kernel does it. */
static uint64_t place_to_return(const struct user_regs_struct *r, uint64_t *rax)
{
    enum { RESTART = 512, RESTART_NO_INTERRUPT, RESTART_NO_HANDLER, RESTART_BLOCK = 516 };
    long result = (long)r->rax;
    *rax = r->rax;
    if ((long)r->orig_rax < 0 || result > -RESTART || result < -RESTART_BLOCK || result == -515)
        return r->rip;
    *rax = result == -RESTART_BLOCK ? SYS_restart_syscall : r->orig_rax;
    return r->rip - 2; /* the instruction itself */
}

static void fill(caller *c)
{
    toll_stub_data *d = &c->block.data;
    c->at = (c->registers.rsp - RED_ZONE - sizeof(uint64_t) - sizeof c->block) & ~(uint64_t)63;
    d->end_stack = c->registers.rsp - RED_ZONE - sizeof(uint64_t);
    d->library = c->at + offsetof(block, library);
    d->name = c->at + offsetof(block, function);
    d->argument = c->at + offsetof(block, argument);
    d->xsave_size = toll_stub_xsave_size();
    d->result = d->error = 0; /* those of the thread before, of several */
    d->state = TOLL_STUB_RUNS;
    d->function = c->call->address;
    d->file = 0;
    snprintf(c->block.function, sizeof c->block.function, "%s",
             c->call->function ? c->call->function : "");
    memcpy(c->block.argument, c->call->argument, c->call->size);
}

/* Have the stopped thread begin. Until its registers are set, nothing has changed that it uses. */
static bool begin(caller *c)
{
    uint64_t to;
    if (c->call->stopped)
        c->call->stopped(c->call->user);
    fill(c);
    to = place_to_return(&c->registers, &c->block.data.rax);
    if (!write_code(c) || !write_memory(c, c->at, &c->block, sizeof c->block) ||
        !write_memory(c, c->block.data.end_stack, &to, sizeof to))
        return fail(c, "its memory cannot be written: ", strerror(errno));
    struct user_regs_struct r = c->registers;
    r.rip = c->code;
    r.rsp = c->at;
    r.orig_rax = (unsigned long long)-1;
    if (ptrace(PTRACE_SETREGS, c->thread, NULL, &r))
        return fail(c, "its registers cannot be set: ", strerror(errno));
    return !ptrace(PTRACE_CONT, c->thread, NULL, NULL) || fail(c, "it has ended", "");
}

static bool is_in_code(const caller *c)
{
    return c->registers.rip >= c->code && c->registers.rip < c->code + MOST_CODE;
}

static bool let_go(const caller *c)
{
    static const uint64_t may_go = TOLL_STUB_MAY_GO;
    return write_memory(c, c->at + offsetof(toll_stub_data, state), &may_go, sizeof may_go);
}

/* Give the routine the library, in the memory that it has made for it. */
static bool give_library(caller *c)
{
    char error[96];
    if (!toll_process_give_file(c->mappings->pid, (int)c->block.data.file, c->call->library,
                                c->block.library, error, sizeof error))
        return fail(c, "the module cannot be handed over: ", error);
    return write_memory(c, c->at + offsetof(block, library), c->block.library,
                        sizeof c->block.library);
}

/* Read what the routine has got to; it must be stopped. */
static uint64_t read_state(caller *c)
{
    toll_stub_data *d = &c->block.data;
    return is_in_code(c) && toll_process_read(c->mappings->pid, c->at, d, sizeof *d)
               ? d->state
               : TOLL_STUB_RUNS;
}

static void say_error(caller *c)
{
    char text[200] = "";
    if (*c->why) /* said already */
        return;
    for (size_t i = 0; i + 1 < sizeof text && c->block.data.error; i++)
        if (!toll_process_read(c->mappings->pid, c->block.data.error + i, text + i, 1) || !text[i])
            break;
    text[sizeof text - 1] = 0;
    if (c->block.data.file < 0)
        fail(c, "it has no memory for the module (memfd_create): ",
             strerror((int)-c->block.data.file));
    else
        fail(c,
             "it cannot load the module: ", *text ? text : "the dynamic linker does not say why");
}

/* Stop the thread again and again until the function has returned. The routine stays where it is:
 * whether a thread has left it cannot be known, since it may be in a signal's handler. */
static bool end(caller *c)
{
    uint64_t limit = now_ms() + c->call->most_ms + 10000;
    for (;;) {
        rest();
        if (!toll_remote_hand_on_signals(c->thread) || !toll_remote_stop(c->thread, &c->registers))
            return fail(c, "it has ended", "");
        uint64_t state = read_state(c);
        if (state == TOLL_STUB_WAITS) {
            let_go(c);
            if (!c->block.data.result)
                say_error(c);
            return c->block.data.result != 0;
        }
        if (state == TOLL_STUB_WANTS_FILE && !*c->why && give_library(c))
            let_go(c);
        if (now_ms() >= limit) { /* the thread is stopped, as it must be to be left alone */
            if (c->call->goes_on)
                *c->call->goes_on = true;
            return fail(c, "it does not come to an end of loading the module", "");
        }
        ptrace(PTRACE_CONT, c->thread, NULL, NULL);
    }
}

/* Try one thread. `called`: it was the right moment. */
static bool try_thread(caller *c, bool *called)
{
    bool good = false;
    if (ptrace(PTRACE_SEIZE, c->thread, NULL, NULL)) {
        if (errno == EPERM && toll_remote_is_alive(c->mappings->pid, c->thread))
            fail(c, "it may not be traced, or a debugger traces it", "");
        return false;
    }
    if (toll_remote_stop(c->thread, &c->registers)) {
        if (!toll_mappings_are_current(c->mappings))
            fail(c, "it has executed another program", "");
        *called = !*c->why && toll_remote_may_load(c->mappings, &c->registers, c->call->waits_only);
        good = *called && begin(c) && end(c);
        toll_process_remove_file(c->mappings->pid, c->block.library);
        ptrace(PTRACE_DETACH, c->thread, NULL, NULL);
    }
    return good;
}

static bool try_threads(caller *c, bool *called)
{
    char path[64];
    bool good = false;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)c->mappings->pid);
    DIR *folder = opendir(path);
    if (!folder)
        return fail(c, "it has ended", "");
    for (struct dirent *entry; (!*called || c->call->in_each) && !*c->why &&
                               now_ms() < c->limit + MOST_ROUND_MS && (entry = readdir(folder));) {
        bool is_right = false;
        c->thread = isdigit((unsigned char)*entry->d_name) ? (pid_t)atol(entry->d_name) : 0;
        if (c->call->in_main && c->thread != c->mappings->pid)
            continue;
        good |= c->thread && try_thread(c, &is_right);
        *called |= is_right;
    }
    closedir(folder);
    return good;
}

/* Do the process's threads have shadow stacks, which refuse the return from our routine? */
static bool has_shadow_stacks(pid_t pid)
{
    char line[256];
    bool found = false;
    snprintf(line, sizeof line, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(line, "r");
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "x86_Thread_features:", 20) == 0 && strstr(line, "shstk");
    if (file)
        fclose(file);
    return found;
}

/* Find all that is needed, while the process runs. */
static bool is_possible(caller *c)
{
    toll_stub_data *d = &c->block.data;
    if (c->call->size > MOST_ARGUMENT || toll_stub_end - toll_stub_begin > MOST_CODE)
        return fail(c, "the argument or the routine is too long", "");
    if (c->call->library && access(c->call->library, R_OK))
        return fail(c, "the module cannot be read: ", strerror(errno));
    if (!toll_stub_xsave_size())
        return fail(c, "this processor has no xsave", "");
    if (has_shadow_stacks(c->mappings->pid))
        return fail(c, "its threads have shadow stacks", "");
    d->dlopen = toll_process_function(c->mappings, "dlopen");
    d->dlsym = toll_process_function(c->mappings, "dlsym");
    d->dlerror = toll_process_function(c->mappings, "dlerror");
    d->errno_location = toll_process_function(c->mappings, "__errno_location");
    if (!d->dlopen || !d->dlsym || !d->dlerror || !d->errno_location)
        return fail(c, "it loads no libraries: it is linked statically", "");
    c->code = toll_process_room(c->mappings, MOST_CODE);
    return c->code ? true : fail(c, "there is no room in it for code", "");
}

uint64_t toll_remote_call_function(const toll_mappings *mappings, const toll_remote_call *call,
                                   char *why, size_t size)
{
    bool called = false, good = false;
    caller *c = calloc(1, sizeof *c);
    *why = 0;
    if (!c)
        snprintf(why, size, "out of memory");
    if (!c)
        return 0;
    *c = (caller){ .call = call, .mappings = mappings, .why = why, .why_size = size };
    if (is_possible(c))
        for (c->limit = now_ms() + call->most_ms; !called && !*why && now_ms() < c->limit;
             rest_longer())
            good = try_threads(c, &called);
    if (!called && !*why)
        fail(c, "no thread of it comes to a point where the module can be loaded", "");
    uint64_t result = good ? c->block.data.result : 0;
    free(c);
    return result;
}

#else

uint64_t toll_remote_call_function(const toll_mappings *mappings, const toll_remote_call *call,
                                   char *why, size_t size)
{
    (void)mappings, (void)call;
    snprintf(why, size, "that is done on x86-64 alone so far");
    return 0;
}

#endif

#else

typedef int toll_no_remote_call; /* a file may not be empty */

#endif
