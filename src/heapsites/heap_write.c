/* heap_write.c - see heap_write.h. A format is a list of parts, written in order; a part writes
 * the items 0, 1, ... of a list, with text before and after. */
#include "heapsites/heap_write.h"

#include "format/format_row.h"

#include "base/fail.h"
#include "base/json_write.h"
#include "base/text.h"
#include "format/json_notes.h"

#include <inttypes.h>
#include <string.h>
#include <toll/format.h>

struct toll_heap_writer {
    const toll_heap_sites *sites;
    const struct part *part; /* current part; all is written if its `items` is NULL */
    size_t next;             /* index of the next of its items */
    toll_profile *profile;   /* for format pprof */
};

typedef enum part_list { NOTES, NAMES, LIVE, GROWTH } part_list;

typedef toll_status item_writer(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                                toll_error *err);

typedef struct part {
    part_list list;
    const char *before;
    item_writer *items;
    const char *after; /* may contain one %, which is replaced by a sum */
    int64_t (*sum)(const toll_heap_sites *sites);
} part;

static const toll_heap_list *list_of(const toll_heap_writer *w)
{
    return w->part->list == GROWTH ? &w->sites->growth : &w->sites->live;
}

static size_t length(const toll_heap_writer *w)
{
    size_t names = w->sites->names.count; /* includes "", as soon as there are any */
    switch (w->part->list) {
    case NOTES: return toll_heap_note_count(w->sites);
    case NAMES: return names ? names - 1 : 0;
    default: return list_of(w)->count;
    }
}

/* --- items -------------------------------------------------------------------------------------*/

static toll_status put_notes(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                             toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        uint64_t count;
        const char *text = toll_heap_note(w->sites, from, &count);
        toll_json_put_text(out, from ? ",\n" : "\n");
        toll_json_put_note(out, count, text);
    }
    return TOLL_OK;
}

/* Write names. Name 0 is "", which no frame has. */
static toll_status put_names(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                             toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        toll_json_put_text(out, from ? ",\n{\"name\":" : "\n{\"name\":");
        toll_json_put_string(out, toll_strtab_text(&w->sites->names, (uint32_t)from + 1));
        toll_json_put_text(out, "}");
    }
    return TOLL_OK;
}

/* Write the numbers of a site's frames, outermost first. They are most of the file, so they are
 * written by the hundred. */
static void put_stack(const toll_heap_writer *w, const toll_heap_site *site, toll_output *out)
{
    char text[1024];
    size_t size = 0;
    for (uint32_t i = site->depth; i-- > 0;) {
        size += toll_text_put_u64(text + size, toll_heap_frame_at(w->sites, site, i)->name - 1);
        text[size++] = i ? ',' : ']';
        if (i == 0 || size > sizeof text - 24) {
            toll_output_write(out, text, size);
            size = 0;
        }
    }
}

static toll_status put_stacks(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                              toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        toll_json_put_text(out, from ? ",\n[" : "\n[");
        put_stack(w, &list_of(w)->sites[from], out);
    }
    return TOLL_OK;
}

static toll_status put_bytes(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                             toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        toll_json_put_text(out, from ? "," : "");
        toll_json_put_i64(out, list_of(w)->sites[from].bytes);
    }
    return TOLL_OK;
}

static toll_status put_counts(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                              toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        toll_json_put_text(out, from ? "," : "");
        toll_json_put_i64(out, list_of(w)->sites[from].count);
    }
    return TOLL_OK;
}

static void put_name(const toll_heap_writer *w, const toll_heap_frame *f, toll_output *out)
{
    toll_json_put_string(out, toll_strtab_text(&w->sites->names, f->name));
}

static toll_status put_perfview(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                                toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        const toll_heap_site *site = &list_of(w)->sites[from];
        toll_json_put_text(out, from ? ",\n{\"Stack\":[" : "\n{\"Stack\":[");
        for (uint32_t i = 0; i < site->depth; i++) {
            toll_json_put_text(out, i ? "," : "");
            put_name(w, toll_heap_frame_at(w->sites, site, i), out);
        }
        toll_output_printf(out, "],\"Metric\":%" PRId64 "}", site->bytes);
    }
    return TOLL_OK;
}

