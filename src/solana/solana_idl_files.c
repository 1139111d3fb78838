/* solana_idl_files.c - reads the files and folders with IDLs that the options name. See
 * solana_idl.h. */
#include "base/buffer.h"
#include "base/os.h"
#include "solana/solana_folder.h"
#include "solana/solana_idl.h"

#include <string.h>

static bool read_file(toll_solana_idls *s, const char *path, const char *id, const char *said,
                      const toll_format_options *options, toll_failure *failure)
{
    toll_input *in;
    if (!toll_ok(failure, toll_input_open(&s->strings->mem, path, &in, failure->err)))
        return false;
    bool good = toll_solana_idl_read(s, in, id, said, options, failure);
    toll_input_free(in);
    return good;
}

/* Read a file in a folder. A file that is not an IDL is skipped with a warning; a pipe, which would
 * block, without one. */
static bool try_file(toll_solana_idls *s, const char *path, const char *folder,
                     const toll_format_options *options, toll_failure *failure)
{
    toll_error err = { TOLL_OK, "" };
    toll_failure own = { .err = &err };
    toll_os_info info;
    if (toll_os_look(path, &info) && info.kind != TOLL_OS_REGULAR)
        return true;
    if (read_file(s, path, NULL, folder, options, &own))
        return true;
    if (own.status == TOLL_E_NOMEM)
        return toll_no_memory(failure);
    toll_format_warn(options, "%s", err.text);
    return true;
}

static bool read_folder(toll_solana_idls *s, toll_os_folder *folder, const char *path,
                        const toll_format_options *options, toll_failure *failure)
{
    toll_solana_folder found = { 0 };
    toll_buffer room;
    bool good = toll_solana_folder_list(&found, folder, path, ".json", s->strings, failure);
    toll_buffer_init(&room, &s->strings->mem);
    if (good && !found.count)
        toll_format_warn(options, "%s: has no IDL (NAME.json)", path);
    for (size_t i = 0; good && i < found.count; i++) {
        toll_buffer_clear(&room);
        toll_buffer_append_format(&room, "%s/%s", path, found.names[i]);
        const char *file = toll_buffer_cstr(&room);
        good = file ? try_file(s, file, path, options, failure) : toll_no_memory(failure);
    }
    toll_buffer_free(&room);
    toll_solana_folder_free(&found, &s->strings->mem);
    return good;
}

bool toll_solana_idls_read(toll_solana_idls *s, const toll_program_file *files, size_t count,
                           const toll_format_options *options, toll_failure *failure)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        const toll_program_file *file = &files[i];
        toll_os_folder folder;
        if (file->program_id || !toll_os_folder_open(&folder, file->path)) {
            good = read_file(s, file->path, file->program_id, file->path, options, failure);
            continue;
        }
        good = read_folder(s, &folder, file->path, options, failure);
        toll_os_folder_close(&folder);
    }
    return good;
}

void toll_solana_idls_warn_unused(const toll_solana_idls *s, const toll_format_options *options)
{
    for (size_t i = 0, end; i < s->program_count; i = end) {
        bool is_used = false;
        for (end = i; end < s->program_count && s->programs[end].path == s->programs[i].path; end++)
            is_used |= s->programs[end].is_used;
        if (!is_used && end - i == 1)
            toll_format_warn(options,
                             "%s: is the IDL of %s, which does not run here; it is not used",
                             s->programs[i].path, toll_strtab_text(s->strings, s->programs[i].id));
        else if (!is_used)
            toll_format_warn(options,
                             "%s: none of its %zu IDLs is of a program that runs here; they are "
                             "not used",
                             s->programs[i].path, end - i);
    }
}
