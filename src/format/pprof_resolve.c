/* pprof_resolve.c - the last step of the pprof reader: replaces numbers by names, and turns the
 * tree of locations into a tree of frames. */
#include "base/array.h"
#include "base/text.h"
#include "format/pprof.h"
#include "format/pprof_frames.h"
#include "profile/runs.h"
#include "profile/sampled.h"
#include "profile/take_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct resolver {
    pprof_reader *r;
    toll_profile *profile;
    pprof_frames frames;
    toll_node_id *nodes;       /* by id of the reader's tree */
    toll_thread_label *labels; /* of the current thread */
    size_t label_capacity;
    bool period_left_out;
    toll_value_type period_type;
} resolver;

static bool set_default_column(resolver *s)
{
    const char *shown;
    if (!s->r->default_type) { /* the default is the type "", or the last one: see profile.proto */
        uint32_t nameless = toll_profile_find_column(s->profile, "");
        toll_profile_set_default_column(
            s->profile, nameless == TOLL_NONE ? (uint32_t)s->r->type_count - 1 : nameless);
        return true;
    }
    if (!toll_pprof_text(s->r, s->r->default_type, &shown))
        return false;
    toll_profile_set_default_column(s->profile, toll_profile_find_column(s->profile, shown));
    return true;
}

static bool resolve_columns(resolver *s)
{
    pprof_reader *r = s->r;
    const char *type, *unit;
    if (r->tree_made && r->tree.width != r->type_count)
        return toll_ok(&r->failure,
                       toll_fail(r->failure.err, TOLL_E_SYNTAX,
                                 "%s: samples have %u values, but there are %zu value types",
                                 toll_input_name(r->in), r->tree.width, r->type_count));
    for (size_t i = 0; i < r->type_count; i++)
        if (!toll_pprof_text(r, r->types[i].type, &type) ||
            !toll_pprof_text(r, r->types[i].unit, &unit) ||
            !toll_ok(&r->failure,
                     toll_profile_add_column(s->profile, type, unit, NULL, r->failure.err)))
            return false;
    return !r->type_count || set_default_column(s);
}

/* A period above 1 means that the file was sampled. A comment then says so. */
static bool note_sampling(resolver *s)
{
    char text[240];
    if (s->r->period <= 1)
        return true;
    snprintf(text, sizeof text, TOLL_SAMPLED_PREFIX "every %" PRIu64 " %.80s of %.80s",
             s->r->period, s->period_type.unit, s->period_type.type);
    return toll_ok(&s->r->failure, toll_profile_add_comment(s->profile, text, s->r->failure.err));
}

/* A toll_profile has no period. A period that differs from what the columns imply is omitted, with
 * a warning. */
static bool check_period(resolver *s)
{
    pprof_reader *r = s->r;
    toll_value_type given, ours = toll_pprof_period_type(s->profile);
    if (!toll_pprof_text(r, r->period_type.type, &given.type) ||
        !toll_pprof_text(r, r->period_type.unit, &given.unit))
        return false;
    if (!ours.type)
        return true;
    bool is_ours = strcmp(given.type, ours.type) == 0 && strcmp(given.unit, ours.unit) == 0;
    s->period_left_out = (*given.type && !is_ours) || r->period > 1;
    s->period_type = given;
    return note_sampling(s);
}

/* --- stacks ------------------------------------------------------------------------------------*/

/* Set the name of the thread. If it has several, whose order means nothing, the first in sorted
 * order is kept. */
static void resolve_name(resolver *s, uint64_t key, const char *name, const char **thread)
{
    int by = strcmp(name, *thread);
    if (*name && **thread && by)
        toll_pprof_leave_out_label(s->r, key);
    if (*name && (!**thread || by < 0))
        *thread = name;
}

/* Use one label of a set: as the thread's name, as one of its labels, or not at all. */
static bool resolve_label(resolver *s, const char *label, const char **thread, uint32_t *count)
{
    uint64_t ids[2]; /* key, str */
    const char *key, *value;
    memcpy(ids, label, sizeof ids);
    if (!toll_pprof_text(s->r, ids[0], &key) || !toll_pprof_text(s->r, ids[1], &value))
        return false;
    if (strcmp(key, PPROF_THREAD_KEY) == 0)
        resolve_name(s, ids[0], value, thread);
    else if (*key)
        s->labels[(*count)++] = (toll_thread_label){ key, value };
    else
        toll_pprof_leave_out_label(s->r, ids[0]);
    return true;
}

