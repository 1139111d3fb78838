/* debug_files.c - see debug_files.h. */
#include "debug_files.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/input.h"
#include "base/os.h"
#include "cost_table.h"
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool add(toll_debug_files *f, toll_debug *debug)
{
    if (toll_array_grow(&f->job->allocator, &f->items, &f->capacity, f->count, 1)) {
        f->items[f->count++] = debug;
        return true;
    }
    toll_debug_free(debug);
    f->err = (toll_error){ TOLL_E_NOMEM, "not enough memory" };
    return false;
}

static bool open_module(toll_debug_files *f, const char *path)
{
    toll_debug *debug;
    if (toll_debug_open(&f->job->allocator, path, &debug, &f->err))
        return false;
    if (*toll_debug_remark(debug))
        toll_job_warn(f->job, "%s", toll_debug_remark(debug));
    return add(f, debug);
}

/* --- several programs: components, folders
 * -----------------------------------------------------------------------------------*/

static bool is_of_profile(const toll_debug_files *f, const toll_debug *debug)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(f->profile); i++) {
        const char *id = toll_profile_frame(f->profile, i).build_id;
        if (*id && strcmp(id, toll_debug_build_id(debug)) == 0)
            return true;
    }
    return false;
}

/* Of two files of one build, such as a stripped program and its unstripped twin, keep the one with
 * more information; of equal ones, the one whose name sorts first. */
static bool keep_better(toll_debug_files *f, toll_debug *debug)
{
    for (size_t i = 0; i < f->count; i++) {
        toll_debug *other = f->items[i];
        if (strcmp(toll_debug_build_id(other), toll_debug_build_id(debug)) != 0)
            continue;
        unsigned gives = toll_debug_gives(debug), its = toll_debug_gives(other);
        bool is_better = gives > its || (gives == its && strcmp(toll_debug_path(debug),
                                                                toll_debug_path(other)) < 0);
        toll_debug_free(is_better ? other : debug);
        if (is_better)
            f->items[i] = debug;
        return true;
    }
    return add(f, debug);
}

/* Open a file. One that is not a program, or not one of the profile's, is skipped. */
static bool try_file(toll_debug_files *f, const char *path)
{
    toll_debug *debug;
    toll_os_info info;
    toll_error err = { TOLL_OK, "" };
    if (toll_os_look(path, &info) && info.kind != TOLL_OS_REGULAR)
        return true;
    toll_status status = toll_debug_open(&f->job->allocator, path, &debug, &err);
    if (status == TOLL_E_NOMEM) {
        f->err = err;
        return false;
    }
    if (status)
        return true;
    if (is_of_profile(f, debug))
        return keep_better(f, debug);
    toll_debug_free(debug);
    return true;
}

static toll_status keep_found(void *user, toll_debug *debug, toll_error *err)
{
    toll_debug_files *f = user;
    if (is_of_profile(f, debug))
        return keep_better(f, debug) ? TOLL_OK : toll_fail_nomem(err);
    toll_debug_free(debug);
    return TOLL_OK;
}

/* Tools add modules without lines to a component. So it is only said if none has any. */
static void remark_component(const toll_debug_files *f, const char *path, size_t before)
{
    for (size_t i = before; i < f->count; i++)
        if (toll_debug_gives(f->items[i]) & TOLL_DEBUG_LINES)
            return;
    if (f->count == before)
        toll_job_warn(f->job, "%s: has no program that the profile is of", path);
    else
        toll_job_warn(f->job, "%s", toll_debug_remark(f->items[before]));
}

/* Is it a component? A pipe is none, since it can be read only once. */
static bool is_component(const toll_debug_files *f, const char *path)
{
    enum { HEADER = 8 };
    toll_os_info info;
    toll_input *in;
    size_t size;
    if (!toll_os_look(path, &info) || info.kind != TOLL_OS_REGULAR ||
        toll_input_open(&f->job->allocator, path, &in, NULL))
        return false;
    const uint8_t *begin = toll_input_peek(in, HEADER, &size);
    bool is_one = toll_wasm_is_component(begin, size);
    toll_input_free(in);
    return is_one;
}

/* Keep those core modules of a component that belong to the profile. */
static bool open_component(toll_debug_files *f, const char *path)
{
    toll_input *in;
    const size_t before = f->count;
    if (toll_input_open(&f->job->allocator, path, &in, &f->err))
        return false;
    toll_status status = toll_debug_read_component(&f->job->allocator, in, keep_found, f, &f->err);
    toll_input_free(in);
    if (!status)
        remark_component(f, path, before);
    return !status;
}

