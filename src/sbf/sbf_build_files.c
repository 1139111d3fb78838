/* sbf_build_files.c - finds the files that may have the names of programs: those that the options
 * name, and those in a project's folder `target`. See sbf_programs.h. */
#include "base/array.h"
#include "base/os.h"
#include "sbf/sbf_programs.h"
#include "solana/solana_folder.h"

#include <inttypes.h>
#include <string.h>

/* In `target`: where cargo build-sbf writes deployed files, and unstripped files, those of the
 * newest tools first. */
#define DEPLOY "deploy"
static const char *const release_folders[] = {
    "sbpf-solana-solana/release",   "sbf-solana-solana/release",    "sbpfv1-solana-solana/release",
    "sbpfv2-solana-solana/release", "sbpfv3-solana-solana/release", "sbpfv4-solana-solana/release",
    "sbpfv0-solana-solana/release",
};
enum { RELEASE_FOLDERS = sizeof release_folders / sizeof *release_folders };
enum { MOST_NAMED = 8 }; /* files that cannot be read and are named in warnings */

/* Join FOLDER/NAME into a string that the all keeps; "" is the current folder. NULL: no memory. */
static const char *join(toll_sbf_programs *all, const char *folder, const char *name)
{
    toll_buffer_clear(&all->path);
    toll_buffer_append_format(&all->path, "%s%s%s", folder, *folder ? "/" : "", name);
    const char *path = toll_buffer_cstr(&all->path);
    uint32_t id = path ? toll_strtab_add(all->strings, path, all->path.size) : UINT32_MAX;
    if (id != UINT32_MAX)
        return toll_strtab_text(all->strings, id);
    toll_no_memory(all->failure);
    return NULL;
}

/* --- a file ------------------------------------------------------------------------------------*/

static bool read_symbols(toll_sbf_build *build, toll_failure *failure)
{
    toll_input *in;
    const toll_mem mem = build->symbols.mem;
    if (!toll_ok(failure, toll_input_open(&mem, build->path, &in, failure->err)))
        return false;
    bool good = toll_ok(failure, toll_sbf_symbols_read(&build->symbols, in, failure->err));
    toll_input_free(in);
    return good;
}

static bool add_file(toll_sbf_programs *all, const toll_sbf_build *file, toll_failure *failure)
{
    toll_sbf_build build = *file;
    toll_sbf_symbols_init(&build.symbols, &all->mem);
    if (read_symbols(&build, failure) &&
        (toll_array_grow(&all->mem, &all->builds, &all->build_capacity, all->build_count, 1) ||
         toll_no_memory(failure))) {
        all->builds[all->build_count++] = build;
        return true;
    }
    toll_sbf_symbols_free(&build.symbols);
    return false;
}

/* Is a file that could not be read certainly not a program? A file named .so may be one that is
 * damaged. */
static bool is_other(const char *path, toll_status status)
{
    static const char end[] = ".so";
    size_t size = strlen(path), n = strlen(end);
    bool is_named_so = size > n && strcmp(path + size - n, end) == 0;
    return status == TOLL_E_UNSUPPORTED || (status == TOLL_E_UNKNOWN_FORMAT && !is_named_so);
}

/* Add a file, unless it is not a program's, or cannot be read. Warns about the latter if an option
 * named the file itself. */
static bool try_file(toll_sbf_programs *all, const toll_sbf_build *file)
{
    toll_error err = { TOLL_OK, "" };
    toll_failure failure = { .err = &err };
    toll_os_info info;
    bool is_there = toll_os_look(file->path, &info);
    if ((is_there && info.kind != TOLL_OS_REGULAR) || (!is_there && file->is_found) ||
        add_file(all, file, &failure))
        return true;
    if (failure.status == TOLL_E_NOMEM)
        return toll_no_memory(all->failure);
    if (!file->is_found && !is_other(file->path, failure.status) && all->unread++ < MOST_NAMED)
        toll_format_warn(all->options, "%s (it is passed over)", err.text);
    return true;
}

/* Add the files of a folder, with the properties of `kind`. */
static bool try_folder(toll_sbf_programs *all, toll_os_folder *folder, const char *path,
                       const toll_sbf_build *kind)
{
    toll_solana_folder list = { 0 };
    bool good = toll_solana_folder_list(&list, folder, path, "", all->strings, all->failure);
    for (size_t i = 0; good && i < list.count; i++) {
        toll_sbf_build file = *kind;
        file.path = join(all, path, list.names[i]);
        good = file.path && try_file(all, &file);
    }
    toll_solana_folder_free(&list, &all->mem);
    return good;
}

/* --- files that the options name ---------------------------------------------------------------*/

