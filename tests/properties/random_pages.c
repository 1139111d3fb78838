/* random_pages.c FIRST COUNT | FILE [BEFORE] - pages of toll view, read back: every stack, frame
 * and value is in them, to the unit, and nothing else. Of random profiles, alone and each beside
 * the next one; or of files. */
#include "page_read.h"
#include "random_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(toll_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "cannot compare: %s: %s\n", what, toll_status_name(status));
        exit(2);
    }
}

/* A copy with what a page has of a frame: no addresses, no linker's names. In a comparison a frame
 * of both profiles has one module. */
static toll_profile *as_in_page(const toll_profile *p, bool modules)
{
    toll_profile *q;
    toll_node_id *nodes = calloc((size_t)toll_profile_node_count(p) + 1, sizeof *nodes);
    require(nodes ? TOLL_OK : TOLL_E_NOMEM, "room");
    require(toll_profile_create(NULL, &q, NULL), "a profile");
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++) {
        toll_value_type v = toll_profile_column(p, c);
        require(toll_profile_add_column(q, v.type, v.unit, NULL, NULL), "a column");
    }
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++) {
        toll_thread_id thread;
        require(toll_profile_add_thread(q, toll_profile_thread_title(p, t), &thread, NULL), "one");
        nodes[toll_profile_root(p, t)] = toll_profile_root(q, thread);
    }
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame != TOLL_NONE) {
            toll_frame f = toll_profile_frame(p, frame);
            f.system_name = f.build_id = NULL;
            f.address = f.at_address = 0;
            f.module = modules ? f.module : NULL;
            require(toll_profile_add_frame(q, &f, &frame, NULL), "a frame");
            require(
                toll_profile_add_child(q, nodes[toll_profile_parent(p, n)], frame, &nodes[n], NULL),
                "a stack");
        }
        for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
            require(toll_profile_add_self(q, nodes[n], c, toll_profile_self(p, n, c), NULL), "it");
    }
    free(nodes);
    return q;
}

static bool same(unsigned seed, const char *way, const toll_profile *p, const toll_profile *in_page,
                 bool modules)
{
    toll_profile *wanted = as_in_page(p, modules), *got = as_in_page(in_page, modules);
    const toll_format *all = toll_format_named("pprof"); /* keeps places, units, threads, ... */
    char *a = kept_of(wanted, all), *b = kept_of(got, all);
    bool is_same = strcmp(a, b) == 0;
    if (!is_same)
        print_difference(seed, way, a, b);
    free(a);
    free(b);
    toll_profile_free(wanted);
    toll_profile_free(got);
    return is_same;
}

/* A random sum may not fit 64 bits: then no page is made, and that is said. */
static bool try_page(unsigned seed, const toll_profile *p, const toll_profile *before)
{
    toll_output *out;
    page_content page;
    size_t size;
    require(toll_output_to_memory(NULL, 0, &out, NULL), "memory");
    const toll_page_options o = { .size = sizeof o, .keep_outside = 1 };
    toll_status status = toll_report_page(p, before, &o, out, NULL);
    if (status == TOLL_E_OVERFLOW) {
        toll_output_free(out);
        return true;
    }
    require(status, "a page");
    require(toll_output_commit(out, NULL), "a page");
    const char *text = toll_output_data(out, &size);
    page_read(&page, text, size);
    bool good = same(seed, "page", p, page.sides[0], !before);
    good = good && (!before || same(seed, "page, before", before, page.sides[1], false));
    toll_output_free(out);
    page_free(&page);
    return good;
}

static int try_files(int count, char **paths)
{
    toll_profile *p, *before = NULL;
    require(toll_profile_load(NULL, paths[0], NULL, NULL, NULL, &p, NULL), paths[0]);
    if (count > 1)
        require(toll_profile_load(NULL, paths[1], NULL, NULL, NULL, &before, NULL), paths[1]);
    bool good = try_page(0, p, before);
    printf("%s: %u stacks: %s\n", paths[0], toll_profile_node_count(p), good ? "same" : "FAILED");
    toll_profile_free(p);
    toll_profile_free(before);
    return !good;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], &end, 10) : 1, failed = 0;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;
    if (end && *end)
        return try_files(argc - 1, argv + 1);
    toll_profile *p = random_profile(first);
    for (unsigned seed = first; seed - first < count && failed < 5; seed++) {
        toll_profile *next = random_profile(seed + 1);
        failed += !try_page(seed, p, NULL) || !try_page(seed, next, p);
        toll_profile_free(p);
        p = next;
    }
    toll_profile_free(p);
    printf("pages of profiles %u to %u: %u failed\n", first, first + count - 1, failed);
    return failed > 0;
}
