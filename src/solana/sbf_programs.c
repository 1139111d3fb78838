/* sbf_programs.c - the programs that register traces are of: their frames, and the symbols and code
 * of their ELF files. See sbf_job.h. */
#include "base/array.h"
#include "base/os.h"
#include "solana/sbf_job.h"

#include <string.h>

static bool make_frame(toll_sbf_job *job, const char *id, const char *instruction, bool has_failed,
                       toll_frame_id *out)
{
    toll_frame frame = { .name = toll_solana_frame_name(&job->name, &job->names, id, strlen(id),
                                                        instruction, has_failed),
                         .kind = TOLL_KIND_PROGRAM };
    if (!frame.name)
        return toll_no_memory(&job->failure);
    return toll_ok(&job->failure,
                   toll_recorder_add_frame(job->recorder, &frame, out, job->failure.err));
}

static bool make_program(toll_sbf_job *job, const char *id)
{
    if (!toll_array_grow(&job->mem, &job->programs, &job->program_capacity, job->program_count, 1))
        return toll_no_memory(&job->failure);
    toll_sbf_program *p = &job->programs[job->program_count++];
    *p = (toll_sbf_program){ .id = id };
    toll_sbf_symbols_init(&p->symbols, &job->mem);
    toll_u64map_init(&p->frames, &job->mem);
    toll_u64map_init(&p->places, &job->mem);
    toll_solana_names_use(&job->names, id, strlen(id));
    return make_frame(job, id, "", false, &p->frame) &&
           make_frame(job, id, "", true, &p->failed_frame);
}

bool toll_sbf_invocation_frame(toll_sbf_job *job, uint32_t program, const char *instruction,
                               bool has_failed, toll_frame_id *out)
{
    const toll_sbf_program *p = &job->programs[program];
    *out = has_failed ? p->failed_frame : p->frame;
    return !*instruction || make_frame(job, p->id, instruction, has_failed, out);
}

bool toll_sbf_add_program(toll_sbf_job *job, const char *id, uint32_t *out)
{
    uint32_t name = toll_strtab_add(&job->strings, id, strlen(id));
    if (name == UINT32_MAX)
        return toll_no_memory(&job->failure);
    id = toll_strtab_text(&job->strings, name);
    for (*out = 0; *out < job->program_count; ++*out)
        if (job->programs[*out].id == id)
            return true;
    return make_program(job, id);
}

/* --- ELF files ---------------------------------------------------------------------------------*/

static bool open_symbols(toll_sbf_job *job, toll_sbf_symbols *symbols, const char *path,
                         toll_failure *failure)
{
    toll_input *in;
    toll_sbf_symbols_init(symbols, &job->mem);
    if (!toll_ok(failure, toll_input_open(&job->mem, path, &in, failure->err)))
        return false;
    bool good = toll_ok(failure, toll_sbf_symbols_read(symbols, in, failure->err));
    toll_input_free(in);
    return good;
}

/* The twin's symbols become the program's. */
static bool use_twin(toll_sbf_job *job, toll_sbf_program *p, toll_sbf_symbols *twin,
                     const char *path)
{
    uint32_t name = toll_strtab_add(&job->strings, path, strlen(path));
    if (name == UINT32_MAX)
        return toll_no_memory(&job->failure);
    const toll_sbf_symbols stripped = p->symbols;
    p->symbols = *twin;
    *twin = stripped;
    p->elf = toll_strtab_text(&job->strings, name);
    return true;
}

/* Give the program the symbols of its unstripped twin, if that has the same code. A twin that
 * cannot be read is none. */
static bool try_twin(toll_sbf_job *job, toll_sbf_program *p, const char *path, bool *found)
{
    toll_sbf_symbols twin;
    toll_failure failure = { .err = NULL };
    bool good = true;
    *found = open_symbols(job, &twin, path, &failure) && !twin.is_stripped &&
             toll_sbf_symbols_same_code(&p->symbols, &twin);
    if (*found)
        good = use_twin(job, p, &twin, path);
    else if (failure.status == TOLL_E_NOMEM)
        good = toll_no_memory(&job->failure);
    toll_sbf_symbols_free(&twin);
    return good;
}

/* Of target/deploy/NAME.so, cargo build-sbf keeps the unstripped file in another folder of target.
 */
