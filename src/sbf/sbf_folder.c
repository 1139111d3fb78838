/* sbf_folder.c - lists and opens the files in a folder of register traces. See sbf_job.h.
 *
 * Traces are sorted by the names of their files, which are hashes: the same folder gives the same
 * profile, whatever order the file system has. Only sbf_alike.c uses their times. */
#include "base/array.h"
#include "base/os.h"
#include "sbf/sbf_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST_ID = 32, LONGEST_ID = 44 }; /* 32 bytes in base58 */

/* The length of HASH in HASH.regs; 0: another kind of file. */
static size_t trace_name_size(const char *file)
{
    static const char end[] = ".regs";
    size_t size = strlen(file), n = strlen(end);
    return size > n && strcmp(file + size - n, end) == 0 ? size - n : 0;
}

bool toll_sbf_sniff_folder(const char *path)
{
    toll_os_folder folder;
    const char *name;
    bool found = false;
    if (!toll_os_folder_open(&folder, path))
        return false;
    while (!found && (name = toll_os_folder_next(&folder)) != NULL)
        found = trace_name_size(name) > 0;
    found |= errno != 0;
    toll_os_folder_close(&folder);
    return found;
}

/* Open FOLDER/NAMESUFFIX. */
static bool open_file(toll_sbf_job *job, const char *name, const char *suffix, toll_input **out)
{
    toll_buffer_clear(&job->path);
    toll_buffer_append_text(&job->path, job->folder);
    toll_buffer_append_text(&job->path, "/");
    toll_buffer_append_text(&job->path, name);
    toll_buffer_append_text(&job->path, suffix);
    const char *path = toll_buffer_cstr(&job->path);
    toll_error *err = job->failure.err;
    toll_os_info info;
    *out = NULL;
    if (!path)
        return toll_no_memory(&job->failure);
    if (!toll_os_look(path, &info) && errno == ENOENT)
        return toll_ok(&job->failure,
                       toll_fail(err, TOLL_E_IO,
                                 "%s: is missing; HASH.regs needs HASH.insns and HASH.program_id "
                                 "beside it: trace the run again",
                                 path));
    return toll_ok(&job->failure, toll_input_open(&job->mem, path, out, err));
}

bool toll_sbf_scan_trace(toll_sbf_job *job, const toll_sbf_trace *trace,
                         const toll_sbf_symbols *code, const toll_sbf_events *events,
                         toll_sbf_counts *counts)
{
    const toll_format_options *o = job->options;
    toll_input *regs, *insns = NULL;
    bool good = open_file(job, trace->name, ".regs", &regs) &&
                open_file(job, trace->name, ".insns", &insns);
    if (good && o->progress)
        toll_input_on_progress(regs, o->progress, o->progress_user);
    good = good && toll_sbf_scan(regs, insns, code, events, counts, &job->failure);
    toll_input_free(regs);
    toll_input_free(insns);
    return good;
}

bool toll_sbf_mix_code(toll_sbf_job *job, const toll_sbf_trace *trace, uint64_t *shape)
{
    enum { WINDOW = 1 << 16 };
    toll_input *in;
    size_t got;
    bool good = open_file(job, trace->name, ".insns", &in);
    for (const uint8_t *p; good && (p = toll_input_peek(in, WINDOW, &got), got > 0);) {
        for (size_t i = 0; i < got; i += TOLL_SBF_INSN_SIZE) {
            uint64_t code = 0;
            memcpy(&code, p + i, got - i < TOLL_SBF_INSN_SIZE ? got - i : TOLL_SBF_INSN_SIZE);
            *shape = toll_sbf_mix(*shape, code);
        }
        toll_input_skip(in, got);
    }
    good = good && toll_ok(&job->failure, toll_input_check(in, job->failure.err));
    toll_input_free(in);
    return good;
}

int64_t toll_sbf_time_of(toll_sbf_job *job, const toll_sbf_trace *trace)
{
    toll_os_info info;
    toll_buffer_clear(&job->path);
    toll_buffer_append_format(&job->path, "%s/%s.regs", job->folder, trace->name);
    const char *path = toll_buffer_cstr(&job->path);
    return path && toll_os_look(path, &info)
               ? info.modified * INT64_C(1000000000) + info.modified_ns
               : 0;
}

