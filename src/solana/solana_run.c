/* solana_run.c - makes invocations from lines of a log: each line changes the open invocations. */
#include "base/array.h"
#include "solana/solana.h"
#include "solana/solana_tree.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_LABELS = 1024,  /* distinct names of stretches; further ones are numbered */
    MOST_NUMBERED = 100, /* distinct numbers of stretches */
    MOST_REASONS = 32,   /* distinct reasons why transactions failed */
    REASON_SIZE = 120,   /* bytes of a reason */
    MOST_OPEN_LOOKED =
        64 /* open invocations among which a line's is searched; the runtime's limit is 9 */
};

/* An invocation that has not ended. Its sections are those from first_section on. */
typedef struct open_invocation {
    uint32_t item;
    uint32_t stretch; /* the open one, or TOLL_NONE */
    uint32_t failed;  /* the item of the last invocation that it made, if that failed; TOLL_NONE */
    int64_t depth;    /* as the log says */
    int64_t remaining;
    uint32_t stretches; /* begun so far */
    uint32_t section_name;
    size_t first_section;
    uint32_t log_size;
    char log[SOLANA_LABEL_SIZE]; /* the beginning of its last log text */
} open_invocation;

struct toll_solana_run {
    toll_solana_tree tree;
    open_invocation *open;
    size_t open_count, open_capacity;
    toll_solana_section *sections; /* of the open invocations */
    size_t section_count, section_capacity;
    uint32_t *places; /* room for toll_solana_place */
    size_t place_capacity;
    toll_strtab reasons;
    uint64_t reason_counts[MOST_REASONS + 1];
    uint64_t invocations;
    uint32_t labels;
};

toll_status toll_solana_run_create(const toll_mem *mem, const toll_solana_names *names,
                                   toll_solana_run **out, toll_error *err)
{
    toll_solana_run *r = toll_mem_new(mem, 1, sizeof *r);
    if (!r)
        return toll_fail_nomem(err);
    toll_strtab_init(&r->reasons, mem);
    toll_status status = toll_solana_tree_init(&r->tree, mem, names, err);
    if (status)
        toll_solana_run_free(r);
    else
        *out = r;
    return status;
}

void toll_solana_run_free(toll_solana_run *r)
{
    if (!r)
        return;
    toll_mem mem = r->tree.mem;
    toll_mem_free(&mem, r->open, r->open_capacity, sizeof *r->open);
    toll_mem_free(&mem, r->sections, r->section_capacity, sizeof *r->sections);
    toll_mem_free(&mem, r->places, r->place_capacity, sizeof *r->places);
    toll_strtab_free(&r->reasons);
    toll_solana_tree_free(&r->tree);
    toll_mem_free(&mem, r, 1, sizeof *r);
}

static open_invocation *innermost(toll_solana_run *r)
{
    return r->open_count ? &r->open[r->open_count - 1] : NULL;
}

static toll_solana_item *item_of(toll_solana_run *r, const open_invocation *v)
{
    return &r->tree.items[v->item];
}

/* --- sections ----------------------------------------------------------------------------------*/

static toll_status add_section(toll_solana_run *r, uint32_t name, int64_t total, int64_t net,
                               toll_error *err)
{
    if (!toll_array_grow(&r->tree.mem, &r->sections, &r->section_capacity, r->section_count, 1))
        return toll_fail_nomem(err);
    r->sections[r->section_count++] =
        (toll_solana_section){ .name = name, .total = total, .net = net };
    return TOLL_OK;
}

static toll_status take_section(toll_solana_run *r, open_invocation *v,
                                const toll_solana_section_line *line, toll_error *err)
{
    uint32_t id = v->section_name;
    if (line->kind == SECTION_HEAP && r->section_count > v->first_section) {
        r->sections[r->section_count - 1].heap_total = line->total;
        r->sections[r->section_count - 1].heap_net = line->net;
        return TOLL_OK;
    }
    if (line->name) {
        toll_status status =
            toll_solana_tree_string(&r->tree, line->name, line->name_size, &id, err);
        if (status)
            return status;
    }
    v->section_name = line->kind == SECTION_NAME ? id : TOLL_NONE;
    if (line->kind == SECTION_NAME)
        return TOLL_OK;
    if (line->kind == SECTION_HEAP || id == TOLL_NONE) {
        r->tree.notes[SOLANA_NOTE_SECTION_LINE]++;
        return TOLL_OK;
    }
    return add_section(r, id, line->total, line->net, err);
}

