/* pprof_resolve.c - the second half of the pprof reader: names for numbers, and the tree of
 * locations turned into one of frames. A location with several lines is that many frames: the first
 * line is the innermost; PPROF_OUTSIDE is none. */
#include "base/fail.h"
#include "base/text.h"
#include "format/pprof.h"
#include "format/pprof_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct resolver {
    pprof_reader *r;
    toll_profile *profile;
    toll_frame_id *frames; /* of all locations, outermost first */
    size_t frame_count, frame_capacity;
    size_t *first_frame;                 /* by location number; one more at the end */
    toll_node_id *nodes;                 /* by id of the reader's tree */
    uint64_t addresses, lines, mappings; /* what is left out, counted */
    pprof_names names;
    bool period_left_out;
    toll_value_type period_type;
} resolver;

toll_status toll_pprof_text(const pprof_reader *r, uint64_t index, const char **text,
                            toll_error *err)
{
    *text = "";
    if (index >= r->string_count)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: string %" PRIu64 " is named, but there are only %zu; "
                         "fetch the file again",
                         toll_input_name(r->in), index, r->string_count);
    *text = toll_strtab_text(&r->text, r->strings[index]);
    return TOLL_OK;
}

static toll_status text_at(const resolver *s, uint64_t index, const char **text, toll_error *err)
{
    return toll_pprof_text(s->r, index, text, err);
}

static toll_status resolve_columns(resolver *s, toll_error *err)
{
    const char *type, *unit, *shown;
    toll_status status = TOLL_OK;
    if (s->r->tree_made && s->r->tree.width != s->r->type_count)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: samples have %u values, but there are %zu value types",
                         toll_input_name(s->r->in), s->r->tree.width, s->r->type_count);
    for (size_t i = 0; !status && i < s->r->type_count; i++) {
        status = text_at(s, s->r->types[i].type, &type, err);
        if (!status)
            status = text_at(s, s->r->types[i].unit, &unit, err);
        if (!status)
            status = toll_profile_add_column(s->profile, type, unit, NULL, err);
    }
    if (status || !s->r->type_count)
        return status;
    if (!s->r->default_type) { /* then it is the last one: see profile.proto */
        toll_profile_set_default_column(s->profile, (uint32_t)s->r->type_count - 1);
        return TOLL_OK;
    }
    status = text_at(s, s->r->default_type, &shown, err);
    if (!status)
        toll_profile_set_default_column(s->profile, toll_profile_find_column(s->profile, shown));
    return status;
}

/* A profile has no place for a period: another one than its columns tell is counted as left out. */
static toll_status check_period(resolver *s, toll_error *err)
{
    const pprof_reader *r = s->r;
    toll_value_type told, ours = toll_pprof_period_type(s->profile);
    toll_status status = text_at(s, r->period_type.type, &told.type, err);
    if (!status)
        status = text_at(s, r->period_type.unit, &told.unit, err);
    if (status || !ours.type)
        return status;
    bool is_ours = strcmp(told.type, ours.type) == 0 && strcmp(told.unit, ours.unit) == 0;
    s->period_left_out = (*told.type && !is_ours) || r->period > 1;
    s->period_type = told;
    return TOLL_OK;
}

/* The kind that a mapping's file name stands for. */
static toll_status kind_of(resolver *s, const pprof_location *l, int *kind, toll_error *err)
{
    static const char *const names[] = PPROF_KIND_NAMES;
    const char *file;
    *kind = TOLL_KIND_FUNCTION;
    if (l->mapping == 0)
        return TOLL_OK;
    uint32_t number = toll_u64map_find(&s->r->mapping_index, l->mapping);
    if (number == UINT32_MAX)
        return toll_fail_byte(s->r->in, l->used_at, err, TOLL_E_SYNTAX,
                              "a location names mapping %" PRIu64 ", which does not exist; "
                              "fetch the file again",
                              l->mapping);
    toll_status status = text_at(s, s->r->mappings[number], &file, err);
    for (int k = 1; !status && k < PPROF_KIND_COUNT; k++)
        if (strcmp(file, names[k]) == 0)
            *kind = k;
    return status;
}

static toll_status add_frame(resolver *s, const toll_frame *f, toll_error *err)
{
    void *frames = s->frames;
    if (!toll_mem_reserve(&s->r->mem, &frames, &s->frame_capacity, s->frame_count + 1,
                          sizeof *s->frames))
        return toll_fail_nomem(err);
    s->frames = frames;
    return toll_profile_add_frame(s->profile, f, &s->frames[s->frame_count++], err);
}