static bool read_folder(toll_sbf_programs *all, toll_os_folder *folder, const char *path)
{
    size_t before = all->build_count;
    uint64_t named = all->unread < MOST_NAMED ? MOST_NAMED : all->unread;
    const toll_sbf_build kind = { .folder = path };
    if (!try_folder(all, folder, path, &kind))
        return false;
    if (all->unread > named)
        toll_format_warn(all->options,
                         "%s: %" PRIu64 " more of its files cannot be read, and are passed over",
                         path, all->unread - named);
    if (all->build_count == before)
        toll_format_warn(all->options, "%s: has no program's ELF file", path);
    return true;
}

bool toll_sbf_read_builds(toll_sbf_programs *all)
{
    bool good = true;
    for (size_t i = 0; good && i < all->own->elf_count; i++) {
        const toll_program_file *named = &all->own->elfs[i];
        const toll_sbf_build file = { .path = named->path, .program_id = named->program_id };
        toll_os_folder folder;
        if (named->program_id || !toll_os_folder_open(&folder, named->path)) {
            good = add_file(all, &file, all->failure);
            continue;
        }
        good = read_folder(all, &folder, named->path);
        toll_os_folder_close(&folder);
    }
    return good;
}

/* --- files of a project ------------------------------------------------------------------------*/

/* Is it a `target` that was already seen? The parent of the outermost folder is itself. */
static bool is_target(const toll_sbf_programs *all, const toll_os_info *info)
{
    for (size_t i = 0; i < all->target_count; i++)
        if (toll_os_is_same(&all->targets[i].info, info))
            return true;
    return false;
}

/* List the folders `target` of the project and of the folders around it. */
static bool list_targets(toll_sbf_programs *all)
{
    const char *folder = all->own->project;
    toll_os_info info;
    if (all->has_listed_targets || !folder)
        return true;
    all->has_listed_targets = true;
    if (strcmp(folder, ".") == 0)
        folder = "";
    for (size_t level = 0; level < TOLL_SBF_MOST_TARGETS; level++) {
        const char *path = join(all, folder, "target");
        folder = path ? join(all, folder, "..") : NULL;
        if (!folder)
            return false;
        if (toll_os_look(path, &info) && info.kind == TOLL_OS_FOLDER && !is_target(all, &info))
            all->targets[all->target_count++] = (toll_sbf_target){ path, info };
    }
    return true;
}

static bool find_in(toll_sbf_programs *all, const char *target, const char *part)
{
    static const toll_sbf_build kind = { .is_found = true };
    toll_os_folder folder;
    const char *path = join(all, target, part);
    if (!path)
        return false;
    if (!toll_os_folder_open(&folder, path))
        return true;
    bool good = try_folder(all, &folder, path, &kind);
    toll_os_folder_close(&folder);
    return good;
}

bool toll_sbf_find_deployed(toll_sbf_programs *all)
{
    bool good = list_targets(all);
    for (size_t t = 0; good && t < all->target_count; t++)
        good = find_in(all, all->targets[t].path, DEPLOY);
    return good;
}

bool toll_sbf_find_unstripped(toll_sbf_programs *all)
{
    bool good = list_targets(all);
    for (size_t t = 0; good && t < all->target_count; t++)
        for (size_t i = 0; good && i < RELEASE_FOLDERS; i++)
            good = find_in(all, all->targets[t].path, release_folders[i]);
    return good;
}

static bool is_listed(const toll_sbf_programs *all, const char *path)
{
    for (size_t i = 0; i < all->build_count; i++)
        if (strcmp(all->builds[i].path, path) == 0)
            return true;
    return false;
}

static bool find_twins_in(toll_sbf_programs *all, const char *target, const char *name)
{
    for (size_t i = 0; i < RELEASE_FOLDERS; i++) {
        const char *folder = join(all, target, release_folders[i]);
        const toll_sbf_build file = { .path = folder ? join(all, folder, name) : NULL,
                                      .is_found = true };
        if (!file.path || (!is_listed(all, file.path) && !try_file(all, &file)))
            return false;
    }
    return true;
}

/* Find the unstripped file of target/deploy/NAME.so in `target`. */
static bool find_beside(toll_sbf_programs *all, const char *path, const char *name)
{
    static const char deploy[] = DEPLOY "/";
    size_t n = sizeof deploy - 1, head = (size_t)(name - path);
    if (head < n || memcmp(name - n, deploy, n) != 0 ||
        (head > n && name[-(ptrdiff_t)n - 1] != '/'))
        return true;
    uint32_t target = toll_strtab_add(all->strings, path, head > n ? head - n - 1 : 0);
    if (target == UINT32_MAX)
        return toll_no_memory(all->failure);
    return find_twins_in(all, toll_strtab_text(all->strings, target), name);
}

bool toll_sbf_find_twins(toll_sbf_programs *all, const char *path)
{
    const char *name = toll_os_file_name(path);
    bool good = find_beside(all, path, name) && list_targets(all);
    for (size_t t = 0; good && t < all->target_count; t++)
        good = find_twins_in(all, all->targets[t].path, name);
    return good;
}
