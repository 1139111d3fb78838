/* sbf_read.c - a folder of register traces into a profile. See toll/sbf.h.
 *
 * The files are taken in the order of their names, which are hashes: the same folder gives the same
 * profile, whatever the file system says of times. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "solana/sbf_job.h"
#include "record/recorder_data.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHORTEST_ID = 32, LONGEST_ID = 44 }; /* 32 bytes in base58 */

/* --- files -------------------------------------------------------------------------------------*/

int toll_sbf_is_folder(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The length of HASH in HASH.regs; 0: it is another file. */
static size_t trace_name_size(const char *file)
{
    static const char end[] = ".regs";
    size_t size = strlen(file), n = strlen(end);
    return size > n && strcmp(file + size - n, end) == 0 ? size - n : 0;
}

/* The next entry, or NULL: at the end with errno 0, else with what went wrong. */
static struct dirent *next_entry(DIR *folder)
{
    errno = 0;
    return readdir(folder);
}

int toll_sbf_is_trace_folder(const char *path)
{
    DIR *folder = path ? opendir(path) : NULL;
    struct dirent *entry;
    bool found = false;
    if (!folder)
        return 0;
    while (!found && (entry = next_entry(folder)) != NULL)
        found = trace_name_size(entry->d_name) > 0;
    found |= errno != 0;
    closedir(folder);
    return found;
}

toll_status toll_sbf_open(toll_sbf_job *job, const char *name, const char *suffix, toll_input **out,
                          toll_error *err)
{
    toll_buffer_clear(&job->path);
    toll_buffer_append_text(&job->path, job->folder);
    toll_buffer_append_text(&job->path, "/");
    toll_buffer_append_text(&job->path, name);
    toll_buffer_append_text(&job->path, suffix);
    const char *path = toll_buffer_cstr(&job->path);
    struct stat st;
    *out = NULL;
    if (!path)
        return toll_fail_nomem(err);
    if (stat(path, &st) != 0 && errno == ENOENT)
        return toll_fail(err, TOLL_E_IO,
                         "%s: is missing; HASH.regs needs HASH.insns and HASH.program_id beside "
                         "it: trace the run again",
                         path);
    return toll_input_open(&job->mem, path, out, err);
}

toll_status toll_sbf_scan_trace(toll_sbf_job *job, const toll_sbf_trace *trace,
                                const toll_sbf_symbols *code, const toll_sbf_events *events,
                                toll_sbf_counts *counts, toll_error *err)
{
    toll_input *regs, *insns = NULL;
    toll_status status = toll_sbf_open(job, trace->name, ".regs", &regs, err);
    if (!status)
        status = toll_sbf_open(job, trace->name, ".insns", &insns, err);
    if (!status && job->options->progress)
        toll_input_on_progress(regs, job->options->progress, job->options->progress_user);
    if (!status)
        status = toll_sbf_scan(regs, insns, code, events, counts, err);
    toll_input_free(regs);
    toll_input_free(insns);
    return status;
}

/* --- programs ----------------------------------------------------------------------------------*/

static bool is_base58(const char *text, size_t size)
{
    static const char digits[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    for (size_t i = 0; i < size; i++)
        if (!memchr(digits, text[i], sizeof digits - 1))
            return false;
    return size >= SHORTEST_ID && size <= LONGEST_ID;
}

/* A program's frame: its name, or `program ID`, and what follows. */
static toll_status make_frame(toll_sbf_job *job, const char *id, const char *suffix,
                              toll_frame_id *out, toll_error *err)
{
    const char *name = toll_solana_name_of(&job->names, id, strlen(id));
    toll_buffer_clear(&job->name);
    toll_buffer_append_text(&job->name, name ? name : "program ");
    if (!name)
        toll_buffer_append_text(&job->name, id);
    toll_buffer_append_text(&job->name, suffix);
    toll_frame frame = { toll_buffer_cstr(&job->name), NULL, 0, TOLL_KIND_FUNCTION };
    return frame.name ? toll_recorder_add_frame(job->recorder, &frame, out, err)
                      : toll_fail_nomem(err);
}

static toll_status make_program(toll_sbf_job *job, const char *id, uint32_t *out, toll_error *err)
{
    void *programs = job->programs;
    if (!toll_mem_reserve(&job->mem, &programs, &job->program_capacity, job->program_count + 1,
                          sizeof *job->programs))
        return toll_fail_nomem(err);
    job->programs = programs;
    toll_sbf_program *p = &job->programs[job->program_count];
    *p = (toll_sbf_program){ .id = id };
    toll_sbf_symbols_init(&p->symbols, &job->mem);
    toll_u64map_init(&p->frames, &job->mem);
    *out = (uint32_t)job->program_count++;
    toll_status status = make_frame(job, id, "", &p->frame, err);
    return status ? status : make_frame(job, id, " (failed)", &p->failed_frame, err);
}

toll_status toll_sbf_add_program(toll_sbf_job *job, const char *id, uint32_t *out, toll_error *err)
{
    uint32_t name = toll_strtab_add(&job->strings, id, strlen(id));
    if (name == UINT32_MAX)
        return toll_fail_nomem(err);
    id = toll_strtab_text(&job->strings, name);
    for (*out = 0; *out < job->program_count; ++*out)
        if (job->programs[*out].id == id)
            return TOLL_OK;
    return make_program(job, id, out, err);
}

static toll_status read_elf(toll_sbf_job *job, const toll_sbf_elf *elf, toll_error *err)
{
    toll_sbf_program *p = NULL;
    toll_input *in;
    for (size_t i = 0; i < job->program_count; i++)
        if (strcmp(job->programs[i].id, elf->program_id) == 0)
            p = &job->programs[i];
    if (!p) {
        toll_format_warn(&job->warnings, "%s: no trace is of program %s; its ELF %s is not used",
                         job->folder, elf->program_id, elf->path);
        return TOLL_OK;
    }
    if (p->elf)
        return toll_fail(err, TOLL_E_ARGUMENT, "%s: program %s has an ELF already", elf->path,
                         elf->program_id);
    toll_status status = toll_input_open(&job->mem, elf->path, &in, err);
    if (status)
        return status;
    status = toll_sbf_symbols_read(&p->symbols, in, err);
    toll_input_free(in);
    p->elf = elf->path;
    if (!status && p->symbols.text.size == 0)
        toll_format_warn(&job->warnings,
                         "%s: has no code in it, so nothing tells whether it is the program that "
                         "ran; its names are believed",
                         elf->path);
    return status;
}

static toll_status read_elfs(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < job->options->elf_count; i++)
        status = read_elf(job, &job->options->elfs[i], err);
    return status;
}

/* --- traces ------------------------------------------------------------------------------------*/

static toll_status read_program_id(toll_sbf_job *job, const char *name, uint32_t *program,
                                   toll_error *err)
{
    toll_input *in;
    char id[LONGEST_ID + 1];
    size_t size;
    toll_status status = toll_sbf_open(job, name, ".program_id", &in, err);
    if (status)
        return status;
    const char *text = (const char *)toll_input_peek(in, LONGEST_ID + 3, &size);
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    status = toll_input_check(in, err);
    if (!status && !is_base58(text, size))
        status = toll_fail(err, TOLL_E_SYNTAX,
                           "%s: holds no program ID (32 bytes in base58); trace the run again",
                           toll_input_name(in));
    if (!status) {
        memcpy(id, text, size);
        id[size] = 0;
        status = toll_sbf_add_program(job, id, program, err);
    }
    toll_input_free(in);
    return status;
}

static toll_status add_trace(toll_sbf_job *job, const char *file, size_t size, toll_error *err)
{
    void *traces = job->traces;
    uint32_t name = toll_strtab_add(&job->strings, file, size);
    if (name == UINT32_MAX || job->trace_count >= TOLL_SBF_NONE ||
        !toll_mem_reserve(&job->mem, &traces, &job->trace_capacity, job->trace_count + 1,
                          sizeof *job->traces))
        return toll_fail_nomem(err);
    job->traces = traces;
    job->traces[job->trace_count++] =
        (toll_sbf_trace){ .name = toll_strtab_text(&job->strings, name) };
    return TOLL_OK;
}

static int compare_traces(const void *left, const void *right)
{
    const toll_sbf_trace *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static toll_status list_folder(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    struct dirent *entry;
    DIR *folder = opendir(job->folder);
    if (!folder)
        return toll_fail(err, TOLL_E_IO, "%s: cannot open the folder: %s", job->folder,
                         strerror(errno));
    while (!status && (entry = next_entry(folder)) != NULL) {
        size_t size = trace_name_size(entry->d_name);
        if (size)
            status = add_trace(job, entry->d_name, size, err);
    }
    if (!status && errno)
        status = toll_fail(err, TOLL_E_IO, "%s: cannot read the folder: %s", job->folder,
                           strerror(errno));
    closedir(folder);
    return status;
}

static toll_status find_traces(toll_sbf_job *job, toll_error *err)
{
    toll_status status = list_folder(job, err);
    if (!status && job->trace_count == 0)
        status = toll_fail(err, TOLL_E_NOT_FOUND,
                           "%s: no *.regs file is in this folder; run LiteSVM or Mollusk with "
                           "SBF_TRACE_DIR set to it",
                           job->folder);
    if (status)
        return status;
    qsort(job->traces, job->trace_count, sizeof *job->traces, compare_traces);
    for (size_t i = 0; !status && i < job->trace_count; i++)
        status = read_program_id(job, job->traces[i].name, &job->traces[i].program, err);
    return status;
}

/* --- the profile -------------------------------------------------------------------------------*/

static toll_status add_notes(const toll_sbf_job *job, toll_profile *p, toll_error *err)
{
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { "invocations as roots, those that did the same once (logs would tell who made them)",
          job->options->logs ? 0 : job->trace_count },
        { "invocations without a trace that fits", job->untraced },
        { "invocations whose compute units the logs do not tell (built-in: within their caller's)",
          job->logs.within_callers },
        { SOLANA_TEXT_UNSUMMED, job->logs.unsummed },
        { SOLANA_TEXT_PRICED, job->logs.priced },
        { SOLANA_TEXT_UNPRICED, job->logs.unpriced },
        { SOLANA_TEXT_LESS, job->logs.less },
        { job->options->logs ? SOLANA_TEXT_STOPPED
                             : "programs that the virtual machine stopped: what was left of their "
                               "budget was charged, too (logs would tell)",
          job->stopped },
        { "lines of logs for programs that do not run then, passed over", job->logs.strays },
        { "invocations that several traces fit equally well: one of them taken", job->alike },
        { "traces that fit no invocation of the logs, left out", job->unused },
        { "returns to where no call was made", job->counts.lost_returns },
        { "returns past the caller", job->counts.outer_returns },
        { "traces that end inside of a called function", job->counts.open_ends },
    };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < sizeof notes / sizeof *notes; i++)
        status = toll_profile_add_note(p, notes[i].text, notes[i].count, err);
    return status;
}