static toll_status find_function(resolver *s, const pprof_location *l, uint64_t id,
                                 uint32_t *number, toll_error *err)
{
    *number = toll_u64map_find(&s->r->function_index, id);
    if (*number != UINT32_MAX)
        return TOLL_OK;
    return toll_fail_byte(s->r->in, l->used_at, err, TOLL_E_SYNTAX,
                          "a location names function %" PRIu64 ", which does not exist; "
                          "fetch the file again",
                          id);
}

static const uint64_t *line_at(const resolver *s, const pprof_location *l, uint32_t i)
{
    return &s->r->lines.items[l->first_line + 2 * (size_t)i];
}

/* What functions are called is known when all of them are. */
static toll_status collect_names(resolver *s, const pprof_location *l, toll_error *err)
{
    int kind;
    uint32_t number;
    toll_status status = l->line_count ? kind_of(s, l, &kind, err) : TOLL_OK;
    for (uint32_t i = 0; !status && i < l->line_count && kind != PPROF_OUTSIDE; i++) {
        status = find_function(s, l, line_at(s, l, i)[0], &number, err);
        if (!status)
            status = toll_pprof_names_add(&s->names, number, kind, err);
    }
    return status;
}

static toll_status add_function(resolver *s, const pprof_location *l, const uint64_t *line,
                                int kind, toll_error *err)
{
    uint32_t number;
    toll_frame frame;
    toll_status status = find_function(s, l, line[0], &number, err);
    if (!status)
        status = toll_pprof_names_frame(&s->names, number, kind, &frame, err);
    if (status)
        return status;
    s->lines += line[1] != s->r->functions[number].start_line;
    return add_frame(s, &frame, err);
}

static toll_status resolve_location(resolver *s, const pprof_location *l, toll_error *err)
{
    int kind;
    if (!l->defined)
        return toll_fail_byte(s->r->in, l->used_at, err, TOLL_E_SYNTAX,
                              "a sample names location %" PRIu64 ", which does not exist; "
                              "fetch the file again",
                              l->id);
    toll_status status = kind_of(s, l, &kind, err);
    if (status || kind == PPROF_OUTSIDE)
        return status;
    s->mappings += l->mapping && kind == TOLL_KIND_FUNCTION;
    if (l->line_count == 0) {
        char name[24];
        snprintf(name, sizeof name, "0x%" PRIx64, l->address);
        return add_frame(s, &(toll_frame){ name, NULL, 0, (toll_frame_kind)kind }, err);
    }
    s->addresses += l->address != 0;
    for (uint32_t i = l->line_count; !status && i-- > 0;)
        status = add_function(s, l, line_at(s, l, i), kind, err);
    return status;
}

static toll_status resolve_locations(resolver *s, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < s->r->location_count; i++)
        status = collect_names(s, &s->r->locations[i], err);
    for (size_t i = 0; !status && i < s->r->location_count; i++) {
        s->first_frame[i] = s->frame_count;
        status = resolve_location(s, &s->r->locations[i], err);
    }
    s->first_frame[s->r->location_count] = s->frame_count;
    return status;
}

/* The thread that a list of labels tells: the one with our key; others are counted. */
static toll_status thread_of(resolver *s, uint32_t set, const char **name, toll_error *err)
{
    const char *bytes = toll_strtab_text(&s->r->label_sets, set);
    size_t count = toll_strtab_size(&s->r->label_sets, set) / (2 * sizeof(uint64_t));
    *name = "";
    for (size_t i = 0; i < count; i++) {
        uint64_t label[2]; /* key, str */
        const char *key;
        memcpy(label, bytes + i * sizeof label, sizeof label);
        toll_status status = text_at(s, label[0], &key, err);
        if (!status && strcmp(key, PPROF_THREAD_KEY) == 0 && label[1])
            status = text_at(s, label[1], name, err);
        else
            toll_pprof_leave_out_label(s->r, label[0]);
        if (status)
            return status;
    }
    return TOLL_OK;
}

static toll_status resolve_roots(resolver *s, toll_error *err)
{
    for (size_t i = 0; i < s->r->root_count; i++) {
        const char *name;
        toll_thread_id thread;
        if (!s->r->roots[i])
            continue;
        toll_status status = thread_of(s, (uint32_t)i, &name, err);
        if (!status)
            status = toll_profile_add_thread(s->profile, name, &thread, err);
        if (status)
            return status;
        s->nodes[s->r->roots[i]->id] = toll_profile_root(s->profile, thread);
    }
    return TOLL_OK;
}

