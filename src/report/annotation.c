/* annotation.c - see annotation.h. */
#include "report/annotation.h"

#include "base/fail.h"
#include "base/sized_options.h"
#include "profile/order.h"

#include <string.h>

/* Has the column values in lines or, if instructions are wanted, in instructions? */
static bool has_lines(const toll_annotation *a, const toll_profile *p, toll_value_type value)
{
    uint32_t column = p ? toll_profile_find_value_type(p, value) : TOLL_NONE;
    for (toll_node_id n = 0; column != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame == TOLL_NONE || !toll_profile_self(p, n, column))
            continue;
        toll_frame f = toll_profile_frame(p, frame);
        if (f.at_line || (a->options.instructions && f.at_address))
            return true;
    }
    return false;
}

static bool has_addresses(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++)
        if (toll_profile_frame(p, i).at_address)
            return true;
    return false;
}

/* Was the profile recorded from a module compiled by Go's own compiler? Then its runtime's first
 * function has this name. */
static bool is_of_go(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++) {
        toll_frame f = toll_profile_frame(p, i);
        if (f.at_address && strcmp(f.name, "runtime.schedinit") == 0)
            return true;
    }
    return false;
}

/* Does the profile have invocations of Solana's programs? */
static bool is_of_solana(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++)
        if (toll_profile_frame(p, i).kind == TOLL_KIND_PROGRAM)
            return true;
    return false;
}

static toll_status no_lines(const toll_profile *p, toll_value_type value, toll_error *err)
{
    if (is_of_go(p))
        return toll_fail(err, TOLL_E_NOT_FOUND,
                         "the profile has no lines of %.60s: Go writes none for WebAssembly; toll "
                         "annotate --asm shows what each instruction of a function cost",
                         value.type);
    if (has_addresses(p))
        return toll_fail(
            err, TOLL_E_NOT_FOUND,
            "the profile has no lines of %.60s, but addresses; toll convert --debug FILE "
            "finds their lines, FILE being the program with debug information, and --asm "
            "shows instructions",
            value.type);
    if (is_of_solana(p))
        return toll_fail(err, TOLL_E_NOT_FOUND,
                         "the profile has no lines of %.60s within functions; build the program "
                         "with debug information, and record it with TOLL_LINES=1 (toll-svm), or "
                         "read its traces with --elf",
                         value.type);
    return toll_fail(err, TOLL_E_NOT_FOUND,
                     "the profile has no lines of %.60s within functions; record it with toll run "
                     "--lines, or choose another value with --value",
                     value.type);
}

/* Choose the value to show: "line ticks", if the wanted one has no lines and "line ticks" has. */
static toll_status choose_value(toll_annotation *a, const toll_profile *before,
                                toll_value_type *value, toll_error *err)
{
    static const toll_value_type line_ticks = { "line ticks", "count" };
    const toll_profile *p = a->profile;
    toll_status status = toll_choose_shown(p, p, before, a->options.value, &a->shown, err);
    if (status)
        return status;
    if (a->shown.column == TOLL_NONE)
        return toll_fail(err, TOLL_E_NOT_FOUND, "the profile has no values");
    *value = toll_profile_column(p, a->shown.column);
    if (has_lines(a, p, *value) || has_lines(a, before, *value))
        return TOLL_OK;
    if (!has_lines(a, p, line_ticks) && !has_lines(a, before, line_ticks))
        return no_lines(p, *value, err);
    a->without_lines = *value;
    a->shown.instead = TOLL_NONE;
    *value = line_ticks;
    return TOLL_OK;
}

/* --- folding -----------------------------------------------------------------------------------*/

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t changes_of(const toll_annotation *a, const toll_listing *listing)
{
    const toll_line *line = a->listings.lines + listing->first;
    uint64_t sum = 0;
    for (uint32_t i = 0; a->listings.is_compared && i < listing->count; i++, line++)
        sum = add(sum, magnitude(line->self - line->before));
    return sum;
}

double toll_annotation_limit(const toll_annotation *a, const toll_listing *listing)
{
    uint64_t whole;
    bool is_named = listing && a->options.what;
    if (a->listings.is_compared)
        whole = is_named ? changes_of(a, listing) : a->changes;
    else
        whole = magnitude(is_named ? listing->total : a->listings.whole);
    return a->options.full ? 0 : a->options.threshold * (double)whole;
}

bool toll_annotation_matters(double limit, int64_t self, int64_t total)
{
    return (double)magnitude(self) >= limit || (double)magnitude(total) >= limit;
}

/* --- listings ----------------------------------------------------------------------------------*/

static toll_status list(toll_annotation *a, const toll_profile *before, toll_value_type value,
                        toll_error *err)
{
    toll_status status = toll_wanted_find(a->profile, before, a->options.what, &a->wanted, err);
    toll_wanted wanted = a->wanted;
    if (a->options.top && wanted.kind == TOLL_WANT_FILE)
        wanted.what = NULL; /* the functions of the file's lines are shown */
    if (!status)
        status = toll_listings_create(&a->listings, a->profile, value, &wanted, err);
    if (!status && before) {
        status = toll_listings_create(&a->before, before, value, &wanted, err);
        if (!status)
            status = toll_listings_compare(&a->listings, &a->before, err);
    }
    if (status)
        return status;
    toll_listings_choose(&a->listings);
    for (size_t i = 0; i < a->listings.count; i++)
        a->changes = add(a->changes, changes_of(a, &a->listings.items[i]));
    return TOLL_OK;
}