/* Read the section lines in text[size], a message of one or more lines. *any: there was one. */
static toll_status take_sections(toll_solana_run *r, const char *text, size_t size, bool *any,
                                 toll_error *err)
{
    toll_status status = TOLL_OK;
    open_invocation *v = innermost(r);
    *any = false;
    while (!status && size) {
        const char *end = memchr(text, '\n', size);
        size_t n = end ? (size_t)(end - text) : size;
        toll_solana_section_line line;
        toll_solana_section_parse(text, n, &line);
        *any |= line.kind != SECTION_NONE;
        if (line.kind == SECTION_OPEN)
            r->tree.notes[SOLANA_NOTE_SECTION_OPEN]++;
        else if (line.kind != SECTION_NONE && v)
            status = take_section(r, v, &line, err);
        else if (line.kind != SECTION_NONE)
            r->tree.notes[SOLANA_NOTE_SECTION_LINE]++;
        text += n + (end != NULL);
        size -= n + (end != NULL);
    }
    return status;
}

static toll_status count_section(toll_solana_run *r, const toll_solana_section *s, toll_error *err)
{
    char text[200];
    if (!s->placed)
        r->tree.notes[SOLANA_NOTE_CROSSING]++;
    if (!s->placed || !s->differs)
        return TOLL_OK;
    if (r->tree.notes[SOLANA_NOTE_DIFFERS]++ >= 4)
        return TOLL_OK; /* the first few by name */
    snprintf(text, sizeof text, "net of section '%.100s' recomputed",
             toll_strtab_text(&r->tree.strings, s->name));
    return toll_profile_add_note(r->tree.profile, text, 1, err);
}

/* Nest the sections of `v` and add them under it. From the last to the first, since a section that
 * contains another ended after it. */
static toll_status add_sections(toll_solana_run *r, const open_invocation *v, toll_error *err)
{
    size_t count = r->section_count - v->first_section;
    toll_status status = TOLL_OK;
    if (count == 0)
        return TOLL_OK;
    toll_solana_section *all = r->sections + v->first_section;
    if (!toll_array_grow(&r->tree.mem, &r->places, &r->place_capacity, 0, count))
        return toll_fail_nomem(err);
    toll_solana_place(all, count, r->places);
    for (size_t i = count; !status && i-- > 0;) {
        const toll_solana_section *s = &all[i];
        toll_solana_item item = { .parent = s->parent == TOLL_NONE ? v->item : r->places[s->parent],
                                  .name = s->name,
                                  .kind = ITEM_SECTION,
                                  .told = true,
                                  .total = s->total,
                                  .self = s->net,
                                  .heap = s->heap_net };
        status = count_section(r, s, err);
        if (!status && s->placed) /* from here on places[] has the item of each section */
            status = toll_solana_tree_add(&r->tree, &item, &r->places[i], err);
    }
    r->section_count = v->first_section;
    return status;
}

/* --- ends --------------------------------------------------------------------------------------*/

/* An invocation failed because its last callee did: what was charged to that callee beyond its line
 * follows now. */
static void settle_callee(toll_solana_run *r, const open_invocation *v)
{
    const toll_solana_item *item = item_of(r, v);
    if (v->failed == TOLL_NONE || !item->failed || !item->told || !r->tree.items[v->failed].told)
        return;
    toll_solana_item *callee = &r->tree.items[v->failed];
    callee->rest = toll_solana_rest_of(callee->budget - callee->total, item->budget - item->total);
}

/* The innermost invocation has ended. */
static toll_status close_innermost(toll_solana_run *r, bool finished, toll_error *err)
{
    open_invocation *v = innermost(r);
    toll_solana_item *item = item_of(r, v);
    item->finished = finished;
    r->tree.notes[SOLANA_NOTE_UNFINISHED] += !finished;
    if (v->stretch !=
        TOLL_NONE) /* no second consumption line: its units are the invocation's own */
        r->tree.items[v->stretch].left_out = true;
    settle_callee(r, v);
    if (r->open_count > 1)
        v[-1].failed = item->failed ? v->item : TOLL_NONE;
    toll_status status = add_sections(r, v, err);
    r->open_count--;
    return status;
}

/* Close invocations whose end is missing in the log, until `count` are open. */
static toll_status close_down_to(toll_solana_run *r, size_t count, toll_error *err)
{
    toll_status status = TOLL_OK;
    while (!status && r->open_count > count)
        status = close_innermost(r, false, err);
    return status;
}