static bool compare_trace(toll_sbf_job *job, const toll_sbf_trace *trace,
                          const toll_sbf_symbols *code, bool *out)
{
    toll_input *regs, *insns = NULL;
    bool good = open_file(job, trace->name, ".regs", &regs) &&
                open_file(job, trace->name, ".insns", &insns) &&
                toll_sbf_compare(regs, insns, code, out, &job->failure);
    toll_input_free(regs);
    toll_input_free(insns);
    return good;
}

bool toll_sbf_has_run(void *user, const toll_sbf_program *program, const toll_sbf_symbols *code,
                      bool *out)
{
    toll_sbf_job *job = user;
    *out = true;
    for (size_t i = 0; *out && i < job->trace_count; i++)
        if (&job->programs.list[job->traces[i].program] == program &&
            !compare_trace(job, &job->traces[i], code, out))
            return false;
    return true;
}

/* --- listing the traces ------------------------------------------------------------------------*/

static bool is_base58(const char *text, size_t size)
{
    static const char digits[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    for (size_t i = 0; i < size; i++)
        if (!memchr(digits, text[i], sizeof digits - 1))
            return false;
    return size >= SHORTEST_ID && size <= LONGEST_ID;
}

static bool take_program_id(toll_sbf_job *job, toll_input *in, uint32_t *program)
{
    char id[LONGEST_ID + 1];
    size_t size;
    toll_error *err = job->failure.err;
    const char *text = (const char *)toll_input_peek(in, LONGEST_ID + 3, &size);
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    if (!toll_ok(&job->failure, toll_input_check(in, err)))
        return false;
    if (!is_base58(text, size))
        return toll_ok(&job->failure,
                       toll_fail(err, TOLL_E_SYNTAX,
                                 "%s: holds no program ID (32 bytes in base58); trace the run "
                                 "again",
                                 toll_input_name(in)));
    memcpy(id, text, size);
    id[size] = 0;
    return toll_sbf_add_program(&job->programs, id, program);
}

static bool read_program_id(toll_sbf_job *job, toll_sbf_trace *trace)
{
    toll_input *in;
    bool good = open_file(job, trace->name, ".program_id", &in) &&
                take_program_id(job, in, &trace->program);
    toll_input_free(in);
    return good;
}

static bool add_trace(toll_sbf_job *job, const char *file, size_t size)
{
    uint32_t name = toll_strtab_add(&job->strings, file, size);
    if (name == UINT32_MAX || /* also if there are too many */
        !toll_array_grow(&job->mem, &job->traces, &job->trace_capacity, job->trace_count, 1))
        return toll_no_memory(&job->failure);
    job->traces[job->trace_count++] =
        (toll_sbf_trace){ .name = toll_strtab_text(&job->strings, name) };
    return true;
}

static int compare_traces(const void *left, const void *right)
{
    const toll_sbf_trace *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static bool fail_folder(toll_sbf_job *job, const char *what)
{
    return toll_ok(&job->failure, toll_fail(job->failure.err, TOLL_E_IO, "%s: %s: %s", job->folder,
                                            what, strerror(errno)));
}

static bool list_folder(toll_sbf_job *job)
{
    toll_os_folder folder;
    const char *name;
    bool good = true;
    if (!toll_os_folder_open(&folder, job->folder))
        return fail_folder(job, "cannot open the folder");
    while (good && (name = toll_os_folder_next(&folder)) != NULL) {
        size_t size = trace_name_size(name);
        good = size == 0 || add_trace(job, name, size);
    }
    if (good && errno)
        good = fail_folder(job, "cannot read the folder");
    toll_os_folder_close(&folder);
    return good;
}

bool toll_sbf_find_traces(toll_sbf_job *job)
{
    if (!list_folder(job))
        return false;
    if (job->trace_count == 0)
        return toll_ok(&job->failure,
                       toll_fail(job->failure.err, TOLL_E_NOT_FOUND,
                                 "%s: no *.regs file is in this folder; run LiteSVM or Mollusk "
                                 "with SBF_TRACE_DIR set to it",
                                 job->folder));
    qsort(job->traces, job->trace_count, sizeof *job->traces, compare_traces);
    for (size_t i = 0; i < job->trace_count; i++)
        if (!read_program_id(job, &job->traces[i]))
            return false;
    return true;
}