static toll_status play(toll_sbf_job *job, toll_error *err)
{
    toll_status status = TOLL_OK;
    if (job->options->names)
        status = toll_solana_names_read(&job->names, job->options->names, err);
    if (!status)
        status = find_traces(job, err);
    if (!status)
        status = read_elfs(job, err);
    if (!status)
        status = toll_sbf_count_traces(job, err);
    if (!status && job->options->logs)
        status = toll_sbf_match(job, err);
    if (status)
        return status;
    toll_recorder_rebase(job->recorder, &job->clock);
    status = job->options->logs ? toll_sbf_play_logs(job, err) : toll_sbf_play_traces(job, err);
    toll_recorder_stop(job->recorder, &job->clock);
    /* What a run that goes on folds away, a reader can refuse. */
    if (!status && job->recorder->counts[TOLL_COUNT_NOMEM])
        status = toll_fail_nomem(err);
    return status;
}

static toll_status make_profile(toll_sbf_job *job, toll_profile **out, toll_error *err)
{
    toll_profile *p;
    toll_status status = toll_recorder_snapshot(job->recorder, NULL, &p, err);
    if (!status)
        status = add_notes(job, p, err);
    if (status)
        toll_profile_free(p);
    else
        *out = p;
    return status;
}

/* The caller's options in *o, and whether they make sense. */
static toll_status copy_options(const toll_sbf_options *given, toll_sbf_options *o, toll_error *err)
{
    toll_status status = toll_options_copy(o, sizeof *o, given, "toll_sbf_options", err);
    if (status)
        return status;
    if (o->elf_count && !o->elfs)
        return toll_fail_null(err, "options->elfs");
    for (size_t i = 0; i < o->elf_count; i++)
        if (!o->elfs[i].program_id || !o->elfs[i].path)
            return toll_fail_null(err, o->elfs[i].path ? "options->elfs[i].program_id"
                                                       : "options->elfs[i].path");
    return TOLL_OK;
}