/* Count the reason why a transaction failed; reasons beyond the first MOST_REASONS count as one. */
static toll_status count_reason(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    size_t size = line->text_size < REASON_SIZE ? line->text_size : REASON_SIZE;
    uint32_t id = toll_strtab_find(&r->reasons, line->text, size);
    r->tree.notes[SOLANA_NOTE_FAILED_OUTERMOST]++;
    if (id == UINT32_MAX && r->reasons.count < MOST_REASONS) {
        id = toll_strtab_add(&r->reasons, line->text, size);
        if (id == UINT32_MAX)
            return toll_fail_nomem(err);
    }
    r->reason_counts[id < MOST_REASONS ? id : MOST_REASONS]++;
    return TOLL_OK;
}

/* --- lines -------------------------------------------------------------------------------------*/

static toll_status take_invoke(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    toll_solana_item item = { .parent = TOLL_NONE, .kind = ITEM_PROGRAM };
    toll_status status = TOLL_OK;
    while (!status && r->open_count && innermost(r)->depth >= line->number)
        status = close_innermost(r, false, err);
    if (!status)
        status = toll_solana_tree_string(&r->tree, line->id, line->id_size, &item.name, err);
    if (status)
        return status;
    const open_invocation *caller = innermost(r);
    if (caller)
        item.parent = caller->stretch != TOLL_NONE ? caller->stretch : caller->item;
    r->tree.notes[SOLANA_NOTE_NO_CALLER] += line->number > (caller ? caller->depth : 0) + 1;
    if (!toll_array_grow(&r->tree.mem, &r->open, &r->open_capacity, r->open_count, 1))
        return toll_fail_nomem(err);
    open_invocation *v = &r->open[r->open_count];
    *v = (open_invocation){ .depth = line->number,
                            .stretch = TOLL_NONE,
                            .failed = TOLL_NONE,
                            .section_name = TOLL_NONE,
                            .first_section = r->section_count };
    status = toll_solana_tree_add(&r->tree, &item, &v->item, err);
    if (status)
        return status;
    r->open_count++;
    r->invocations++;
    return TOLL_OK;
}

/* The innermost open invocation of the line's program; NULL: a stray line. Invocations inside of it
 * have no end in the log. */
static toll_status find_open(toll_solana_run *r, const toll_solana_line *line,
                             open_invocation **out, toll_error *err)
{
    *out = NULL;
    for (size_t i = r->open_count; i-- > 0 && r->open_count - i <= MOST_OPEN_LOOKED;) {
        uint32_t name = item_of(r, &r->open[i])->name;
        if (toll_strtab_size(&r->tree.strings, name) != line->id_size ||
            memcmp(toll_strtab_text(&r->tree.strings, name), line->id, line->id_size) != 0)
            continue;
        toll_status status = close_down_to(r, i + 1, err);
        *out = &r->open[i];
        return status;
    }
    r->tree.notes[SOLANA_NOTE_STRAY]++;
    return TOLL_OK;
}

static toll_status take_consumed(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    open_invocation *v;
    toll_status status = find_open(r, line, &v, err);
    if (status || !v)
        return status;
    toll_solana_item *item = item_of(r, v);
    r->tree.notes[SOLANA_NOTE_STRAY] += item->told;
    if (!item->told)
        item->total = line->number;
    item->told = true;
    item->budget = line->budget;
    return TOLL_OK;
}

static toll_status take_end(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    open_invocation *v;
    toll_status status = find_open(r, line, &v, err);
    if (status || !v)
        return status;
    if (line->kind == SOLANA_FAILED) {
        item_of(r, v)->failed = true;
        item_of(r, v)->end = (uint8_t)toll_solana_end_of(line->text, line->text_size);
        r->tree.notes[SOLANA_NOTE_FAILED]++;
        if (r->open_count == 1)
            status = count_reason(r, line, err);
    }
    return status ? status : close_innermost(r, true, err);
}

static toll_status name_stretch(toll_solana_run *r, const open_invocation *v, uint32_t *name,
                                toll_error *err)
{
    char label[SOLANA_LABEL_SIZE];
    size_t n = toll_solana_label(label, v->log, v->log_size);
    bool known = n && toll_strtab_find(&r->tree.strings, label, n) != UINT32_MAX;
    if (n && !known && r->labels < MOST_LABELS) {
        r->labels++;
        known = true;
    }
    if (!known)
        n = (size_t)(v->stretches < MOST_NUMBERED
                         ? snprintf(label, sizeof label, "units %u", (unsigned)v->stretches)
                         : snprintf(label, sizeof label, "units %u+", (unsigned)MOST_NUMBERED));
    return toll_solana_tree_string(&r->tree, label, n, name, err);
}