static void put_frame(const toll_heap_writer *w, const toll_heap_frame *f, toll_output *out)
{
    toll_json_put_text(out, "{\"name\":");
    put_name(w, f, out);
    if (f->function != UINT32_MAX)
        toll_output_printf(out, ",\"functionIndex\":%" PRIu32, f->function);
    if (f->offset != UINT32_MAX)
        toll_output_printf(out, ",\"byteOffset\":%" PRIu32, f->offset);
    toll_json_put_text(out, "}");
}

static void put_ages(const toll_heap_sites *s, const toll_heap_site *site, toll_output *out)
{
    for (size_t i = 0; i < site->age_count; i++) {
        const toll_heap_age *age = &s->ages[site->first_age + i];
        toll_output_printf(
            out, "%s{\"snapshot\":%" PRIu32 ",\"count\":%" PRId64 ",\"bytes\":%" PRId64 "}",
            i ? "," : ",\"ages\":[", age->snapshot, age->count, age->bytes);
    }
    toll_json_put_text(out, site->age_count ? "]" : "");
}

static toll_status put_sites(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                             toll_error *err)
{
    (void)err;
    for (; from < to; from++) {
        const toll_heap_site *site = &list_of(w)->sites[from];
        toll_json_put_text(out, from ? ",\n{\"callSiteKey\":" : "\n{\"callSiteKey\":");
        toll_json_put_string(out, toll_heap_site_key(w->sites, site));
        toll_output_printf(out, ",\"%s\":%" PRId64 ",\"%s\":%" PRId64 ",\"frames\":[",
                           w->part->list == GROWTH ? "growths" : "outstandingCount", site->count,
                           w->part->list == GROWTH ? "bytes" : "outstandingBytes", site->bytes);
        for (uint32_t i = 0; i < site->depth; i++) {
            toll_json_put_text(out, i ? "," : "");
            put_frame(w, toll_heap_frame_at(w->sites, site, i), out);
        }
        toll_json_put_text(out, "]");
        put_ages(w->sites, site, out);
        toll_json_put_text(out, "}");
    }
    return TOLL_OK;
}

static toll_status add_to_profile(toll_heap_writer *w, size_t from, size_t to, toll_output *out,
                                  toll_error *err)
{
    (void)out;
    return toll_heap_profile_add(w->sites, w->profile, from, to, err);
}

/* --- formats -----------------------------------------------------------------------------------*/

static int64_t live_bytes(const toll_heap_sites *s)
{
    return s->live.bytes;
}

static int64_t live_objects(const toll_heap_sites *s)
{
    return s->live.objects;
}

static int64_t growth_bytes(const toll_heap_sites *s)
{
    return s->growth.bytes;
}

#define SAMPLED(name, unit)                                                                        \
    "{\"type\":\"sampled\",\"name\":\"" name "\",\"unit\":\"" unit                                 \
    "\",\"startValue\":0,\"samples\":["

/* The reader recognises the columns by these names. */
static const part speedscope[] = {
    { NOTES,
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
      "\"exporter\":\"toll\",\n\"notes\":[",
      put_notes, "],\n", NULL },
    { NAMES, "\"shared\":{\"frames\":[", put_names, "]},\n\"profiles\":[\n", NULL },
    { LIVE, SAMPLED(TOLL_HEAP_THREAD, "bytes"), put_stacks, "],\n\"weights\":[", NULL },
    { LIVE, "", put_bytes, "],\"endValue\":%},\n", live_bytes },
    { GROWTH, SAMPLED(TOLL_GROWTH_THREAD ": growth_space", "bytes"), put_stacks,
      "],\n\"weights\":[", NULL },
    { GROWTH, "", put_bytes, "],\"endValue\":%},\n", growth_bytes },
    { LIVE, SAMPLED(TOLL_HEAP_THREAD ": inuse_objects", "none"), put_stacks, "],\n\"weights\":[",
      NULL },
    { LIVE, "", put_counts, "],\"endValue\":%}],\n\"activeProfileIndex\":0}\n", live_objects },
    { NAMES, NULL, NULL, NULL, NULL },
};