static bool open_file(toll_debug_files *f, const char *path)
{
    toll_progress_begin(!f->job->settings->quiet, "reading", path);
    return is_component(f, path) ? open_component(f, path) : open_module(f, path);
}

static bool read_folder(toll_debug_files *f, toll_os_folder *folder, const char *path)
{
    toll_buffer room;
    const char *name;
    bool good = true;
    toll_buffer_init(&room, &f->job->allocator);
    while (good && (name = toll_os_folder_next(folder))) {
        toll_buffer_clear(&room);
        toll_buffer_append_text(&room, path);
        toll_buffer_append_byte(&room, '/');
        toll_buffer_append_text(&room, name);
        const char *file = toll_buffer_cstr(&room);
        good = file && try_file(f, file);
        if (!file)
            f->err = (toll_error){ TOLL_E_NOMEM, "not enough memory" };
    }
    toll_buffer_free(&room);
    return good;
}

/* --- all ---------------------------------------------------------------------------------------*/

/* Open a file, or those files of a folder that belong to the profile. */
static bool open_path(toll_debug_files *f, const char *path)
{
    toll_os_folder folder;
    if (!toll_os_folder_open(&folder, path))
        return open_file(f, path);
    size_t before = f->count;
    bool good = read_folder(f, &folder, path);
    toll_os_folder_close(&folder);
    if (good && f->count == before)
        toll_job_warn(f->job, "%s: has no program that the profile is of", path);
    for (size_t i = before; good && i < f->count; i++)
        if (*toll_debug_remark(f->items[i]))
            toll_job_warn(f->job, "%s", toll_debug_remark(f->items[i]));
    return good;
}

/* With lines, the files of --elf also have the lines of the programs whose names they gave. */
static bool open_all(toll_debug_files *f)
{
    const toll_settings *s = f->job->settings;
    bool good = true;
    for (size_t i = 0; good && s->lines && i < s->elfs.count; i++)
        good = open_path(f, s->elfs.items[i].path);
    for (size_t i = 0; good && i < s->debugs.count; i++)
        good = open_path(f, s->debugs.items[i]);
    return good;
}

static bool has_inlined(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++)
        if (toll_profile_frame(p, i).kind == TOLL_KIND_INLINED)
            return true;
    return false;
}

static bool has_addresses(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++)
        if (toll_profile_frame(p, i).at_address)
            return true;
    return false;
}

/* Warn if the profile has no addresses of instructions: inlined functions cannot be found without
 * them. */
static void warn_inlines(const toll_debug_files *f, const toll_profile *out)
{
    if (f->job->settings->inlines && !has_inlined(out) && !has_addresses(f->profile))
        toll_job_warn(f->job, "--inlines: the profile has no addresses of instructions, by which "
                              "inlined functions are known; record it with toll run --lines, into "
                              "a .pb.gz");
}

/* Make `out` from the profile, which is not freed. */
static bool symbolize(toll_debug_files *f, toll_profile **out)
{
    toll_wasm_costs *costs;
    if (toll_choose_costs(f->job, &costs, &f->err))
        return false;
    toll_symbolize_options options = { .size = sizeof options,
                                       .costs = costs,
                                       .inlines = f->job->settings->inlines,
                                       .blocks = f->job->keeps_blocks,
                                       .skip_line_zero = f->job->settings->skip_line_zero };
    toll_status status = toll_profile_symbolize(f->profile, (const toll_debug *const *)f->items,
                                                f->count, &options, out, &f->err);
    toll_wasm_costs_free(costs);
    if (!status)
        warn_inlines(f, *out);
    return !status;
}

/* Free those without a source map, and give the others away. */
static void keep_mapped(toll_debug_files *f, toll_debug_files *mapped)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (*toll_debug_source_map(f->items[i]))
            f->items[kept++] = f->items[i];
        else
            toll_debug_free(f->items[i]);
    f->count = kept;
    f->profile = NULL;
    *mapped = *f;
}

void toll_debug_files_free(toll_debug_files *f)
{
    for (size_t i = 0; i < f->count; i++)
        toll_debug_free(f->items[i]);
    if (f->job)
        toll_mem_free(&f->job->allocator, f->items, f->capacity, sizeof *f->items);
    *f = (toll_debug_files){ .job = NULL };
}

