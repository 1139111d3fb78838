/* confine.c - see confine.h. This file decides which files the command may use once it is
 * confined. */
#include "confine.h"

#include "merge_inputs.h"
#include "run.h"
#include "sandbox.h"
#include "source_roots.h"
#include "summary.h"

#include "base/os.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_LISTED = 4096, /* folders of a list, each of which needs a rule of its own */
    MOST_TARGETS = 16   /* how many parent folders are searched for a project's `target` */
};

static toll_sandbox sandbox;

static void allow_read(const char *path)
{
    toll_sandbox_allow(&sandbox, path, TOLL_SANDBOX_READ);
}

/* The folder that contains a path; with room for its name if it has no other. */
static const char *folder_of(const char *path, char room[TOLL_OS_PATH_SIZE])
{
    size_t n = (size_t)(toll_os_file_name(path) - path);
    if (n == 0 || n >= TOLL_OS_PATH_SIZE)
        return n ? path : ".";
    memcpy(room, path, n);
    room[n] = 0;
    return room;
}

static bool is_folder(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info) && info.kind == TOLL_OS_FOLDER;
}

/* --- inputs ------------------------------------------------------------------------------------*/

/* Allow a program's file, and files that it may name: a source map, a file of debug information;
 * for target/deploy/NAME.so its unstripped twin in target/. */
static void allow_program(const char *path)
{
    static const char deploy[] = "deploy/";
    char room[TOLL_OS_PATH_SIZE];
    allow_read(path);
    if (is_folder(path))
        return;
    const char *folder = folder_of(path, room);
    size_t size = strlen(folder), n = sizeof deploy - 1;
    allow_read(folder);
    if (folder == room && size >= n && strcmp(room + size - n, deploy) == 0 &&
        size + 2 < sizeof room) {
        strcpy(room + size, "..");
        allow_read(room);
    }
}

/* Allow the programs of the current project: register traces are folders, whose programs are
 * there. */
static void allow_targets(void)
{
    char path[3 * MOST_TARGETS + sizeof "target"] = "target";
    for (size_t level = 0; level < MOST_TARGETS; level++) {
        allow_read(path);
        memmove(path + 3, path, strlen(path) + 1);
        memcpy(path, "../", 3);
    }
}

/* Allow the folders of the paths in a list. A list that can be read only once, such as find's
 * output, is read after the process is confined: then it may read everything. */
static void allow_listed(const toll_settings *s)
{
    char path[TOLL_OS_PATH_SIZE], room[TOLL_OS_PATH_SIZE];
    toll_merge_inputs in;
    toll_os_info info;
    toll_allocator mem = toll_c_allocator();
    toll_strtab folders;
    toll_error err;
    bool is_file = strcmp(s->files_from, "-") != 0 && toll_os_look(s->files_from, &info) &&
                   info.kind == TOLL_OS_REGULAR;
    toll_strtab_init(&folders, &mem);
    bool good = is_file && !toll_merge_inputs_begin(&in, &mem, s, 0, NULL, &err);
    while (good && !toll_merge_inputs_listed(&in, path, &err) && *path) {
        const char *folder = folder_of(path, room);
        size_t before = folders.count;
        good = toll_strtab_add(&folders, folder, strlen(folder)) < MOST_LISTED;
        if (folders.count > before)
            allow_read(folder);
    }
    if (is_file)
        toll_merge_inputs_end(&in);
    toll_strtab_free(&folders);
    if (!good)
        allow_read("/");
}

static void allow_source(const toll_settings *s)
{
    toll_allocator mem = toll_c_allocator();
    toll_source_roots roots;
    toll_error err;
    toll_source_roots_begin(&roots, s, &mem, &err);
    for (uint32_t id = 1; id < roots.paths.count; id++)
        allow_read(toll_strtab_text(&roots.paths, id));
    if (roots.are_all)
        allow_read("/");
    toll_source_roots_free(&roots);
}