static toll_status check(const toll_annotation *a, const toll_profile *before, toll_error *err)
{
    const toll_annotate_options *o = &a->options;
    if (!(o->threshold >= 0 && o->threshold < 1))
        return toll_fail(err, TOLL_E_ARGUMENT, "the threshold is no share from 0 to below 1");
    if (o->top && o->instructions)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "the costliest lines are listed without instructions; leave out --asm, or "
                         "--top");
    if (before && o->instructions)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "two builds have their instructions at other addresses, so only lines "
                         "can be compared; leave out --asm, or one of the profiles");
    return TOLL_OK;
}

toll_status toll_annotation_create(toll_annotation *a, const toll_profile *p,
                                   const toll_profile *before, const toll_annotate_options *options,
                                   const toll_output *out, toll_error *err)
{
    toll_value_type value;
    *a = (toll_annotation){ .profile = p };
    a->listings.mem = a->before.mem = *toll_profile_mem(p);
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status =
        toll_options_copy(&a->options, sizeof a->options, options, "toll_annotate_options", err);
    if (!status)
        status = check(a, before, err);
    if (!status)
        status = choose_value(a, before, &value, err);
    if (!status)
        status = list(a, before, value, err);
    if (!status)
        status = toll_short_names_create(&a->names, a->options.short_names, p, before, err);
    if (status)
        toll_annotation_free(a);
    return status;
}

void toll_annotation_free(toll_annotation *a)
{
    toll_listings_free(&a->listings);
    toll_listings_free(&a->before);
    toll_short_names_free(&a->names);
}

size_t toll_annotation_shown(const toll_annotation *a)
{
    size_t most = a->options.rows, count = a->listings.count;
    return most && most < count ? most : count;
}

toll_status toll_annotation_source(const toll_annotation *a, const toll_listing *listing,
                                   const char *file, toll_source_text *source, toll_error *err)
{
    return toll_annotation_source_of(a, *file ? file : listing->frame.file, source, err);
}

const char *toll_annotation_origin(const toll_annotation *a, const char *path)
{
    const toll_annotate_options *o = &a->options;
    return o->source && o->source_origin && *path ? o->source_origin(o->source_user, path) : "";
}

toll_status toll_annotation_source_of(const toll_annotation *a, const char *path,
                                      toll_source_text *source, toll_error *err)
{
    *source = (toll_source_text){ .text = NULL };
    if (!a->options.source || !*path)
        return TOLL_OK;
    toll_status status =
        a->options.source(a->options.source_user, path, &source->text, &source->size, err);
    if (!source->text)
        source->size = 0; /* it has reported why */
    return status;
}

/* --- instructions ------------------------------------------------------------------------------*/

/* Order of an instruction and a place; below 0: the instruction comes first. */
static int compare_place(const toll_instruction *i, const char *file, uint32_t line)
{
    int by = strcmp(i->file ? i->file : "", file);
    return by ? by : (i->line > line) - (i->line < line);
}

toll_annotation_code toll_annotation_code_of_line(toll_annotation_code *code, const char *file,
                                                  uint32_t line)
{
    while (code->at < code->end && compare_place(code->at, file, line) < 0)
        code->at++;
    toll_annotation_code own = { code->at, code->at };
    while (own.end < code->end && compare_place(own.end, file, line) == 0)
        own.end++;
    code->at = own.end;
    return own;
}

/* Count the lines of a listing whose cost differs from the sum of their instructions. Sums may wrap
 * around: a difference is still found. */
static void check_sums(toll_annotation *a, const toll_listing *listing, toll_annotation_code code)
{
    const toll_line *line = a->listings.lines + listing->first, *end = line + listing->count;
    for (; line < end; line++) {
        toll_annotation_code own = toll_annotation_code_of_line(&code, line->file, line->line);
        uint64_t sum = 0;
        for (; own.at < own.end; own.at++)
            sum += (uint64_t)own.at->self;
        a->unequal += sum != (uint64_t)line->self;
    }
}

toll_status toll_annotation_instructions(toll_annotation *a, const toll_listing *listing,
                                         toll_annotation_code *code, toll_error *err)
{
    size_t count = 0;
    *code = (toll_annotation_code){ NULL, NULL };
    if (!a->options.instructions)
        return TOLL_OK;
    toll_status status = a->options.instructions(a->options.instructions_user, &listing->frame,
                                                 a->listings.value, &code->at, &count, err);
    if (status || !count)
        return status;
    code->end = code->at + count;
    for (const toll_instruction *i = code->at; i < code->end; i++)
        a->listings.has_executions |= i->executions != 0;
    if (strcmp(a->listings.value.type, "executions") != 0)
        check_sums(a, listing, *code);
    return TOLL_OK;
}