static bool find_twin(toll_sbf_job *job, toll_sbf_program *p, bool *found)
{
    static const char *const folders[] = { "sbpf",   "sbf",    "sbpfv1", "sbpfv2",
                                           "sbpfv3", "sbpfv4", "sbpfv0" };
    const char *name = toll_os_file_name(p->elf), *path = p->elf;
    static const char deploy[] = "deploy/";
    size_t head = (size_t)(name - path), n = sizeof deploy - 1;
    bool good = true;
    *found = false;
    if (head < n || memcmp(name - n, deploy, n) != 0)
        return true;
    for (size_t i = 0; good && !*found && i < sizeof folders / sizeof *folders; i++) {
        toll_buffer_clear(&job->path);
        toll_buffer_append(&job->path, path, head - n);
        toll_buffer_append_format(&job->path, "%s-solana-solana/release/%s", folders[i], name);
        const char *twin = toll_buffer_cstr(&job->path);
        good = twin ? try_twin(job, p, twin, found) : toll_no_memory(&job->failure);
    }
    return good;
}

static bool read_symbols(toll_sbf_job *job, toll_sbf_program *p, const char *path)
{
    bool found = true;
    if (!open_symbols(job, &p->symbols, path, &job->failure))
        return false;
    p->elf = path;
    if (p->symbols.text.size == 0)
        toll_format_warn(job->options,
                         "%s: has no code in it, so nothing tells whether it is the program that "
                         "ran; its names are believed",
                         path);
    if (p->symbols.is_stripped && !find_twin(job, p, &found))
        return false;
    if (!found)
        toll_format_warn(job->options,
                         "%s: is stripped, and names %zu of its functions; name the unstripped "
                         "file, such as target/sbpf-solana-solana/release/NAME.so",
                         path, p->symbols.count);
    return true;
}

/* --- which program a file is of ----------------------------------------------------------------*/

static bool pass(void *user, uint64_t which, uint64_t done)
{
    (void)user, (void)which, (void)done;
    return true;
}

static bool pass_syscall(void *user, const toll_sbf_syscall_event *event, uint64_t done)
{
    (void)user, (void)event, (void)done;
    return true;
}

/* Whether all that ran of the program is that code. */
static bool has_run(toll_sbf_job *job, uint32_t program, const toll_sbf_symbols *code, bool *out)
{
    *out = code->text.size > 0;
    for (size_t i = 0; *out && i < job->trace_count; i++) {
        toll_sbf_counts counts = { 0 };
        const toll_sbf_events events = { .enter = pass, .leave = pass, .syscall = pass_syscall };
        if (job->traces[i].program != program)
            continue;
        if (!toll_sbf_scan_trace(job, &job->traces[i], code, &events, &counts))
            return false;
        *out = !counts.is_foreign;
    }
    return true;
}

/* A file without an ID is of the programs whose code it has. */
static bool find_program(toll_sbf_job *job, const char *path)
{
    toll_sbf_symbols code;
    bool any = false, good = open_symbols(job, &code, path, &job->failure);
    for (uint32_t i = 0; good && i < job->program_count; i++) {
        bool is_it = false;
        good = job->programs[i].elf || has_run(job, i, &code, &is_it);
        any |= is_it;
        good = good && (!is_it || read_symbols(job, &job->programs[i], path));
    }
    toll_sbf_symbols_free(&code);
    if (good && !any)
        toll_format_warn(job->options,
                         "%s: is not the code of any program that was traced; it is not used",
                         path);
    return good;
}

static bool read_elf(toll_sbf_job *job, const toll_program_file *elf)
{
    if (!elf->program_id)
        return find_program(job, elf->path);
    for (size_t i = 0; i < job->program_count; i++) {
        toll_sbf_program *p = &job->programs[i];
        if (strcmp(p->id, elf->program_id) != 0)
            continue;
        return p->elf ? toll_ok(&job->failure, toll_fail(job->failure.err, TOLL_E_ARGUMENT,
                                                         "%s: program %s has an ELF already",
                                                         elf->path, elf->program_id))
                      : read_symbols(job, p, elf->path);
    }
    toll_format_warn(job->options, "%s: no trace is of program %s; its ELF %s is not used",
                     job->folder, elf->program_id, elf->path);
    return true;
}

bool toll_sbf_read_elfs(toll_sbf_job *job)
{
    for (size_t i = 0; i < job->options->elf_count; i++)
        if (!read_elf(job, &job->options->elfs[i]))
            return false;
    return true;
}