/* Both forms of a file: see perfview.c. */
static const part perfview[] = {
    { NOTES, "{\"Notes\":[", put_notes, "],\n", NULL },
    { LIVE, "\"Samples\":[", put_perfview, "\n],\n", NULL },
    { LIVE, "\"StackSource\":{\"Samples\":[", put_perfview, "\n]}}\n", NULL },
    { NAMES, NULL, NULL, NULL, NULL },
};

static const part sites_json[] = {
    { NOTES, "{\"notes\":[", put_notes, "],\n", NULL },
    { LIVE, "\"allocationSites\":[", put_sites, "\n],\n", NULL },
    { GROWTH, "\"heapGrowthEvents\":[", put_sites, "\n]}\n", NULL },
    { NAMES, NULL, NULL, NULL, NULL },
};

static const part pprof[] = {
    { LIVE, "", add_to_profile, "", NULL },
    { NAMES, NULL, NULL, NULL, NULL },
};

static const struct {
    const char *name;
    const part *parts;
} formats[] = { { "speedscope", speedscope },
                { "perfview", perfview },
                { "pprof", pprof },
                { "sites", sites_json } };

/* --- writing -----------------------------------------------------------------------------------*/

static const part *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].parts;
    return NULL;
}

toll_status toll_heap_writer_create(const toll_heap_sites *sites, const char *format,
                                    toll_heap_writer **out, toll_error *err)
{
    const part *parts = find_format(format);
    *out = NULL;
    if (!parts)
        return toll_fail(
            err, TOLL_E_UNKNOWN_FORMAT,
            "a heap is not written as '%.100s'; there are speedscope, perfview, pprof, sites",
            format);
    toll_heap_writer *w = toll_mem_new(&sites->mem, 1, sizeof *w);
    if (!w)
        return toll_fail_nomem(err);
    *w = (toll_heap_writer){ .sites = sites, .part = parts };
    toll_status status =
        parts == pprof ? toll_heap_profile_begin(sites, &w->profile, err) : TOLL_OK;
    if (status)
        toll_heap_writer_free(w);
    else
        *out = w;
    return status;
}

void toll_heap_writer_free(toll_heap_writer *w)
{
    if (!w)
        return;
    const toll_mem mem = w->sites->mem;
    toll_profile_free(w->profile);
    toll_mem_free(&mem, w, 1, sizeof *w);
}

/* Write the profile as one file. Like toll_profile_write, it omits stacks without values. */
static toll_status write_pprof(const toll_profile *profile, toll_output *out, toll_error *err)
{
    static const toll_format_options none = { .size = sizeof none };
    toll_profile *pruned;
    toll_error unwanted;
    toll_status status = toll_profile_prune(profile, &pruned, err);
    if (status)
        return status;
    toll_write_job job = { .profile = pruned, .options = &none, .out = out };
    status = toll_pprof_write(&job, err ? err : &unwanted);
    toll_profile_free(pruned);
    return status;
}

/* Write the text after the items of a part. */
static toll_status end_part(toll_heap_writer *w, toll_output *out, toll_error *err)
{
    const part *p = w->part;
    const char *sum = strchr(p->after, '%');
    toll_output_write(out, p->after, sum ? (size_t)(sum - p->after) : strlen(p->after));
    if (sum) {
        toll_json_put_i64(out, p->sum(w->sites));
        toll_json_put_text(out, sum + 1);
    }
    w->next = 0;
    w->part++;
    if (!w->profile)
        return TOLL_OK;
    toll_status status = toll_heap_profile_end(w->sites, w->profile, err);
    return status ? status : write_pprof(w->profile, out, err);
}

toll_status toll_heap_writer_step(toll_heap_writer *w, size_t most, toll_output *out, bool *more,
                                  toll_error *err)
{
    *more = w->part->items != NULL;
    if (!*more)
        return TOLL_OK;
    if (w->next == 0)
        toll_json_put_text(out, w->part->before);
    size_t left = length(w) - w->next, now = most < left ? most : left;
    toll_status status = w->part->items(w, w->next, w->next + now, out, err);
    w->next += now;
    if (!status && now == left)
        status = end_part(w, out, err);
    *more = w->part->items != NULL;
    return status;
}
