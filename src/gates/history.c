/* history.c - see history.h. */
#include "gates/history.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "base/text.h"
#include "gates/exact.h"
#include "profile/graft.h"
#include "profile/order.h"
#include "profile/thread_labels.h"

#include <string.h>

static const char mark[] = "history:"; /* what the comment with the commits begins with */

static bool is_commits(const char *comment)
{
    return strncmp(comment, mark, sizeof mark - 1) == 0;
}

bool toll_history_is_id(const char *id)
{
    const char *c = id;
    while ((unsigned char)*c > ' ' && *c != 127)
        c++;
    return c > id && !*c;
}

uint32_t toll_history_count(const toll_history *h)
{
    return h->ids.count ? (uint32_t)h->ids.count - 1 : 0; /* id 0 is "" */
}

const char *toll_history_id(const toll_history *h, uint32_t commit)
{
    return toll_strtab_text(&h->ids, commit + 1);
}

uint32_t toll_history_find(const toll_history *h, const char *id)
{
    uint32_t found = *id ? toll_strtab_find(&h->ids, id, strlen(id)) : UINT32_MAX;
    return found == UINT32_MAX ? TOLL_NONE : found - 1;
}

/* --- opening -----------------------------------------------------------------------------------*/

static toll_status no_history(toll_error *err)
{
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "this profile is no history; toll history add begins one in a new file");
}

/* Read the commits from the comment. */
static toll_status read_commits(toll_history *h, const char *text, toll_error *err)
{
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t size = strcspn(text, " ");
        size_t before = h->ids.count;
        uint32_t id = toll_strtab_add(&h->ids, text, size);
        if (id == UINT32_MAX)
            return toll_fail_nomem(err);
        if (h->ids.count == before)
            return toll_fail(err, TOLL_E_UNSUPPORTED, "the history has a commit twice: %.60s",
                             text);
        text += size;
    }
    return TOLL_OK;
}

/* Threads without a label and without stacks are what readers make of a file without values. */
static bool is_empty(const toll_profile *p, toll_thread_id thread)
{
    toll_node_id root = toll_profile_root(p, thread);
    bool is = toll_profile_thread_label_count(p, thread) == 0;
    for (toll_node_id n = 0; is && n < toll_profile_node_count(p); n++)
        is = toll_profile_parent(p, n) != root;
    for (uint32_t c = 0; is && c < toll_profile_column_count(p); c++)
        is = toll_profile_self(p, root, c) == 0;
    return is;
}

/* Find the commit of each thread; TOLL_NONE: it is empty. */
static toll_status find_threads(toll_history *h, toll_error *err)
{
    uint32_t count = toll_profile_thread_count(h->profile);
    toll_mem_free(&h->mem, h->of_thread, h->thread_room, sizeof *h->of_thread);
    h->thread_room = (size_t)count + 1;
    h->of_thread = toll_mem_new(&h->mem, h->thread_room, sizeof *h->of_thread);
    if (!h->of_thread)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; t < count; t++) {
        h->of_thread[t] = TOLL_NONE;
        for (uint32_t i = 0; i < toll_profile_thread_label_count(h->profile, t); i++) {
            toll_thread_label label = toll_profile_thread_label(h->profile, t, i);
            if (strcmp(label.key, TOLL_HISTORY_KEY) == 0)
                h->of_thread[t] = toll_history_find(h, label.value);
        }
        if (h->of_thread[t] == TOLL_NONE && !is_empty(h->profile, t))
            return no_history(err);
    }
    return TOLL_OK;
}

toll_status toll_history_open(toll_history *h, toll_profile *profile, toll_error *err)
{
    const char *commits = NULL;
    *h = (toll_history){ .mem = *toll_profile_mem(profile), .profile = profile };
    toll_strtab_init(&h->ids, &h->mem);
    for (uint32_t i = 0; i < toll_profile_comment_count(profile); i++)
        if (is_commits(toll_profile_comment(profile, i)))
            commits = toll_profile_comment(profile, i) + sizeof mark - 1;
    if (!commits)
        return no_history(err);
    toll_status status = toll_strtab_add(&h->ids, "", 0) == UINT32_MAX
                             ? toll_fail_nomem(err)
                             : read_commits(h, commits, err);
    if (!status)
        status = toll_history_read_made(h, err);
    return status ? status : find_threads(h, err);
}

