/* emscripten.c - see emscripten.h.
 *
 * {"allocationsAtLoc":{STACK:[COUNT,BYTES,...],...},
 *  "sbrkSources":[{"stack":HTML,"begin":N,"end":N,...},...]}
 *
 * Toll's own script adds "tollIsShared":true once other threads use the heap. Other keys are
 * skipped. */
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
    toll_failure failure;
    toll_heap_sites *sites;
    toll_buffer stack; /* stack of the current site */
    bool any;          /* the file has allocationsAtLoc */
} emscripten_reader;

static bool keep_stack(emscripten_reader *r)
{
    toll_buffer_clear(&r->stack);
    return toll_buffer_append(&r->stack, r->j.text.data, r->j.text.size) ||
           toll_no_memory(&r->failure);
}

static const char *stack_of(const emscripten_reader *r)
{
    return r->stack.size ? (const char *)r->stack.data : "";
}

static bool read_integer(emscripten_reader *r, int64_t *out)
{
    bool exact;
    if (!toll_json_expect(&r->j, TOLL_JSON_NUMBER, "a number was expected here"))
        return false;
    return (toll_text_scaled(toll_json_text(&r->j), r->j.text.size, 0, out, &exact) && exact) ||
           toll_json_fail(&r->j, TOLL_E_SYNTAX, "a number is no integer of 64 bits");
}

/* Read STACK:[COUNT,BYTES,...]; the key is already read. */
static bool read_site(emscripten_reader *r)
{
    int64_t count, bytes;
    toll_json_token t;
    if (!keep_stack(r) ||
        !toll_json_expect(&r->j, TOLL_JSON_ARRAY, "a site must be an array: count, bytes, ...") ||
        !read_integer(r, &count) || !read_integer(r, &bytes))
        return false;
    while ((t = toll_json_next(&r->j)) != TOLL_JSON_ARRAY_END)
        if (!toll_json_skip(&r->j, t))
            return false;
    return toll_ok(&r->failure, toll_heap_sites_add(r->sites, stack_of(r), r->stack.size, count,
                                                    bytes, r->failure.err));
}

static bool read_sites(emscripten_reader *r)
{
    toll_json_token t;
    r->any = true;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "allocationsAtLoc must be an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!read_site(r))
            return false;
    return t == TOLL_JSON_OBJECT_END;
}

/* Read one growth of the heap; its '{' is already read. */
static bool read_growth(void *user)
{
    emscripten_reader *r = user;
    int64_t begin = -1, end = -1;
    toll_json_token t;
    toll_buffer_clear(&r->stack);
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY) {
        bool good;
        if (toll_json_is(&r->j, "stack"))
            good = toll_json_expect(&r->j, TOLL_JSON_STRING, "a stack must be a string") &&
                   keep_stack(r);
        else if (toll_json_is(&r->j, "begin"))
            good = read_integer(r, &begin);
        else if (toll_json_is(&r->j, "end"))
            good = read_integer(r, &end);
        else
            good = toll_json_skip_next(&r->j);
        if (!good)
            return false;
    }
    return t == TOLL_JSON_OBJECT_END &&
           toll_ok(&r->failure, toll_heap_sites_grow(r->sites, stack_of(r), r->stack.size, begin,
                                                     end, r->failure.err));
}

static bool read_growths(emscripten_reader *r)
{
    return toll_json_array(&r->j, TOLL_JSON_OBJECT, "sbrkSources must be an array of objects",
                           read_growth, r);
}

static bool read_is_shared(emscripten_reader *r)
{
    toll_json_token t = toll_json_next(&r->j);
    r->sites->is_shared = t == TOLL_JSON_TRUE;
    return toll_json_skip(&r->j, t);
}

static bool read_document(emscripten_reader *r)
{
    toll_json_token t;
    if (!toll_json_expect(&r->j, TOLL_JSON_OBJECT, "the file must hold an object"))
        return false;
    while ((t = toll_json_next(&r->j)) == TOLL_JSON_KEY)
        if (!(toll_json_is(&r->j, "allocationsAtLoc") ? read_sites(r)
              : toll_json_is(&r->j, "sbrkSources")    ? read_growths(r)
              : toll_json_is(&r->j, "tollIsShared")   ? read_is_shared(r)
                                                      : toll_json_skip_next(&r->j)))
            return false;
    if (t != TOLL_JSON_ERROR)
        toll_json_next(&r->j); /* nothing may follow */
    return toll_json_ok(&r->j) &&
           (r->any || toll_json_fail(&r->j, TOLL_E_SYNTAX,
                                     "there is no allocationsAtLoc; save "
                                     "JSON.stringify(emscriptenMemoryProfiler)"));
}

static bool build(emscripten_reader *r, toll_profile **out)
{
    toll_error *err = r->failure.err;
    return toll_ok(&r->failure, toll_heap_profile_begin(r->sites, out, err)) &&
           toll_ok(&r->failure,
                   toll_heap_profile_add(r->sites, *out, 0, r->sites->live.count, err)) &&
           toll_ok(&r->failure, toll_heap_profile_end(r->sites, *out, err));
}

toll_status toll_emscripten_read(toll_read_job *job, toll_error *err)
{
    emscripten_reader r = { .failure.err = err };
    toll_profile *p = NULL;
    toll_status status = toll_heap_sites_create(toll_input_mem(job->in), &r.sites, err);
    if (status)
        return status;
    toll_json_begin(&r.j, job->in, &r.failure);
    toll_buffer_init(&r.stack, &r.sites->mem);
    if (read_document(&r) && build(&r, &p))
        job->profile = p;
    else
        toll_profile_free(p);
    toll_buffer_free(&r.stack);
    toll_json_free(&r.j);
    toll_heap_sites_free(r.sites);
    return r.failure.status;
}
