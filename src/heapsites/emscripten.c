/* emscripten.c - what Emscripten's heap profiler knows, saved in a page by
 * JSON.stringify(emscriptenMemoryProfiler): {"allocationsAtLoc":{STACK:[COUNT,BYTES,...],...},
 * "sbrkSources":[{"stack":HTML,"begin":N,"end":N,...},...]}. Toll's own script adds
 * "tollIsShared":true once other threads use the heap. Other keys are passed over. */
#include "heapsites/emscripten.h"

#include "base/json_read.h"
#include "base/text.h"
#include "format/sniff.h"
#include "heapsites/heap_sites.h"

#include <string.h>

toll_sniff toll_emscripten_sniff(const uint8_t *data, size_t size)
{
    return toll_sniff_json(data, size, "\"allocationsAtLoc\"", NULL);
}

typedef struct emscripten_reader {
    toll_json j;
    toll_error *err;
    toll_heap_sites *sites;
    toll_buffer stack; /* of the site at hand */
    bool any;          /* allocationsAtLoc was there */
} emscripten_reader;

static bool ok(emscripten_reader *r, toll_status status)
{
    if (status && !r->j.status)
        r->j.status = status;
    return !r->j.status;
}

static bool is(const emscripten_reader *r, const char *key)
{
    return strcmp(toll_json_text(&r->j), key) == 0;
}

static bool refuse(emscripten_reader *r, const char *what)
{
    if (!r->j.status)
        toll_json_fail(&r->j, TOLL_E_SYNTAX, what);
    return false;
}

static bool keep_stack(emscripten_reader *r)
{
    toll_buffer_clear(&r->stack);
    return toll_buffer_append(&r->stack, r->j.text.data, r->j.text.size) ||
           ok(r, toll_json_fail(&r->j, TOLL_E_NOMEM, ""));
}

static const char *stack_of(const emscripten_reader *r)
{
    return r->stack.size ? (const char *)r->stack.data : "";
}

static bool take_integer(emscripten_reader *r, int64_t *out)
{
    bool exact;
    if (!toll_json_expect(&r->j, TOLL_JSON_NUMBER, "a number was expected here"))
        return false;
    return (toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, out, &exact) && exact) ||
           refuse(r, "a number is no integer of 64 bits");
}

/* STACK:[COUNT,BYTES,...], the key taken. */
static bool take_site(emscripten_reader *r)
{
    int64_t count, bytes;
    toll_json_token t;
    if (!keep_stack(r) ||
        !toll_json_expect(&r->j, TOLL_JSON_ARRAY, "a site must be an array: count, bytes, ...") ||
        !take_integer(r, &count) || !take_integer(r, &bytes))
        return false;
    while ((t = toll_json_next(&r->j)) != TOLL_JSON_ARRAY_END)
        if (!toll_json_skip(&r->j, t))
            return false;
    return ok(r, toll_heap_sites_add(r->sites, stack_of(r), r->stack.size, count, bytes, r->err));
}

static bool take_sites(emscripten_reader *r)
{
    toll_json_token t;
    r->any = true;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "allocationsAtLoc must be an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!take_site(r))
            return false;
    return t == TOLL_JSON_OBJECT_END;
}

/* One growth of the heap, its '{' taken. */
static bool take_growth(emscripten_reader *r)
{
    int64_t begin = -1, end = -1;
    toll_json_token t;
    toll_buffer_clear(&r->stack);
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        bool good;
        if (is(r, "stack"))
            good = toll_json_expect(&r->j, TOLL_JSON_STRING, "a stack must be a string") &&
                   keep_stack(r);
        else if (is(r, "begin"))
            good = take_integer(r, &begin);
        else if (is(r, "end"))
            good = take_integer(r, &end);
        else
            good = toll_json_skip(&r->j, toll_json_next(&r->j));
        if (!good)
            return false;
    }
    return t == TOLL_JSON_OBJECT_END &&
           ok(r, toll_heap_sites_grow(r->sites, stack_of(r), r->stack.size, begin, end, r->err));
}

static bool take_growths(emscripten_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_ARRAY, "sbrkSources must be an array"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_OBJECT)
        if (!take_growth(r))
            return false;
    return t == TOLL_JSON_ARRAY_END || refuse(r, "sbrkSources must be an array of objects");
}

static bool take_is_shared(emscripten_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    r->sites->is_shared = t == TOLL_JSON_TRUE;
    return toll_json_skip(&r->j, t);
}

static bool take_document(emscripten_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "the file must hold an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(is(r, "allocationsAtLoc") ? take_sites(r)
              : is(r, "sbrkSources")    ? take_growths(r)
              : is(r, "tollIsShared")   ? take_is_shared(r)
                                        : toll_json_skip(&r->j, toll_json_next(&r->j))))
            return false;
    if (t != TOLL_JSON_ERROR)
        toll_json_next(&r->j); /* nothing may follow */
    return !r->j.status && (r->any || refuse(r, "there is no allocationsAtLoc; save "
                                                "JSON.stringify(emscriptenMemoryProfiler)"));
}

toll_status toll_emscripten_read(toll_read_job *job, toll_error *err)
{
    emscripten_reader r = { .err = err };
    toll_profile *p = NULL;
    toll_status status = toll_heap_sites_create(toll_input_mem(job->in), &r.sites, err);
    if (status)
        return status;
    toll_json_begin(&r.j, job->in, err);
    toll_buffer_init(&r.stack, &r.sites->mem);
    if (!take_document(&r))
        status = r.j.status;
    if (!status)
        status = toll_heap_profile_begin(r.sites, &p, err);
    if (!status)
        status = toll_heap_profile_add(r.sites, p, 0, r.sites->live.count, err);
    if (!status)
        status = toll_heap_profile_end(r.sites, p, err);
    toll_buffer_free(&r.stack);
    toll_json_free(&r.j);
    toll_heap_sites_free(r.sites);
    if (status)
        toll_profile_free(p);
    else
        job->profile = p;
    return status;
}