toll_status toll_history_create(toll_history *h, const toll_allocator *allocator, toll_error *err)
{
    toll_profile *p;
    toll_status status = toll_profile_create(allocator, &p, err);
    *h = (toll_history){ .mem = toll_mem_from(allocator) };
    if (status)
        return status;
    status = toll_profile_add_comment(p, mark, err);
    if (status) {
        toll_profile_free(p);
        return status;
    }
    return toll_history_open(h, p, err);
}

void toll_history_free(toll_history *h)
{
    toll_mem_free(&h->mem, h->of_thread, h->thread_room, sizeof *h->of_thread);
    toll_strtab_free(&h->ids);
    toll_origin_free(&h->made);
    toll_profile_free(h->profile);
    *h = (toll_history){ .mem = h->mem };
}

/* Write the comment anew, with the commits from `first` on. Notes of single runs are not kept. */
static toll_status write_commits(toll_history *h, uint32_t first, toll_error *err)
{
    toll_buffer text;
    toll_buffer_init(&text, &h->mem);
    toll_buffer_append_text(&text, mark);
    for (uint32_t c = first; c < toll_history_count(h); c++)
        toll_buffer_append_format(&text, " %s", toll_history_id(h, c));
    const char *whole = toll_buffer_cstr(&text);
    toll_profile_clear_notes(h->profile);
    toll_status status =
        whole ? toll_profile_add_comment(h->profile, whole, err) : toll_fail_nomem(err);
    toll_buffer_free(&text);
    return status ? status : toll_history_write_made(h, err);
}

/* --- adding ------------------------------------------------------------------------------------*/

/* Copy the stacks and the values of columns: column i of `p` is columns[i] of `to`, if not
 * TOLL_NONE. */
static toll_status copy_columns(const toll_profile *p, const uint32_t *columns, toll_profile *to,
                                toll_node_id *nodes, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (toll_thread_id t = 0; !status && t < toll_profile_thread_count(p); t++) {
        toll_thread_id thread;
        status = toll_profile_add_thread_of(to, p, t, &thread, err);
        if (!status)
            nodes[toll_profile_root(p, t)] = toll_profile_root(to, thread);
    }
    for (toll_node_id n = 0; !status && n < toll_profile_node_count(p); n++) {
        toll_node_id parent = toll_profile_parent(p, n);
        toll_frame_id frame;
        if (parent != TOLL_NONE) {
            toll_frame f = toll_profile_frame(p, toll_profile_node_frame(p, n));
            status = toll_profile_add_frame(to, &f, &frame, err);
            if (!status)
                status = toll_profile_add_child(to, nodes[parent], frame, &nodes[n], err);
        }
        for (uint32_t c = 0; !status && c < toll_profile_column_count(p); c++)
            if (columns[c] != TOLL_NONE && toll_profile_self(p, n, c))
                status = toll_profile_add_self(to, nodes[n], columns[c], toll_profile_self(p, n, c),
                                               err);
    }
    return status;
}

/* A copy without times, which differ from run to run: each commit would change each stack. */
static toll_status without_time(const toll_profile *p, toll_profile **out, toll_error *err)
{
    uint32_t columns[TOLL_MAX_COLUMNS], count = toll_profile_column_count(p);
    size_t room = (size_t)toll_profile_node_count(p) + 1;
    toll_node_id *nodes = toll_mem_new(toll_profile_mem(p), room, sizeof *nodes);
    toll_status status =
        nodes ? toll_profile_create(toll_profile_mem(p), out, err) : toll_fail_nomem(err);
    for (uint32_t c = 0; !status && c < count; c++) {
        toll_value_type v = toll_profile_column(p, c);
        columns[c] = TOLL_NONE;
        if (!toll_is_time(v))
            status = toll_profile_add_column(*out, v.type, v.unit, &columns[c], err);
    }
    if (!status && count && !toll_profile_column_count(*out))
        status =
            toll_fail(err, TOLL_E_ARGUMENT,
                      "the profile has only times, which differ from run to run; record ticks, "
                      "calls or bytes");
    if (!status)
        status = copy_columns(p, columns, *out, nodes, err);
    toll_mem_free(toll_profile_mem(p), nodes, room, sizeof *nodes);
    return status;
}

/* Replace a profile by another one (NULL: keep it), unless that failed. */
static toll_status replace(toll_profile **p, toll_profile *q, toll_status status)
{
    toll_profile *unwanted = status || !q ? q : *p;
    *p = status || !q ? *p : q;
    toll_profile_free(unwanted);
    return status;
}

