/* lua_find.c - see lua_find.h. */
#ifdef __linux__
#define _GNU_SOURCE /* memmem */
#include "lua_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

#include "lua_walk.h"
#include "process_pause.h"

typedef struct toll_lua_file {
    uint64_t device, inode, offset;
    unsigned versions;
} toll_lua_file;

/* Each Lua has its name as a text (lua_ident in lapi.c; LUAJIT_VERSION). Its first character is
 * apart: a process that has this library must not be taken for one that has every Lua. */
static const struct {
    char first;
    const char *rest;
    int version;
    const char *name;
} names[] = { { '$', "Lua: Lua 5.1", 501, "Lua 5.1" },
              { '$', "LuaVersion: Lua 5.2", 502, "Lua 5.2" },
              { '$', "LuaVersion: Lua 5.3", 503, "Lua 5.3" },
              { '$', "LuaVersion: Lua 5.4", 504, "Lua 5.4" },
              { 'L', "uaJIT 2.", 0, "LuaJIT" } };
enum { NAMES = sizeof names / sizeof *names, NAME_SIZE = 32 };

void toll_lua_files_free(toll_lua_files *files)
{
    free(files->list);
    *files = (toll_lua_files){ 0 };
}

/* --- versions ----------------------------------------------------------------------------------*/

static bool has_name(const uint8_t *bytes, size_t size, char first, const char *rest)
{
    const uint8_t *end = bytes + size, *at = bytes;
    while ((at = memmem(at, (size_t)(end - at), rest, strlen(rest)))) {
        if (at > bytes && at[-1] == (uint8_t)first)
            return true;
        at++;
    }
    return false;
}

static bool look_for_names(void *user, uint64_t address, const uint8_t *bytes, size_t size)
{
    unsigned *versions = user;
    (void)address;
    for (unsigned i = 0; i < NAMES; i++)
        if (has_name(bytes, size, names[i].first, names[i].rest))
            *versions |= 1u << i;
    return true;
}

static unsigned versions_of_file(const toll_mappings *all, const toll_mapping *m,
                                 toll_lua_files *files)
{
    toll_lua_file found = { m->device, m->inode, m->offset, 0 };
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].device == m->device && files->list[i].inode == m->inode &&
            files->list[i].offset == m->offset)
            return files->list[i].versions;
    toll_mapping_look(all->pid, m, NAME_SIZE, look_for_names, &found.versions);
    if (files->count == files->room) {
        size_t room = files->room ? files->room * 2 : 256;
        toll_lua_file *list = realloc(files->list, room * sizeof *list);
        if (!list)
            return found.versions;
        files->list = list;
        files->room = room;
    }
    files->list[files->count++] = found;
    return found.versions;
}

unsigned toll_lua_versions_in(const toll_mappings *all, toll_lua_files *files)
{
    unsigned versions = 0;
    for (size_t i = 0; i < all->count; i++) {
        const toll_mapping *m = &all->list[i];
        if (m->is_readable && !m->is_writable && m->inode)
            versions |= versions_of_file(all, m, files);
    }
    return versions;
}

const char *toll_lua_versions_text(unsigned versions, char text[64])
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < NAMES; i++)
        if (versions >> i & 1)
            used +=
                (size_t)snprintf(text + used, 64 - used, "%s%s", used ? ", " : "", names[i].name);
    return text;
}

/* --- states ------------------------------------------------------------------------------------*/

typedef struct search {
    pid_t pid;
    const toll_lua_layout *layout;
    toll_lua_walk *walk;
    toll_lua_states *states;
} search;

enum {
    TRIES = 100,
    TYPE = 8,
    THREAD = 8,
    LEAST_STATE = 96,
    MOST_STATE = 400,
    STATE_READ = 128,
    BACK = 400, /* the global state of each Lua has mainthread in its first 300 bytes */
    MOST_BACK = 1024
};