/* The open stretch ends, and the next begins. */
static toll_status take_remaining(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    open_invocation *v = innermost(r);
    if (!v) {
        r->tree.notes[SOLANA_NOTE_STRAY]++;
        return TOLL_OK;
    }
    if (v->stretch != TOLL_NONE) {
        toll_solana_item *ended = &r->tree.items[v->stretch];
        ended->total = v->remaining - line->number;
        if (ended->total < 0) {
            ended->left_out = true;
            r->tree.notes[SOLANA_NOTE_STRETCH]++;
        }
    }
    toll_solana_item item = { .parent = v->item, .kind = ITEM_STRETCH, .told = true };
    v->remaining = line->number;
    v->stretches++;
    toll_status status = name_stretch(r, v, &item.name, err);
    return status ? status : toll_solana_tree_add(&r->tree, &item, &v->stretch, err);
}

static bool may_be_section(const char *text, size_t size)
{
    while (size && (*text == ' ' || *text == '\t' || *text == '"')) {
        text++;
        size--;
    }
    return size > 2 && (*text == '#' || *text == 'C' || *text == 'H');
}

/* Read what a program logs: sections, or a text that may name a stretch. */
static toll_status take_log(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    bool any = false;
    if (may_be_section(line->text, line->text_size)) {
        toll_status status = take_sections(r, line->text, line->text_size, &any, err);
        if (status || any)
            return status;
    }
    open_invocation *v = innermost(r);
    if (v) {
        v->log_size = (uint32_t)toll_solana_label_cut(line->text, line->text_size);
        memcpy(v->log, line->text, v->log_size);
    }
    return TOLL_OK;
}

static toll_status take_noise(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    bool any = false;
    toll_status status = TOLL_OK;
    if (may_be_section(line->text, line->text_size))
        status = take_sections(r, line->text, line->text_size, &any, err);
    r->tree.notes[SOLANA_NOTE_NOISE] += !any && line->text_size;
    return status;
}

toll_status toll_solana_run_line(toll_solana_run *r, const toll_solana_line *line, toll_error *err)
{
    switch (line->kind) {
    case SOLANA_INVOKE: return take_invoke(r, line, err);
    case SOLANA_LOG: return take_log(r, line, err);
    case SOLANA_REMAINING: return take_remaining(r, line, err);
    case SOLANA_CONSUMED: return take_consumed(r, line, err);
    case SOLANA_SUCCESS:
    case SOLANA_FAILED: return take_end(r, line, err);
    case SOLANA_NOISE:
    case SOLANA_SUM: return take_noise(r, line, err);
    case SOLANA_TRUNCATED: r->tree.notes[SOLANA_NOTE_TRUNCATED]++; return TOLL_OK;
    case SOLANA_PASSED: return TOLL_OK;
    }
    return TOLL_OK;
}

/* --- the end -----------------------------------------------------------------------------------*/

toll_status toll_solana_run_end(toll_solana_run *r, int64_t charged, toll_error *err)
{
    toll_status status = close_down_to(r, 0, err);
    return status ? status : toll_solana_tree_commit(&r->tree, charged, err);
}

static toll_status add_reasons(toll_solana_run *r, toll_error *err)
{
    char text[REASON_SIZE + 40];
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < r->reasons.count; i++) {
        const char *reason = toll_strtab_text(&r->reasons, i);
        snprintf(text, sizeof text, "failed transactions: %s", *reason ? reason : "no reason told");
        status = toll_profile_add_note(r->tree.profile, text, r->reason_counts[i], err);
    }
    if (status)
        return status;
    return toll_profile_add_note(r->tree.profile, "failed transactions: other reasons",
                                 r->reason_counts[MOST_REASONS], err);
}

toll_status toll_solana_run_take(toll_solana_run *r, toll_profile **out, toll_error *err)
{
    toll_status status = toll_solana_tree_notes(&r->tree, err);
    *out = NULL;
    if (!status)
        status = add_reasons(r, err);
    if (status || r->invocations == 0)
        return status;
    *out = r->tree.profile;
    r->tree.profile = NULL;
    return TOLL_OK;
}