/* The thread for a set of labels. */
static bool resolve_thread(resolver *s, uint32_t set, toll_thread_id *thread)
{
    pprof_reader *r = s->r;
    const size_t size = 2 * sizeof(uint64_t);
    const char *bytes = toll_strtab_text(&r->label_sets, set), *name = "";
    size_t count = toll_strtab_size(&r->label_sets, set) / size;
    uint32_t kept = 0;
    if (!toll_array_grow(&r->mem, &s->labels, &s->label_capacity, 0, count))
        return toll_no_memory(&r->failure);
    for (size_t i = 0; i < count; i++)
        if (!resolve_label(s, bytes + i * size, &name, &kept))
            return false;
    return toll_ok(&r->failure, toll_profile_add_labelled_thread(s->profile, name, s->labels, kept,
                                                                 thread, r->failure.err));
}

static bool resolve_roots(resolver *s)
{
    pprof_reader *r = s->r;
    for (size_t i = 0; i < r->root_count; i++) {
        toll_thread_id thread;
        if (!r->roots[i])
            continue;
        if (!resolve_thread(s, (uint32_t)i, &thread))
            return false;
        s->nodes[r->roots[i]->id] = toll_profile_root(s->profile, thread);
    }
    return true;
}

static bool resolve_node(resolver *s, const toll_node *from)
{
    pprof_reader *r = s->r;
    toll_error *err = r->failure.err;
    if (from->parent) {
        toll_node_id to = s->nodes[from->parent->id];
        for (size_t i = s->frames.first[from->frame]; i < s->frames.first[from->frame + 1]; i++)
            if (!toll_ok(&r->failure,
                         toll_profile_add_child(s->profile, to, s->frames.ids[i], &to, err)))
                return false;
        s->nodes[from->id] = to;
    }
    for (uint32_t c = 0; c < r->type_count; c++)
        if (from->values[c] &&
            !toll_ok(&r->failure, toll_profile_add_self(s->profile, s->nodes[from->id], c,
                                                        from->values[c], err)))
            return false;
    return true;
}

/* If each location is one distinct frame, and each list of labels one distinct thread, the tree of
 * locations becomes the profile's tree; only the numbers of its frames change. */
static bool copy_tree(resolver *s)
{
    pprof_reader *r = s->r;
    size_t threads = 0;
    for (size_t i = 0; i < r->location_count; i++)
        if (s->frames.first[i] != i)
            return false;
    for (size_t i = 0; i < r->root_count; i++)
        if (r->roots[i])
            r->roots[threads++] = r->roots[i];
    r->root_count = threads;
    if (!r->tree_made || s->frames.count != r->location_count ||
        toll_profile_frame_count(s->profile) != s->frames.count ||
        toll_profile_thread_count(s->profile) != threads)
        return false;
    toll_profile_take_tree(s->profile, &r->tree, r->roots, s->frames.ids);
    return true;
}

