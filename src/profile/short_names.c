/* short_names.c - see short_names.h. Names with the same text are a group. In each round a group
 * shows the first part in which its names differ. */
#include "profile/short_names.h"

#include "base/fail.h"
#include "demangle/short_name.h"
#include "profile/order.h"

#include <string.h>

/* After ROUNDS rounds, names that still share a text are shown in full; after WHOLE_ROUNDS more,
 * all names are. */
enum { ROUNDS = 32, WHOLE_ROUNDS = 8 };

#define NO_PART SIZE_MAX

typedef enum name_state { SHORT, WITH_SCOPES, WHOLE } name_state;

typedef struct name_info {
    size_t shown; /* where its bytes begin in shortener.shown */
    size_t first_part, part_count;
    name_state state;
} name_info;

typedef struct group { /* names with the same text */
    uint32_t size;
    uint32_t first;          /* one of them, if `is_begun` */
    size_t differs;          /* the first part that is not the same in all of them, or NO_PART */
    bool is_begun, is_mixed; /* mixed: these names have different numbers of parts */
} group;

typedef struct shortener {
    toll_short_names *names;
    name_info *info; /* by name */
    uint8_t *shown;
    size_t shown_size;
    group *groups; /* by text */
    size_t group_room;
    toll_buffer text, room, parts;
} shortener;

static bool add_names(toll_short_names *n, const toll_profile *p)
{
    for (uint32_t i = 0; p && i < toll_profile_frame_count(p); i++) {
        const char *text = toll_profile_frame(p, i).name;
        if (toll_strtab_add(&n->names, text, strlen(text)) == UINT32_MAX)
            return false;
    }
    return true;
}

static toll_name_part part_of(const shortener *s, uint32_t i, size_t part)
{
    toll_name_part found;
    memcpy(&found, s->parts.data + (s->info[i].first_part + part) * sizeof found, sizeof found);
    return found;
}

/* Write a name with the parts that are shown so far, and its folded parts to s->parts. */
static bool write_name(shortener *s, uint32_t i)
{
    toll_short_names *n = s->names;
    const char *text = toll_strtab_text(&n->names, i);
    name_info *info = &s->info[i];
    toll_name_view view = { .shown = s->shown + info->shown, .scopes = info->state != SHORT };
    size_t before = s->parts.size / sizeof(toll_name_part);
    toll_buffer_clear(&s->text);
    bool ok = info->state == WHOLE
                  ? toll_buffer_append_text(&s->text, text)
                  : toll_append_short_name(&s->text, text, &view, &s->parts, &s->room);
    if (!ok)
        return false;
    info->first_part = before;
    info->part_count = s->parts.size / sizeof(toll_name_part) - before;
    n->text_of[i] = toll_strtab_add(&n->texts, (const char *)s->text.data, s->text.size);
    return n->text_of[i] != UINT32_MAX;
}

static group *group_of(const shortener *s, uint32_t i)
{
    return &s->groups[s->names->text_of[i]];
}

static bool count_groups(shortener *s)
{
    const toll_mem *mem = &s->names->names.mem;
    toll_mem_free(mem, s->groups, s->group_room, sizeof *s->groups);
    s->group_room = s->names->texts.count + 1;
    s->groups = toll_mem_new(mem, s->group_room, sizeof *s->groups);
    for (uint32_t i = 0; s->groups && i < s->names->names.count; i++)
        group_of(s, i)->size++;
    return s->groups != NULL;
}

/* Compare the parts of name `i` with those of the first of its group. */
static void compare(shortener *s, uint32_t i)
{
    group *g = group_of(s, i);
    if (!g->is_begun) {
        *g = (group){ .size = g->size, .first = i, .differs = NO_PART, .is_begun = true };
        return;
    }
    if (s->info[i].part_count != s->info[g->first].part_count) {
        g->is_mixed = true;
        return;
    }
    const char *text = toll_strtab_text(&s->names->names, i);
    const char *first = toll_strtab_text(&s->names->names, g->first);
    for (size_t k = 0; k < s->info[i].part_count && k < g->differs; k++) {
        toll_name_part a = part_of(s, i, k), b = part_of(s, g->first, k);
        if (a.size != b.size || memcmp(text + a.at, first + b.at, a.size) != 0)
            g->differs = k;
    }
}

