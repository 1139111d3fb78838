/* fuzz_js_stack_code.c - fuzzes stacks of JavaScript, as sites of a heap: frames lie within the
 * text and have names; files written from the sites are read again with the same sums. */
#include "heapsites/heap_sites.h"
#include "heapsites/heap_write.h"
#include "heapsites/js_stack.h"
#include "fuzz_format.h"

static void hold_frames(const char *text, size_t size)
{
    toll_js_stack s;
    toll_js_frame f;
    const char *line, *end = text + size;
    toll_js_stack_begin(&s, text, size);
    while (toll_js_stack_line(&s, &line, &size)) {
        fuzz_require(line >= text && line + size <= end && size > 0, "a line outside of the text");
        if (!toll_js_read(line, size, &f))
            continue;
        fuzz_see("frames", f.name, f.name_size);
        int within = f.name >= line && f.name + f.name_size <= line + size;
        fuzz_require(f.name_size > 0, "a frame without a name");
        fuzz_require(within || strcmp(f.name, "(unknown)") == 0, "a name outside of the line");
        fuzz_require(f.is_wasm || f.function == UINT32_MAX, "a function without a module");
    }
}

static toll_status write_all(const toll_heap_sites *s, const char *format, toll_output *out)
{
    toll_heap_writer *w;
    bool more = true;
    toll_status status = toll_heap_writer_create(s, format, &w, NULL);
    while (!status && more)
        status = toll_heap_writer_step(w, 2, out, &more, NULL);
    toll_heap_writer_free(w);
    return status ? status : toll_output_commit(out, NULL);
}

/* Write the sites in a format and read them again; returns the sum of `type`. */
static int64_t sum_of(const toll_allocator *a, const toll_heap_sites *s, const char *format,
                      const char *type)
{
    toll_output *out;
    toll_profile *p;
    size_t size;
    int64_t sum = 0;
    fuzz_require(toll_output_to_memory(a, 0, &out, NULL) == TOLL_OK, "no output");
    fuzz_require(write_all(s, format, out) == TOLL_OK, "not written");
    const void *data = toll_output_data(out, &size);
    fuzz_see_output(format, out);
    fuzz_require(fuzz_read(a, data, size, format, &p) == TOLL_OK, "not read again");
    uint32_t column = toll_profile_find_column(p, type);
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, column);
    toll_profile_free(p);
    toll_output_free(out);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = (size_t)FUZZ_BUDGET * 4 };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_heap_sites *s;
    const char *text = (const char *)data;
    size_t half = size / 2;
    if (size > 10000) /* larger inputs find nothing new */
        return 0;
    hold_frames(text, size);
    fuzz_require(toll_heap_sites_create(&a, &s, NULL) == TOLL_OK, "no sites");
    toll_heap_sites_add(s, text, size, 1, 100, NULL);
    toll_heap_sites_add(s, text, half, 2, 20, NULL);
    toll_heap_sites_grow(s, text + half, size - half, 7, 1007, NULL);
    fuzz_require(toll_heap_sites_sort(s, NULL) == TOLL_OK, "not sorted");
    switch (size % 3) { /* one format for each input: all three would take three times as long */
    case 0:
        fuzz_require(sum_of(&a, s, "speedscope", "inuse_space") == 120, "speedscope: another sum");
        break;
    case 1:
        fuzz_require(sum_of(&a, s, "perfview", "metric") == 120, "perfview: another sum");
        break;
    default: fuzz_require(sum_of(&a, s, "pprof", "growth_space") == 1000, "pprof: another sum");
    }
    toll_heap_sites_free(s);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