static bool resolve_nodes(resolver *s)
{
    if (copy_tree(s))
        return true;
    for (uint32_t id = 0; id < s->r->tree.count; id++)
        if (!resolve_node(s, toll_tree_node(&s->r->tree, id)))
            return false;
    return true;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Is it "PREFIXCOUNT TEXT"? Returns the text and the count; NULL: it is not. */
static const char *counted(const char *text, const char *prefix, uint64_t *count)
{
    const size_t size = strlen(prefix);
    if (strncmp(text, prefix, size) != 0)
        return NULL;
    const char *end = strchr(text + size, ' ');
    return end && toll_text_u64(text + size, (size_t)(end - text) - size, count) ? end + 1 : NULL;
}

/* Add a comment; or, if it contains a note or runs, these. */
static toll_status add_comment(resolver *s, const char *text)
{
    uint64_t count;
    toll_error *err = s->r->failure.err;
    const char *note = counted(text, PPROF_NOTE_PREFIX, &count);
    if (note)
        return toll_profile_add_note(s->profile, note, count, err);
    if (strcmp(text, PPROF_UNKNOWN_RUNS) == 0) {
        toll_runs_add_unknown(s->profile);
        return TOLL_OK;
    }
    const char *runs = counted(text, PPROF_RUNS_PREFIX, &count);
    toll_status status = runs ? toll_runs_add(s->profile, runs, count, err) : TOLL_E_SYNTAX;
    return status == TOLL_E_SYNTAX ? toll_profile_add_comment(s->profile, text, err) : status;
}

static bool resolve_comments(resolver *s)
{
    pprof_reader *r = s->r;
    for (size_t i = 0; i < r->comments.count; i++) {
        const char *text;
        if (!toll_pprof_text(r, r->comments.items[i], &text) ||
            !toll_ok(&r->failure, add_comment(s, text)))
            return false;
    }
    return toll_ok(&r->failure, toll_profile_add_note(s->profile, PPROF_NOTE_NUMBERS,
                                                      r->numbered_samples, r->failure.err));
}

/* Add a thread if there is none: a profile has at least one. */
static bool have_a_thread(resolver *s)
{
    toll_thread_id thread;
    return toll_profile_thread_count(s->profile) > 0 ||
           toll_ok(&s->r->failure,
                   toll_profile_add_thread(s->profile, "", &thread, s->r->failure.err));
}

static bool resolve_all(resolver *s)
{
    toll_profile_set_time(s->profile, s->r->time_ns, s->r->duration_ns);
    return resolve_columns(s) && check_period(s) && toll_pprof_frames_add(&s->frames) &&
           resolve_roots(s) && resolve_nodes(s) && resolve_comments(s) && have_a_thread(s);
}

/* Warn with the keys of the labels that were omitted, since users will look for theirs. */
static void warn_labels(const resolver *s)
{
    const pprof_reader *r = s->r;
    char keys[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < r->label_key_count; i++) {
        char shown[31];
        if (r->label_keys[i] >= r->string_count || used + 40 >= sizeof keys)
            continue;
        const char *key = toll_strtab_text(&r->text, r->strings[r->label_keys[i]]);
        used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", i ? ", " : "",
                                 toll_printable(key, shown, sizeof shown));
    }
    toll_format_warn(r->options, "%s: left out: labels (%s)", toll_input_name(r->in), keys);
}

static void warn_left_out(const resolver *s)
{
    const toll_format_options *o = s->r->options;
    const char *name = toll_input_name(s->r->in);
    if (s->frames.addresses)
        toll_format_warn(o, "%s: left out: addresses of %" PRIu64 " locations", name,
                         s->frames.addresses);
    if (s->r->labels_left_out)
        warn_labels(s);
    if (s->frames.names.numbered)
        toll_format_warn(o,
                         "%s: functions whose names and places are alike are called NAME#ID, by "
                         "their ids in the file",
                         name);
    if (s->period_left_out)
        toll_format_warn(o, "%s: left out: the period (%" PRIu64 " %.60s of %.60s)", name,
                         s->r->period, s->period_type.unit, s->period_type.type);
}

bool toll_pprof_resolve(pprof_reader *r, toll_profile **out)
{
    resolver s = { .r = r };
    size_t nodes = (size_t)r->tree.count + 1;
    if (!toll_ok(&r->failure, toll_profile_create(&r->mem, &s.profile, r->failure.err)))
        return false;
    bool has_frames = toll_pprof_frames_init(&s.frames, r, s.profile);
    s.nodes = toll_mem_new(&r->mem, nodes, sizeof *s.nodes);
    bool good = has_frames && s.nodes ? resolve_all(&s) : toll_no_memory(&r->failure);
    toll_mem_free(&r->mem, s.nodes, nodes, sizeof *s.nodes);
    toll_mem_free(&r->mem, s.labels, s.label_capacity, sizeof *s.labels);
    if (good) {
        warn_left_out(&s);
        *out = s.profile;
    } else {
        toll_profile_free(s.profile);
    }
    toll_pprof_frames_free(&s.frames);
    return good;
}