/* Allow what a command reads besides the files that its command line names. */
static void allow_unnamed(toll_command_id command, const toll_settings *s, int count,
                          char **operands)
{
    bool names_programs = s->debugs.count || s->elfs.count;
    bool has_folder = s->files_from != NULL;
    for (int i = 0; i < count; i++)
        has_folder |= is_folder(operands[i]);
    if (has_folder)
        allow_targets();
    if (s->files_from)
        allow_listed(s);
    if ((command == TOLL_CMD_VIEW || command == TOLL_CMD_ANNOTATE) && !s->no_source)
        allow_source(s);
    if (command == TOLL_CMD_INSTRUMENT && count) {
        char recorder[PATH_MAX];
        allow_program(operands[0]);
        if (!toll_run_find_recorder(recorder))
            allow_read(recorder); /* for a component */
    }
    if (command == TOLL_CMD_ANNOTATE && s->assembly && !names_programs && count) {
        allow_program(operands[0]); /* the module may be beside the profile, or in the current
                                     * folder */
        allow_read(".");
    }
}

/* --- outputs -----------------------------------------------------------------------------------*/

/* Allow an output. A file is written beside the one that it replaces; a device or a pipe
 * directly. */
static void allow_output(const char *path)
{
    char room[TOLL_OS_PATH_SIZE], folder[TOLL_OS_PATH_SIZE];
    toll_os_info info;
    bool exists = toll_os_look(path, &info);
    if (exists && info.kind != TOLL_OS_REGULAR) {
        toll_sandbox_allow(&sandbox, path, TOLL_SANDBOX_WRITE);
        return;
    }
    if (exists)
        toll_sandbox_allow_mode(&sandbox, info.mode);
    toll_sandbox_allow(&sandbox, folder_of(toll_os_target(path, room), folder), TOLL_SANDBOX_WRITE);
}

/* Allow a history, which add and prune replace. Another process may replace it, too, while this one
 * waits for its lock: then it is another file in this folder. */
static void allow_history(const char *path)
{
    char room[TOLL_OS_PATH_SIZE], folder[TOLL_OS_PATH_SIZE];
    allow_output(path);
    allow_read(folder_of(toll_os_target(path, room), folder));
}

/* Allow the file that --summary appends to. */
static void allow_summary(void)
{
    const char *path = toll_summary_path();
    toll_os_info info;
    if (path && toll_os_look(path, &info))
        toll_sandbox_allow(&sandbox, path, TOLL_SANDBOX_WRITE);
    else if (path)
        allow_output(path);
}

/* --- all ---------------------------------------------------------------------------------------*/

static void allow_option(const toll_option *o, const toll_settings *s)
{
    const char *path;
    for (size_t i = 0; o->file && (path = toll_option_value(o, s, i)); i++) {
        if (o->file & TOLL_FILE_READ)
            allow_read(path);
        if (o->file == TOLL_FILE_PROGRAM)
            allow_program(path);
        if (o->file & TOLL_FILE_WRITTEN && strcmp(path, "-") != 0)
            allow_output(path);
    }
}

void toll_confine(toll_command_id command, const toll_settings *s, int count, char **operands,
                  const char *folder)
{
    if (s->no_confine || command == TOLL_CMD_RUN || command == TOLL_CMD_ATTACH ||
        command == TOLL_CMD_CONTROL || command == TOLL_CMD_DOCTOR || command == TOLL_CMD_BENCH ||
        command == TOLL_CMD_COMPARE || s->repeat.is_set)
        return;
    toll_sandbox_begin(&sandbox);
    for (int i = 0; i < count; i++)
        allow_read(operands[i]);
    for (unsigned i = 0; i < toll_option_count; i++)
        allow_option(&toll_options[i], s); /* options of other commands have no values */
    allow_unnamed(command, s, count, operands);
    if (command == TOLL_CMD_HISTORY && count > 1)
        allow_history(operands[1]);
    if (s->summary)
        allow_summary();
    if (folder)
        toll_sandbox_allow(&sandbox, folder, TOLL_SANDBOX_WRITE);
    if (command == TOLL_CMD_CONVERT || command == TOLL_CMD_VIEW || s->html)
        toll_os_keep_scratch(); /* for timelines */
    toll_sandbox_enter(&sandbox);
}

const char *toll_confine_text(void)
{
    toll_sandbox_begin(&sandbox);
    toll_sandbox_enter(&sandbox);
    return sandbox.text;
}
