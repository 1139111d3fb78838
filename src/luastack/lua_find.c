/* lua_find.c - see lua_find.h. */
#ifdef __linux__
#define _GNU_SOURCE /* memmem */
#include "lua_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua_walk.h"

typedef struct toll_lua_file {
    uint64_t device, inode, offset;
    unsigned versions;
} toll_lua_file;

/* Each Lua has its name as a text (lua_ident in lapi.c; LUAJIT_VERSION). */
static const struct {
    const char *text;
    int version;
    const char *name;
} names[] = { { "$Lua: Lua 5.1", 501, "Lua 5.1" },
              { "$LuaVersion: Lua 5.2", 502, "Lua 5.2" },
              { "$LuaVersion: Lua 5.3", 503, "Lua 5.3" },
              { "$LuaVersion: Lua 5.4", 504, "Lua 5.4" },
              { "LuaJIT 2.", 0, "LuaJIT" } };
enum { NAMES = sizeof names / sizeof *names, NAME_SIZE = 32 };

void toll_lua_files_free(toll_lua_files *files)
{
    free(files->list);
    *files = (toll_lua_files){ 0 };
}

/* --- versions ----------------------------------------------------------------------------------*/

static bool look_for_names(void *user, uint64_t address, const uint8_t *bytes, size_t size)
{
    unsigned *versions = user;
    (void)address;
    for (unsigned i = 0; i < NAMES; i++)
        if (memmem(bytes, size, names[i].text, strlen(names[i].text)))
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

enum { TYPE = 8, THREAD = 8, LEAST_STATE = 96, MOST_STATE = 400, STATE_READ = 128 };

static uint64_t word(const uint8_t *bytes, size_t at)
{
    uint64_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

/* Lua allocates the main thread and the global state as one block (struct LG in lstate.c): so the
 * pointer to the second is an address a little behind the first. */
static bool may_be_state(const toll_lua_layout *l, uint64_t address, const uint8_t *bytes)
{
    uint64_t behind = word(bytes, l->global) - address;
    return bytes[TYPE] == THREAD && behind >= LEAST_STATE && behind <= MOST_STATE &&
           behind % 8 == 0 && word(bytes, l->stack) && word(bytes, l->stack) % 8 == 0 &&
           word(bytes, l->stack) < word(bytes, l->stack_last) && word(bytes, l->ci);
}

static void add_state(search *s, uint64_t address)
{
    for (uint32_t i = 0; i < s->states->count; i++)
        if (s->states->list[i].address == address)
            return;
    bool is_one = false;
    for (int i = 0; i < 20 && !is_one; i++) /* it may change its stack at this moment */
        is_one = toll_lua_walk_state(s->walk, address);
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
        if (may_be_state(s->layout, address + i, bytes + i))
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
            if (m->is_readable && m->is_writable && !m->is_shared && strcmp(m->path, "[stack]"))
                toll_mapping_look(all->pid, m, STATE_READ, look_for_states, &s);
        }
        toll_lua_walk_free(s.walk);
    }
}

#else

typedef int toll_no_lua_find; /* a file may not be empty */

#endif