/* Show more of a name whose group has other names. */
static void show_more(shortener *s, uint32_t i)
{
    const group *g = group_of(s, i);
    if (g->is_mixed || g->differs == NO_PART)
        s->info[i].state++;
    else
        s->shown[s->info[i].shown + part_of(s, i, g->differs).at] = 1;
}

/* One round. *any: some names shared a text. False: no memory. */
static bool distinguish(shortener *s, bool whole, bool *any)
{
    uint32_t count = (uint32_t)s->names->names.count;
    *any = false;
    s->parts.size = 0;
    if (!count_groups(s))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (group_of(s, i)->size < 2)
            continue;
        if (!write_name(s, i))
            return false;
        compare(s, i);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (group_of(s, i)->size < 2 || s->info[i].state == WHOLE)
            continue;
        *any = true;
        show_more(s, i);
        if (whole)
            s->info[i].state = WHOLE;
        if (!write_name(s, i))
            return false;
    }
    return true;
}

/* Shorten all names. A full name may equal another one's short form; that one is then shown in
 * full, too. */
static bool shorten_all(shortener *s)
{
    uint32_t count = (uint32_t)s->names->names.count;
    bool any = true;
    for (uint32_t i = 0; i < count; i++)
        if (!write_name(s, i))
            return false;
    for (int round = 0; any && round < ROUNDS + WHOLE_ROUNDS; round++)
        if (!distinguish(s, round >= ROUNDS, &any))
            return false;
    for (uint32_t i = 0; any && i < count; i++) {
        s->info[i].state = WHOLE;
        if (!write_name(s, i))
            return false;
    }
    return true;
}

static bool begin(shortener *s)
{
    toll_short_names *n = s->names;
    const toll_mem *mem = &n->names.mem;
    n->room = n->names.count + 1;
    n->text_of = toll_mem_new(mem, n->room, sizeof *n->text_of);
    s->info = toll_mem_new(mem, n->room, sizeof *s->info);
    if (!n->text_of || !s->info)
        return false;
    for (uint32_t i = 0; i < n->names.count; i++) {
        s->info[i].shown = s->shown_size;
        s->shown_size += toll_strtab_size(&n->names, i);
    }
    s->shown = toll_mem_new(mem, s->shown_size + 1, sizeof *s->shown);
    return s->shown != NULL;
}

toll_status toll_short_names_create(toll_short_names *n, bool wanted, const toll_profile *p,
                                    const toll_profile *other, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    *n = (toll_short_names){ .room = 0 };
    toll_strtab_init(&n->names, mem);
    toll_strtab_init(&n->texts, mem);
    if (!wanted)
        return TOLL_OK;
    shortener s = { .names = n };
    toll_buffer_init(&s.text, mem);
    toll_buffer_init(&s.room, mem);
    toll_buffer_init(&s.parts, mem);
    bool ok = add_names(n, p) && add_names(n, other) && begin(&s) && shorten_all(&s);
    toll_mem_free(mem, s.info, n->room, sizeof *s.info);
    toll_mem_free(mem, s.shown, s.shown_size + 1, sizeof *s.shown);
    toll_mem_free(mem, s.groups, s.group_room, sizeof *s.groups);
    toll_buffer_free(&s.text);
    toll_buffer_free(&s.room);
    toll_buffer_free(&s.parts);
    if (ok)
        return TOLL_OK;
    toll_short_names_free(n);
    return toll_fail_nomem(err);
}

void toll_short_names_free(toll_short_names *n)
{
    toll_mem_free(&n->names.mem, n->text_of, n->room, sizeof *n->text_of);
    n->text_of = NULL;
    toll_strtab_free(&n->names);
    toll_strtab_free(&n->texts);
}

const char *toll_short_name_of(const toll_short_names *n, const char *name)
{
    if (!n->text_of)
        return name;
    uint32_t id = toll_strtab_find(&n->names, name, strlen(name));
    return id == UINT32_MAX ? name : toll_strtab_text(&n->texts, n->text_of[id]);
}
