/* attach_names.c - see attach_names.h. */
#include "attach_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCE = 16 << 20, NAME_SIZE = 128, PATH_SIZE = 512 };

void toll_attach_names_begin(toll_attach_names *n, toll_profile *profile,
                             const toll_mappings *mappings, const toll_mem *mem)
{
    *n = (toll_attach_names){ .profile = profile, .mappings = mappings };
    toll_u64map_init(&n->frames, mem);
}

void toll_attach_names_end(toll_attach_names *n)
{
    toll_u64map_free(&n->frames);
    free(n->source);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* --- Lua functions -----------------------------------------------------------------------------*/

/* Read the process's file, which may be in a container, or relative to its folder. */
static void load_source(toll_attach_names *n, const char *path)
{
    char real[PATH_SIZE + 64];
    if (n->source && strcmp(path, n->source_path) == 0)
        return;
    free(n->source);
    n->source = NULL;
    n->source_size = 0;
    snprintf(n->source_path, sizeof n->source_path, "%s", path);
    snprintf(real, sizeof real, "/proc/%ld/%s/%s", (long)n->mappings->pid,
             *path == '/' ? "root" : "cwd", path);
    FILE *file = fopen(real, "r");
    if (!file)
        return;
    n->source = malloc(MOST_SOURCE);
    if (n->source)
        n->source_size = fread(n->source, 1, MOST_SOURCE, file);
    fclose(file);
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The name behind the word "function", or before the "=" in front of it. */
static void name_in_line(const char *line, const char *end, char name[NAME_SIZE])
{
    static const char word[] = "function";
    const char *at = line, *from, *to;
    *name = 0;
    while (at + sizeof word - 1 <= end && memcmp(at, word, sizeof word - 1) != 0)
        at++;
    if (at + sizeof word - 1 > end || (at > line && is_of_name(at[-1])))
        return;
    from = to = skip_blanks(at + sizeof word - 1, end);
    while (to < end && is_of_name(*to))
        to++;
    if (from == to) {
        to = at;
        while (to > line && (to[-1] == ' ' || to[-1] == '\t'))
            to--;
        if (to == line || *--to != '=')
            return;
        while (to > line && (to[-1] == ' ' || to[-1] == '\t'))
            to--;
        for (from = to; from > line && is_of_name(from[-1]);)
            from--;
    }
    if (to - from < NAME_SIZE)
        snprintf(name, NAME_SIZE, "%.*s", (int)(to - from), from);
}

/* The name that the function's definition gives it; "": none. */
static void defined_name(toll_attach_names *n, const char *path, int32_t line, char name[NAME_SIZE])
{
    *name = 0;
    load_source(n, path);
    const char *at = n->source, *end = at ? at + n->source_size : NULL;
    for (int32_t i = 1; at && i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || line < 1)
        return;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    name_in_line(at, stop ? stop : end, name);
}

static toll_status name_lua(toll_attach_names *n, const toll_lua_walk *w, const toll_lua_frame *f,
                            toll_frame_id *frame, toll_error *err)
{
    char chunk[PATH_SIZE], short_source[TOLL_LUA_SHORT_SIZE], name[NAME_SIZE] = "";
    char place[NAME_SIZE];
    if (!toll_lua_walk_text(w, f->source, chunk, sizeof chunk))
        strcpy(chunk, "=?");
    bool is_file = *chunk == '@';
    const char *file = chunk + 1;
    if (!is_file && *chunk != '=') { /* the text of the chunk itself */
        toll_lua_short_source(w->layout->version, chunk, short_source);
        file = short_source;
    }
    if (f->first_line <= 0)
        strcpy(name, "main chunk");
    else if (is_file)
        defined_name(n, file, f->first_line, name);
    snprintf(place, sizeof place, "%.100s:%" PRId32, base_name(file), f->first_line);
    const toll_frame added = { .name = *name ? name : place,
                               .file = file,
                               .line = f->first_line > 0 ? (uint32_t)f->first_line : 0,
                               .kind = TOLL_KIND_FUNCTION };
    return toll_profile_add_frame(n->profile, &added, frame, err);
}

/* --- C functions -------------------------------------------------------------------------------*/

typedef struct registered {
    pid_t pid;
    uint64_t function;
    char name[64];
} registered;

static uint64_t word(const uint8_t *bytes, size_t at)
{
    uint64_t value;
    memcpy(&value, bytes + at, sizeof value);
    return value;
}

static bool is_identifier(const char *text)
{
    size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return size > 0 && size < 40 && !text[size] && !isdigit((unsigned char)*text);
}

/* A row of a luaL_Reg table: the address of a name, then that of the function. */
static bool look_for_row(void *user, uint64_t address, const uint8_t *bytes, size_t size)
{
    registered *r = user;
    (void)address;
    for (size_t i = 0; i + 16 <= size; i += 8)
        if (word(bytes, i + 8) == r->function &&
            toll_process_read(r->pid, word(bytes, i), r->name, sizeof r->name)) {
            r->name[sizeof r->name - 1] = 0;
            if (is_identifier(r->name))
                return false;
        }
    *r->name = 0;
    return true;
}

static toll_status name_c(toll_attach_names *n, uint64_t function, toll_frame_id *frame,
                          toll_error *err)
{
    const toll_mapping *in = toll_mapping_of(n->mappings, function);
    registered r = { n->mappings->pid, function, "" };
    char place[NAME_SIZE] = "C function";
    uint64_t base = in ? in->begin : 0;
    for (size_t i = 0; in && i < n->mappings->count && !*r.name; i++) {
        const toll_mapping *m = &n->mappings->list[i];
        if (m->inode != in->inode || m->device != in->device || !in->inode)
            continue;
        if (!m->offset)
            base = m->begin;
        if (m->is_readable && !m->is_executable)
            toll_mapping_look(n->mappings->pid, m, 16, look_for_row, &r);
    }
    if (in)
        snprintf(place, sizeof place, "%.100s+0x%" PRIx64, base_name(in->path), function - base);
    const toll_frame added = { .name = *r.name ? r.name : place,
                               .file = in ? place : "",
                               .kind = TOLL_KIND_NATIVE };
    return toll_profile_add_frame(n->profile, &added, frame, err);
}

/* --- any function ------------------------------------------------------------------------------*/

static uint64_t key_of(const toll_lua_frame *f)
{
    uint64_t key = f->c_function ? f->c_function : f->source ^ f->name_hash;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u + (uint32_t)f->first_line;
    key = (key ^ key >> 32) * 0x94d049bb133111ebu + (uint32_t)f->last_line;
    return key ^ key >> 31;
}

toll_status toll_attach_frame(toll_attach_names *n, const toll_lua_walk *w, const toll_lua_frame *f,
                              toll_frame_id *frame, toll_error *err)
{
    uint64_t key = key_of(f);
    *frame = toll_u64map_find(&n->frames, key);
    if (*frame != UINT32_MAX)
        return TOLL_OK;
    toll_status status =
        f->c_function ? name_c(n, f->c_function, frame, err) : name_lua(n, w, f, frame, err);
    if (!status && !toll_u64map_add(&n->frames, key, *frame))
        status = TOLL_E_NOMEM;
    return status;
}
