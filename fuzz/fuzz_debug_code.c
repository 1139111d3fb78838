/* fuzz_debug_code.c - fuzzes debug information: any bytes are a program's file, a WebAssembly
 * module or an ELF file, or refused with a message. The answers about an address are consistent,
 * and chains of inlined calls end. A profile of such addresses gets lines, and its listing
 * instructions, without a change of its sums. */
#include "fuzz_format.h"

#include <toll/debug.h>

enum { MOST_PLACES = 8, MOST_ADDRESSES = 2000, STEP = 3 };

static void fuzz_see_place(const toll_debug_place *p)
{
    fuzz_require(p->name && p->system_name && p->file && p->at_file, "a text that is NULL");
    fuzz_see_text("places", p->name);
    fuzz_see_text("places", p->system_name);
    fuzz_see_text("places", p->file);
    fuzz_see_text("places", p->at_file);
    fuzz_see_number("places", p->line);
    fuzz_see_number("places", p->at_line);
    fuzz_see_number("places", p->at_column);
}

static void check_address(const toll_debug *debug, uint64_t address)
{
    toll_debug_place places[MOST_PLACES];
    toll_debug_function function;
    uint32_t count = toll_debug_places(debug, address, places, MOST_PLACES);
    fuzz_require(count == toll_debug_places(debug, address, NULL, 0), "another count of places");
    for (uint32_t i = 0; i < count && i < MOST_PLACES; i++)
        fuzz_see_place(&places[i]);
    if (toll_debug_find_function(debug, address, &function)) {
        fuzz_require(function.begin <= address && address < function.end,
                     "a function that is not at its address");
        fuzz_see_text("functions", function.name);
        fuzz_see_text("functions", function.file);
        fuzz_see_number("functions", function.end - function.begin);
    }
}

/* A profile of every third address that is known, with a count of executions. */
static toll_profile *profile_of(const toll_debug *debug)
{
    toll_profile *p;
    toll_thread_id thread;
    toll_frame_id frame;
    toll_node_id node;
    fuzz_require(!toll_profile_create(NULL, &p, NULL) &&
                     !toll_profile_add_column(p, "ticks", "count", NULL, NULL) &&
                     !toll_profile_add_column(p, "executions", "count", NULL, NULL) &&
                     !toll_profile_add_thread(p, "", &thread, NULL),
                 "no profile");
    for (uint64_t address = 0; address < MOST_ADDRESSES; address += STEP) {
        toll_debug_function f;
        if (!toll_debug_find_function(debug, address, &f))
            continue;
        toll_frame in = { .name = f.name,
                          .module = "app",
                          .build_id = toll_debug_build_id(debug),
                          .address = f.begin,
                          .at_address = address };
        fuzz_require(
            !toll_profile_add_frame(p, &in, &frame, NULL) &&
                !toll_profile_add_child(p, toll_profile_root(p, thread), frame, &node, NULL) &&
                !toll_profile_add_self(p, node, 0, (int64_t)(address % 7), NULL) &&
                !toll_profile_add_self(p, node, 1, (int64_t)(address % 5), NULL),
            "no stack");
    }
    return p;
}

static void see_listing(const toll_debug *debug, const toll_profile *p, const toll_profile *lines)
{
    toll_assembly_options options = { .size = sizeof options, .inlines = 1 };
    toll_assembly *assembly;
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_assembly_create(p, &debug, 1, &options, &assembly, &err);
    fuzz_see_failure(status, &err);
    if (status)
        return;
    toll_annotate_options listing = { .size = sizeof listing,
                                      .instructions = toll_assembly_instructions,
                                      .instructions_user = assembly };
    for (int is_json = 0; is_json < 2; is_json++) {
        fuzz_require(!toll_output_to_memory(NULL, 0, &out, NULL), "no output");
        status = is_json ? toll_report_annotate_json(lines, NULL, &listing, out, &err)
                         : toll_report_annotate(lines, NULL, &listing, out, &err);
        fuzz_see_failure(status, &err);
        if (!status && !toll_output_commit(out, NULL))
            fuzz_see_output("listings", out);
        toll_output_free(out);
    }
    toll_assembly_free(assembly);
}

static int64_t sum_of(const toll_profile *p)
{
    uint32_t column = toll_profile_find_column(p, "ticks");
    int64_t sum = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += toll_profile_self(p, n, column);
    return sum;
}

/* Symbolize the profile: bit 0 of `how` for inlined functions, 1 for blocks, 2 for lines 0. */
static void symbolize(const toll_debug *debug, const toll_profile *p, int how)
{
    toll_symbolize_options options = { .size = sizeof options,
                                       .inlines = how & 1,
                                       .blocks = how >> 1 & 1,
                                       .skip_line_zero = how >> 2 };
    toll_profile *lines;
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_profile_symbolize(p, &debug, 1, &options, &lines, &err);
    fuzz_see_failure(status, &err);
    if (status)
        return;
    fuzz_require(sum_of(lines) == sum_of(p), "another sum");
    toll_output *out = fuzz_write(NULL, lines, "pprof");
    if (out)
        fuzz_see_output("lines", out);
    toll_output_free(out);
    if (options.blocks && options.inlines)
        see_listing(debug, p, lines);
    toll_profile_free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_input *in;
    toll_debug *debug;
    toll_error err = { TOLL_OK, "" };
    if (toll_input_from_memory(NULL, data, size, "program", &in, NULL))
        return 0;
    toll_status status = toll_debug_read(NULL, in, &debug, &err);
    fuzz_see_failure(status, &err);
    if (status) {
        fuzz_require(err.status && err.text[0], "a failure without a message");
    } else {
        for (uint64_t address = 0; address < MOST_ADDRESSES; address++)
            check_address(debug, address);
        check_address(debug, UINT64_MAX);
        toll_profile *p = profile_of(debug);
        for (int how = 0; how < 8; how++)
            symbolize(debug, p, how);
        toll_profile_free(p);
    }
    toll_debug_free(debug);
    toll_input_free(in);
    return 0;
}