/* Move the history's functions to where the profile has them. */
static toll_status align(toll_history *h, const toll_profile *profile, toll_error *err)
{
    toll_profile *moved = NULL;
    toll_status status = toll_profile_align(h->profile, profile, &moved, err);
    status = replace(&h->profile, moved, status);
    return status ? status : find_threads(h, err);
}

/* Add `by`, what the commit has changed. */
static toll_status add_change(toll_history *h, const toll_profile *by, const char *id,
                              toll_error *err)
{
    toll_profile *labelled;
    toll_buffer label;
    toll_buffer_init(&label, &h->mem);
    toll_buffer_append_format(&label, TOLL_HISTORY_KEY "=%s\n", id);
    const char *text = toll_buffer_cstr(&label);
    toll_status status =
        text ? toll_profile_with_labels(by, text, &labelled, err) : toll_fail_nomem(err);
    toll_buffer_free(&label);
    if (status)
        return status;
    toll_profile_clear_notes(labelled);
    status = toll_profile_merge(h->profile, labelled, err);
    toll_profile_free(labelled);
    return status;
}

/* What changes from the last commit to the profile, without stacks that have not changed. */
static toll_status find_change(toll_history *h, const toll_profile *profile, toll_profile **out,
                               toll_error *err)
{
    toll_profile *last = NULL, *by = NULL;
    uint32_t count = toll_history_count(h);
    toll_status status = align(h, profile, err);
    if (!status)
        status = count ? toll_history_at(h, count - 1, &last, err)
                       : toll_profile_like(&h->mem, profile, &last, err);
    if (!status)
        status = toll_profile_diff(last, profile, &by, err);
    if (!status)
        status = toll_profile_prune(by, out, err);
    toll_profile_free(last);
    toll_profile_free(by);
    return status;
}

toll_status toll_history_add(toll_history *h, const toll_profile *profile, const char *id,
                             toll_error *err)
{
    toll_profile *exact = NULL, *plain = NULL, *folded = NULL, *by = NULL;
    if (!toll_history_is_id(id))
        return toll_fail(err, TOLL_E_ARGUMENT, "'%.60s' is no name of a commit", id);
    if (toll_history_find(h, id) != TOLL_NONE)
        return toll_fail(err, TOLL_E_ARGUMENT, "the history has the commit %.60s already", id);
    toll_status status = without_time(profile, &exact, err);
    if (!status)
        status = toll_profile_fold_places(exact, &folded, err);
    if (!status)
        status = toll_history_without_commit(folded, &plain, err);
    if (!status)
        status = find_change(h, plain, &by, err);
    if (!status)
        status = add_change(h, by, id, err);
    if (!status && toll_strtab_add(&h->ids, id, strlen(id)) == UINT32_MAX)
        status = toll_fail_nomem(err);
    if (!status)
        status = toll_history_set_made(h, profile, err);
    if (!status)
        status = write_commits(h, 0, err);
    toll_profile_free(exact);
    toll_profile_free(folded);
    toll_profile_free(plain);
    toll_profile_free(by);
    return status ? status : find_threads(h, err);
}

toll_status toll_history_prune(toll_history *h, uint32_t keep, toll_error *err)
{
    uint32_t count = toll_history_count(h);
    toll_profile *first, *rest = NULL;
    if (keep >= count || keep == 0)
        return TOLL_OK;
    uint32_t oldest = count - keep;
    bool *later = toll_mem_new(&h->mem, h->thread_room, sizeof *later);
    if (!later)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; t < toll_profile_thread_count(h->profile); t++)
        later[t] = h->of_thread[t] > oldest && h->of_thread[t] != TOLL_NONE;
    toll_status status = toll_history_at(h, oldest, &first, err);
    if (!status) {
        status = toll_profile_like(&h->mem, h->profile, &rest, err);
        if (!status)
            status = toll_history_add_threads(h, later, rest, err);
        status = replace(&h->profile, rest, status);
        if (!status)
            status = add_change(h, first, toll_history_id(h, oldest), err);
        toll_profile_free(first);
    }
    toll_mem_free(&h->mem, later, h->thread_room, sizeof *later);
    if (!status)
        status = write_commits(h, oldest, err);
    if (status)
        return status;
    toll_profile *profile = h->profile;
    h->profile = NULL;
    toll_history_free(h);
    return toll_history_open(h, profile, err);
}