static toll_status resolve_node(resolver *s, const toll_node *from, toll_error *err)
{
    toll_status status = TOLL_OK;
    if (from->parent) {
        toll_node_id to = s->nodes[from->parent->id];
        for (size_t i = s->first_frame[from->frame]; i < s->first_frame[from->frame + 1]; i++) {
            status = toll_profile_add_child(s->profile, to, s->frames[i], &to, err);
            if (status)
                return status;
        }
        s->nodes[from->id] = to;
    }
    for (uint32_t c = 0; !status && c < s->r->type_count; c++)
        if (from->values[c])
            status = toll_profile_add_self(s->profile, s->nodes[from->id], c, from->values[c], err);
    return status;
}

static toll_status resolve_comment(resolver *s, const char *text, toll_error *err)
{
    const size_t prefix = strlen(PPROF_NOTE_PREFIX);
    const char *end;
    uint64_t count;
    if (strncmp(text, PPROF_NOTE_PREFIX, prefix) == 0 &&
        (end = strchr(text + prefix, ' ')) != NULL &&
        toll_text_u64(text + prefix, (size_t)(end - text) - prefix, &count))
        return toll_profile_add_note(s->profile, end + 1, count, err);
    return toll_profile_add_comment(s->profile, text, err);
}

static toll_status resolve_all(resolver *s, toll_error *err)
{
    pprof_reader *r = s->r;
    toll_thread_id thread;
    toll_status status = resolve_columns(s, err);
    if (!status)
        status = check_period(s, err);
    if (!status)
        status = resolve_locations(s, err);
    if (!status)
        status = resolve_roots(s, err);
    for (uint32_t id = 0; !status && id < r->tree.count; id++)
        status = resolve_node(s, toll_tree_node(&r->tree, id), err);
    for (size_t i = 0; !status && i < r->comments.count; i++) {
        const char *text;
        status = text_at(s, r->comments.items[i], &text, err);
        if (!status)
            status = resolve_comment(s, text, err);
    }
    if (!status && toll_profile_thread_count(s->profile) == 0)
        status = toll_profile_add_thread(s->profile, "", &thread, err);
    toll_profile_set_time(s->profile, r->time_ns, r->duration_ns);
    return status;
}

/* Labels other than the thread's, by name: which are meant is what a user wants to know. */
static void warn_labels(const resolver *s)
{
    char keys[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < s->r->label_key_count; i++) {
        const char *key;
        char shown[31];
        if (!text_at(s, s->r->label_keys[i], &key, NULL) && used + 40 < sizeof keys)
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", i ? ", " : "",
                                     toll_printable(key, shown, sizeof shown));
    }
    toll_format_warn(s->r->options, "%s: left out: labels (%s)", toll_input_name(s->r->in), keys);
}

static void warn_left_out(const resolver *s)
{
    const toll_format_options *o = s->r->options;
    const char *name = toll_input_name(s->r->in);
    if (s->mappings || s->addresses)
        toll_format_warn(o, "%s: left out: mappings and addresses of %" PRIu64 " locations", name,
                         s->mappings > s->addresses ? s->mappings : s->addresses);
    if (s->lines)
        toll_format_warn(o, "%s: left out: line numbers within functions (%" PRIu64 ")", name,
                         s->lines);
    if (s->r->labels_left_out)
        warn_labels(s);
    if (s->names.numbered)
        toll_format_warn(o,
                         "%s: functions whose names and places are alike are called NAME#ID, by "
                         "their ids in the file",
                         name);
    if (s->period_left_out)
        toll_format_warn(o, "%s: left out: the period (%" PRIu64 " %.60s of %.60s)", name,
                         s->r->period, s->period_type.unit, s->period_type.type);
}

toll_status toll_pprof_resolve(pprof_reader *r, toll_profile **out, toll_error *err)
{
    resolver s = { .r = r };
    size_t locations = r->location_count + 1, nodes = (size_t)r->tree.count + 1;
    toll_status status = toll_profile_create(&r->mem, &s.profile, err);
    if (status)
        return status;
    toll_pprof_names_init(&s.names, r);
    s.first_frame = toll_mem_new(&r->mem, locations, sizeof *s.first_frame);
    s.nodes = toll_mem_new(&r->mem, nodes, sizeof *s.nodes);
    status = s.first_frame && s.nodes ? resolve_all(&s, err) : toll_fail_nomem(err);
    toll_mem_free(&r->mem, s.first_frame, locations, sizeof *s.first_frame);
    toll_mem_free(&r->mem, s.nodes, nodes, sizeof *s.nodes);
    toll_mem_free(&r->mem, s.frames, s.frame_capacity, sizeof *s.frames);
    toll_pprof_names_free(&s.names);
    if (status) {
        toll_profile_free(s.profile);
        return status;
    }
    warn_left_out(&s);
    *out = s.profile;
    return TOLL_OK;
}