int toll_debug_files_apply(toll_job *job, toll_timeline **timeline, toll_profile **profile,
                           toll_debug_files *mapped)
{
    toll_debug_files f = { .job = job, .profile = *profile };
    toll_profile *out;
    if (mapped)
        *mapped = (toll_debug_files){ .job = NULL };
    if (!toll_job_names_debug_files(job)) {
        if (job->settings->inlines && !has_inlined(*profile))
            toll_job_warn(job,
                          "--inlines needs the program that was profiled: name it with --debug");
        if (job->settings->skip_line_zero)
            toll_job_warn(job, "--skip-line-zero needs the program that was profiled: name it with "
                               "--debug");
        return TOLL_EXIT_OK;
    }
    bool good = open_all(&f) && symbolize(&f, &out);
    int failed = good ? TOLL_EXIT_OK : toll_job_fail(job, &f.err);
    if (mapped)
        keep_mapped(&f, mapped);
    else
        toll_debug_files_free(&f);
    if (good) {
        toll_profile_free(*profile);
        *profile = out;
    }
    if (!failed && job->selects_later)
        failed = toll_job_select(job, timeline, profile);
    return failed;
}

int toll_debug_files_symbolize(toll_debug_files *f, toll_profile **out)
{
    return symbolize(f, out) ? TOLL_EXIT_OK : toll_job_fail(f->job, &f->err);
}

int toll_debug_files_assemble(toll_debug_files *f, const toll_wasm_costs *costs,
                              const toll_profile *symbolized, toll_assembly **out)
{
    toll_assembly_options options = { .size = sizeof options,
                                      .costs = costs,
                                      .inlines = has_inlined(symbolized) };
    return toll_assembly_create(f->profile, (const toll_debug *const *)f->items, f->count, &options,
                                out, &f->err)
               ? toll_job_fail(f->job, &f->err)
               : TOLL_EXIT_OK;
}

/* --- programs without --debug ------------------------------------------------------------------*/

#define PROGRAM "program: "

toll_status toll_debug_files_remember(toll_profile *p, const char *program, toll_error *err)
{
    char text[TOLL_OS_PATH_SIZE + sizeof PROGRAM];
    snprintf(text, sizeof text, PROGRAM "%s", program);
    return toll_profile_add_comment(p, text, err);
}

static const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\')
            name = path + 1;
    return name;
}

static bool is_found(const toll_debug_files *f, const char *build_id)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(toll_debug_build_id(f->items[i]), build_id) == 0)
            return true;
    return false;
}

/* Look for a module where it was during the run, beside the profile, and in the current folder. */
static bool find_module(toll_debug_files *f, const toll_frame *frame, const char *profile)
{
    char beside[TOLL_OS_PATH_SIZE];
    bool good = true;
    for (uint32_t i = 0; good && i < toll_profile_comment_count(f->profile); i++) {
        const char *comment = toll_profile_comment(f->profile, i);
        if (strncmp(comment, PROGRAM, strlen(PROGRAM)) == 0 &&
            strcmp(file_name(comment + strlen(PROGRAM)), frame->module) == 0 &&
            !is_found(f, frame->build_id))
            good = try_file(f, comment + strlen(PROGRAM));
    }
    int n = snprintf(beside, sizeof beside, "%.*s%s", (int)(file_name(profile) - profile), profile,
                     frame->module);
    if (good && !is_found(f, frame->build_id) && n > 0 && (size_t)n < sizeof beside)
        good = try_file(f, beside);
    return good && (is_found(f, frame->build_id) || try_file(f, frame->module));
}

static int fail_missing(const toll_debug_files *f)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(f->profile); i++) {
        toll_frame frame = toll_profile_frame(f->profile, i);
        if (frame.at_address)
            return toll_complain(TOLL_EXIT_BAD_INPUT,
                                 "--asm needs the program: the profile is of %.200s, build %.80s, "
                                 "which was not found; name it with --debug",
                                 frame.module, frame.build_id);
    }
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "--asm: the profile has no addresses; record it with toll run --lines "
                         "into a .pb.gz, or name a folder of register traces and --elf");
}

int toll_debug_files_find(toll_debug_files *f, toll_job *job, const toll_profile *profile,
                          const char *path)
{
    const char *last = "";
    bool good = true;
    *f = (toll_debug_files){ .job = job, .profile = profile };
    if (toll_job_names_debug_files(job))
        return open_all(f) ? TOLL_EXIT_OK : toll_job_fail(job, &f->err);
    for (toll_frame_id i = 0; good && i < toll_profile_frame_count(profile); i++) {
        toll_frame frame = toll_profile_frame(profile, i);
        if (!frame.at_address || !*frame.build_id || strcmp(frame.build_id, last) == 0)
            continue;
        last = frame.build_id;
        good = is_found(f, last) || !*frame.module || find_module(f, &frame, path);
    }
    if (!good)
        return toll_job_fail(job, &f->err);
    return f->count ? TOLL_EXIT_OK : fail_missing(f);
}