static void free_job(toll_sbf_job *job)
{
    for (size_t i = 0; i < job->program_count; i++) {
        toll_sbf_symbols_free(&job->programs[i].symbols);
        toll_u64map_free(&job->programs[i].frames);
    }
    toll_mem_free(&job->mem, job->programs, job->program_capacity, sizeof *job->programs);
    toll_mem_free(&job->mem, job->traces, job->trace_capacity, sizeof *job->traces);
    toll_mem_free(&job->mem, job->matches, job->logs.count, sizeof *job->matches);
    toll_sbf_logs_free(&job->logs);
    toll_solana_names_free(&job->names);
    toll_strtab_free(&job->strings);
    toll_u64map_free(&job->syscalls);
    toll_buffer_free(&job->path);
    toll_buffer_free(&job->name);
    toll_recorder_free(job->recorder);
}

toll_status toll_sbf_read(const toll_allocator *allocator, const char *folder,
                          const toll_sbf_options *options, toll_profile **out, toll_error *err)
{
    toll_sbf_options own;
    static const toll_counter counter = { "compute units", "CU", 0 };
    const toll_recorder_options recorder = {
        .size = sizeof recorder, .allocator = allocator, .counters = &counter, .counter_count = 1
    };
    toll_sbf_job job = { .mem = toll_mem_from(allocator), .folder = folder, .options = &own };
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!folder)
        return toll_fail_null(err, "folder");
    toll_status status = copy_options(options, &own, err);
    if (status)
        return status;
    job.warnings.warn = job.options->warn;
    job.warnings.warn_user = job.options->warn_user;
    toll_strtab_init(&job.strings, &job.mem);
    toll_sbf_logs_init(&job.logs, &job.mem);
    toll_solana_names_init(&job.names, &job.mem);
    toll_u64map_init(&job.syscalls, &job.mem);
    toll_buffer_init(&job.path, &job.mem);
    toll_buffer_init(&job.name, &job.mem);
    status = toll_recorder_create(&recorder, &job.recorder, err);
    if (!status)
        status = play(&job, err);
    if (!status)
        status = make_profile(&job, out, err);
    free_job(&job);
    return status;
}