static uint64_t word(const uint8_t *bytes, size_t at)
{
    uint64_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

/* Is the address of the main thread in the global state, as it is at so many of its first bytes? */
static bool refers_back(pid_t pid, uint64_t global, size_t size, size_t reference, uint64_t address)
{
    uint8_t bytes[MOST_BACK];
    if (!toll_process_read(pid, global, bytes, size))
        return false;
    for (size_t i = 0; i < size; i += reference) {
        uint32_t half;
        memcpy(&half, bytes + i, sizeof half);
        if ((reference == 8 ? word(bytes, i) : half) == address)
            return true;
    }
    return false;
}

/* Lua allocates the main thread and the global state as one block (struct LG in lstate.c): so the
 * pointer to the second is an address a little behind the first. */
static bool may_be_state(pid_t pid, const toll_lua_layout *l, uint64_t address,
                         const uint8_t *bytes)
{
    uint64_t global = word(bytes, l->global), behind = global - address;
    return bytes[TYPE] == THREAD && behind >= LEAST_STATE && behind <= MOST_STATE &&
           behind % 8 == 0 && word(bytes, l->stack) && word(bytes, l->stack) % 8 == 0 &&
           word(bytes, l->stack) < word(bytes, l->stack_last) && word(bytes, l->ci) &&
           refers_back(pid, global, BACK, 8, address);
}

static void add_state(search *s, uint64_t address)
{
    for (uint32_t i = 0; i < s->states->count; i++)
        if (s->states->list[i].address == address)
            return;
    bool is_one = toll_lua_walk_state(s->walk, address);
    for (int i = 0; i < TRIES && !is_one; i++) { /* it changes its stack at this moment */
        toll_pause pause;
        toll_process_pause(&pause, s->pid);
        is_one = toll_lua_walk_state(s->walk, address);
        toll_process_resume(&pause);
        if (!is_one) /* in the middle of a change, or it cannot be stopped */
            nanosleep(&(struct timespec){ 0, 2L * 1000 * 1000 }, NULL);
    }
    if (!is_one)
        return;
    s->states->is_cut = s->states->count == TOLL_MOST_LUA_STATES;
    if (!s->states->is_cut)
        s->states->list[s->states->count++] = (toll_lua_state){ address, s->layout };
}

static bool look_for_states(void *user, uint64_t address, const uint8_t *bytes, size_t size)
{
    search *s = user;
    for (size_t i = 0; i + STATE_READ <= size && !s->states->is_cut; i += 8)
        if (may_be_state(s->pid, s->layout, address + i, bytes + i))
            add_state(s, address + i);
    return !s->states->is_cut;
}

void toll_lua_find_states(const toll_mappings *all, unsigned versions, toll_lua_states *states)
{
    states->count = 0;
    states->is_cut = false;
    for (unsigned v = 0; v < NAMES; v++) {
        search s = { all->pid, toll_lua_layout_of(names[v].version), NULL, states };
        if (!(versions >> v & 1) || !s.layout)
            continue;
        s.walk = toll_lua_walk_new(s.layout, all->pid);
        for (size_t i = 0; s.walk && i < all->count; i++) {
            const toll_mapping *m = &all->list[i];
            if (m->is_readable && m->is_writable && !m->is_shared &&
                strcmp(m->path, "[stack]") != 0)
                toll_mapping_look(all->pid, m, STATE_READ, look_for_states, &s);
        }
        toll_lua_walk_free(s.walk);
    }
}

/* A lua_State of LuaJIT (lj_obj.h), in bytes: references to its objects have 64 bits (LJ_GC64), or
 * 32. Its main thread and global state are one block, too (struct GG_State), and the global state
 * has a reference back, in its first MOST_BACK bytes. */
typedef struct jit_layout {
    uint8_t reference, type, status, global, base, top, last, stack;
} jit_layout;

enum { JIT_THREAD = 6, MOST_STATUS = 5 };
static const jit_layout jit_layouts[] = { { 8, 9, 11, 16, 32, 40, 48, 56 },
                                          { 4, 5, 7, 8, 16, 24, 32, 36 } };

static uint64_t reference(const jit_layout *l, const uint8_t *bytes, size_t at)
{
    uint32_t half;
    memcpy(&half, bytes + at, sizeof half);
    return l->reference == 8 ? word(bytes, at) : half;
}

static bool may_be_jit_state(const jit_layout *l, uint64_t address, const uint8_t *bytes)
{
    uint64_t behind = reference(l, bytes, l->global) - address,
             stack = reference(l, bytes, l->stack), last = reference(l, bytes, l->last),
             base = word(bytes, l->base), top = word(bytes, l->top);
    return bytes[l->type] == JIT_THREAD && bytes[l->status] <= MOST_STATUS && behind >= 64 &&
           behind <= MOST_STATE && behind % 8 == 0 && stack && stack % 8 == 0 && stack < base &&
           base <= top && top <= last;
}

static bool is_jit_state(pid_t pid, const jit_layout *l, uint64_t address, const uint8_t *bytes)
{
    return may_be_jit_state(l, address, bytes) &&
           refers_back(pid, reference(l, bytes, l->global), MOST_BACK, l->reference, address);
}

static bool is_any_jit_state(pid_t pid, uint64_t address, const uint8_t *bytes)
{
    return is_jit_state(pid, &jit_layouts[0], address, bytes) ||
           is_jit_state(pid, &jit_layouts[1], address, bytes);
}

static bool look_for_jit_states(void *user, uint64_t address, const uint8_t *bytes, size_t size)
{
    search *s = user;
    for (size_t i = 0; i + STATE_READ <= size && !s->states->is_cut; i += 8) {
        if (!is_any_jit_state(s->pid, address + i, bytes + i))
            continue;
        s->states->is_cut = s->states->count == TOLL_MOST_LUA_STATES;
        if (!s->states->is_cut)
            s->states->list[s->states->count++] = (toll_lua_state){ address + i, NULL };
    }
    return !s->states->is_cut;
}

void toll_lua_find_jit_states(const toll_mappings *all, toll_lua_states *states)
{
    search s = { all->pid, NULL, NULL, states };
    states->count = 0;
    states->is_cut = false;
    for (size_t i = 0; i < all->count; i++) {
        const toll_mapping *m = &all->list[i];
        if (m->is_readable && m->is_writable && !m->is_shared && strcmp(m->path, "[stack]") != 0)
            toll_mapping_look(all->pid, m, STATE_READ, look_for_jit_states, &s);
    }
}

bool toll_lua_is_state(pid_t pid, const toll_lua_state *state)
{
    uint8_t bytes[STATE_READ];
    if (!toll_process_read(pid, state->address, bytes, sizeof bytes))
        return false;
    return state->layout ? may_be_state(pid, state->layout, state->address, bytes)
                         : is_any_jit_state(pid, state->address, bytes);
}

/* --- coroutines that the host runs -------------------------------------------------------------*/

enum {
    STACK_PART = 128 * 1024, /* the outer part of a stack, which is searched */
    MOST_GUARD = 1 << 20,    /* the guard in front of a thread's stack is smaller */
    BATCH = 512,             /* addresses that are examined together */
    HEAD_SIZE = 48           /* of a lua_State, with its global_State and its CallInfo */
};

struct toll_lua_stacks {
    uint64_t words[STACK_PART / 8];
    uint64_t addresses[BATCH];
    struct iovec local[BATCH], remote[BATCH];
    uint8_t heads[BATCH][HEAD_SIZE];
    uint32_t count;
};

struct toll_lua_stacks *toll_lua_stacks_new(void)
{
    return calloc(1, sizeof(struct toll_lua_stacks));
}

void toll_lua_stacks_free(struct toll_lua_stacks *stacks)
{
    free(stacks);
}

/* Is it the stack of a thread? The main thread's has a name. Others lie behind a small guard. */
static bool is_stack(const toll_mappings *all, size_t i)
{
    const toll_mapping *m = &all->list[i], *guard = i ? &all->list[i - 1] : NULL;
    return strcmp(m->path, "[stack]") == 0 ||
           (m->is_readable && m->is_writable && !m->inode && guard && guard->end == m->begin &&
            !guard->is_readable && guard->end - guard->begin <= MOST_GUARD);
}

/* A coroutine that runs has the status 0, and a CallInfo beside its own first one. */
static bool is_running(const toll_mappings *all, const toll_lua_layout *l, uint64_t address,
                       const uint8_t *head, uint64_t global)
{
    uint64_t previous = 0;
    if (head[TYPE] != THREAD || head[l->status] || word(head, l->global) != global)
        return false;
    uint64_t ci = word(head, l->ci);
    if (l->base_ci)
        return toll_process_read(all->pid, address + l->base_ci, &previous, sizeof previous) &&
               ci > previous;
    return toll_process_read(all->pid, ci + l->ci_previous, &previous, sizeof previous) && previous;
}

/* Examine the addresses. One that cannot be read ends the read of those behind it. */
static uint64_t examine(const toll_mappings *all, const toll_lua_layout *l, uint64_t global,
                        struct toll_lua_stacks *s)
{
    uint32_t done = 0;
    while (done < s->count) {
        ssize_t size = process_vm_readv(all->pid, s->local, s->count - done, s->remote + done,
                                        s->count - done, 0);
        uint32_t got = size > 0 ? (uint32_t)((size_t)size / HEAD_SIZE) : 0;
        for (uint32_t i = 0; i < got; i++)
            if (is_running(all, l, s->addresses[done + i], s->heads[i], global))
                return s->addresses[done + i];
        done += got + 1;
    }
    return 0;
}

static bool is_known(const struct toll_lua_stacks *s, uint64_t address)
{
    for (uint32_t i = s->count; i-- > 0 && i + 64 > s->count;)
        if (s->addresses[i] == address)
            return true;
    return false;
}

static uint64_t search_stack(const toll_mappings *all, const toll_lua_layout *l, uint64_t global,
                             const toll_mapping *m, struct toll_lua_stacks *s)
{
    uint64_t size = m->end - m->begin < STACK_PART ? m->end - m->begin : STACK_PART, found = 0;
    if (!toll_process_read(all->pid, m->end - size, s->words, (size_t)size))
        return 0;
    s->count = 0;
    for (size_t i = 0; i < size / 8 && !found; i++) {
        uint64_t address = s->words[i];
        const toll_mapping *in;
        if (address % 8 || address < 4096 || (address >= m->begin && address < m->end) ||
            is_known(s, address))
            continue;
        in = toll_mapping_of(all, address);
        if (!in || !in->is_writable || in->inode)
            continue;
        s->addresses[s->count] = address;
        s->local[s->count] = (struct iovec){ s->heads[s->count], HEAD_SIZE };
        s->remote[s->count++] = (struct iovec){ (void *)(uintptr_t)address, HEAD_SIZE };
        if (s->count == BATCH) {
            found = examine(all, l, global, s);
            s->count = 0;
        }
    }
    return found ? found : examine(all, l, global, s);
}

uint64_t toll_lua_find_running(const toll_mappings *all, const toll_lua_layout *l, uint64_t global,
                               struct toll_lua_stacks *s)
{
    uint64_t found = 0;
    for (size_t i = 0; i < all->count && !found; i++)
        if (is_stack(all, i))
            found = search_stack(all, l, global, &all->list[i], s);
    return found;
}

#else

typedef int toll_no_lua_find; /* a file may not be empty */

#endif
