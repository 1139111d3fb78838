/* output_name.c - see output_name.h. */
#define _GNU_SOURCE /* syscall */
#include "output_name.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A name, and how many states have had it. They keep their numbers when they close: their files are
 * there. */
typedef struct claim {
    struct claim *next;
    uint64_t last; /* profiler.state */
    uint32_t count;
    char name[];
} claim;

static claim *claims;
static pthread_mutex_t claims_lock = PTHREAD_MUTEX_INITIALIZER;

static claim *find(const char *name)
{
    for (claim *c = claims; c; c = c->next)
        if (strcmp(c->name, name) == 0)
            return c;
    claim *c = calloc(1, sizeof *c + strlen(name) + 1);
    if (!c)
        return NULL;
    strcpy(c->name, name);
    c->next = claims;
    claims = c;
    return c;
}

/* The number of the state for that name; 0: no memory. A state that names a file again has the same
 * one, unless another state has named it since, or `anew`. */
static uint32_t claim_name(uint64_t state, const char *name, bool anew)
{
    claim *c = find(name);
    if (!c)
        return 0;
    if (anew || !c->count || c->last != state)
        c->count++;
    c->last = state;
    return c->count;
}

bool host_names_process(const char *name)
{
    for (const char *c = strchr(name, '%'); c && c[1]; c = strchr(c + 2, '%'))
        if (c[1] == 'p')
            return true;
    return false;
}

void host_forget_numbers(void)
{
    pthread_mutex_init(&claims_lock, NULL); /* another thread may have held it */
    for (claim *c = claims; c; c = c->next)
        if (host_names_process(c->name))
            c->count = 0;
}

void host_number_again(profiler *p)
{
    p->kept_number = claim_name(p->state, p->kept, true);
}

/* Append the output's name to `to`, with the number of this thread in place of %t. */
static void append_name(char *to, size_t size, const char *output)
{
    size_t n = strlen(to);
    for (const char *c = output; *c && n + 24 < size; c++) {
        if (*c == '%' && c[1] == 't') {
            n += (size_t)snprintf(to + n, 24, "%ld", (long)syscall(SYS_gettid));
            c++;
            continue;
        }
        to[n++] = *c;
        if (*c == '%' && c[1])
            to[n++] = *++c; /* a pair, such as %% */
    }
    to[n] = 0;
}

bool host_set_output(profiler *p, const host_options *o)
{
    const char *output = o->output;
    char folder[PATH_MAX] = "";
    free(p->kept);
    p->kept = NULL;
    if (!output)
        return true;
    bool relative = *output != '/' && getcwd(folder, sizeof folder);
    size_t size = strlen(folder) + 12 * strlen(output) + 26; /* a number has 10 digits at most */
    p->kept = malloc(size);
    if (!p->kept)
        return false;
    snprintf(p->kept, size, "%s%s", folder, relative ? "/" : "");
    append_name(p->kept, size, output);
    p->kept_by_process = host_names_process(output);
    pthread_mutex_lock(&claims_lock);
    p->kept_number = claim_name(p->state, p->kept, o->signal_number || o->socket);
    pthread_mutex_unlock(&claims_lock);
    return p->kept_number != 0;
}

/* Where the extension of the output's format begins. */
static const char *extension_of(const char *name)
{
    const toll_format *format = toll_format_for_path(name);
    const char *end = name + strlen(name), *found = end;
    for (const char *const *e = format ? format->extensions : NULL; e && *e; e++) {
        size_t size = strlen(*e);
        if (size < (size_t)(end - name) && strcmp(end - size, *e) == 0 && end - size < found)
            found = end - size;
    }
    return found;
}

bool host_output_path(const profiler *p, char *path, size_t size)
{
    const char *extension = strstr(p->kept, "%n") ? NULL : extension_of(p->kept);
    size_t n = 0;
    for (const char *c = p->kept; *c; c++) {
        if (n + 48 > size)
            return false;
        if (c == extension && p->kept_number > 1)
            n += (size_t)snprintf(path + n, 24, "-%u", (unsigned)p->kept_number);
        if (*c != '%')
            path[n++] = *c;
        else if (*++c == 'p')
            n += (size_t)snprintf(path + n, 24, "%ld", (long)getpid());
        else if (*c == 'n')
            n += (size_t)snprintf(path + n, 24, "%u", (unsigned)p->kept_number);
        else
            path[n++] = '%';
    }
    path[n] = 0;
    return true;
}
