/* sbf_builds.c - chooses the file that has the names of each traced program. See sbf_job.h.
 *
 * A file belongs to a program if the options say so, or if every instruction that ran is in it, at
 * the same address; if files with different code match, none is used. A stripped file gets the
 * names of an unstripped file of the same name: all names if the code is the same (its twin), else
 * the names of the functions that have the same code in both. */
#include "base/os.h"
#include "sbf/sbf_job.h"
#include "sbf/sbf_shape.h"

#include <string.h>

const toll_sbf_build *toll_sbf_build_of(const toll_sbf_job *job, const toll_sbf_program *program)
{
    return program->build == TOLL_SBF_NONE ? NULL : &job->builds[program->build];
}

static void use(toll_sbf_job *job, toll_sbf_program *p, size_t build)
{
    p->build = (uint32_t)build;
    job->builds[build].is_used = true;
}

/* --- by the code that ran ----------------------------------------------------------------------*/

/* Is every instruction that ran in the build's code? */
static bool has_run(toll_sbf_job *job, const toll_sbf_program *p, const toll_sbf_symbols *code,
                    bool *out)
{
    *out = code->text.size > 0;
    for (size_t i = 0; *out && i < job->trace_count; i++)
        if (&job->programs[job->traces[i].program] == p &&
            !toll_sbf_compare_trace(job, &job->traces[i], code, out))
            return false;
    return true;
}

/* Of two files with the same code, is `a` the one with more names? */
static bool is_better(const toll_sbf_build *a, const toll_sbf_build *b)
{
    return !a->symbols.is_stripped && b->symbols.is_stripped;
}

static void warn_several(const toll_sbf_job *job, const toll_sbf_program *p, size_t a, size_t b)
{
    toll_format_warn(job->options,
                     "what ran of %s is in both %s and %s, whose code is not the same; say which "
                     "it is: --elf %s=FILE",
                     p->id, job->builds[a].path, job->builds[b].path, p->id);
}

/* Choose among the builds from `first` on that have no ID. */
static bool choose_by_code(toll_sbf_job *job, toll_sbf_program *p, size_t first)
{
    size_t best = TOLL_SBF_NONE;
    for (size_t i = first; i < job->build_count; i++) {
        const toll_sbf_build *build = &job->builds[i];
        bool is_it = false;
        if (build->program_id)
            continue;
        if (!has_run(job, p, &build->symbols, &is_it))
            return false;
        if (!is_it)
            continue;
        if (best != TOLL_SBF_NONE &&
            !toll_sbf_symbols_same_code(&job->builds[best].symbols, &build->symbols)) {
            warn_several(job, p, best, i);
            return true;
        }
        if (best == TOLL_SBF_NONE || is_better(build, &job->builds[best]))
            best = i;
    }
    if (best != TOLL_SBF_NONE)
        use(job, p, best);
    return true;
}

/* --- by the ID ---------------------------------------------------------------------------------*/

static bool has_id(const toll_sbf_build *build, const toll_sbf_program *p)
{
    return build->program_id && strcmp(build->program_id, p->id) == 0;
}

/* Choose among several files for the program the first whose code ran. If none fits, choose the
 * first: the error names it. */
static bool choose_by_id(toll_sbf_job *job, toll_sbf_program *p)
{
    size_t count = 0, first = 0;
    bool is_it = false;
    for (size_t i = job->build_count; i-- > 0;)
        if (has_id(&job->builds[i], p)) {
            first = i;
            count++;
        }
    if (count > 0)
        use(job, p, first);
    for (size_t i = first; count > 1 && !is_it && i < job->build_count; i++) {
        if (!has_id(&job->builds[i], p))
            continue;
        if (!has_run(job, p, &job->builds[i].symbols, &is_it))
            return false;
        if (is_it)
            use(job, p, i);
    }
    return true;
}

/* --- names for a stripped file -----------------------------------------------------------------*/

static bool may_name(const toll_sbf_build *build, const toll_sbf_build *stripped)
{
    bool is_of_id = build->program_id && stripped->program_id &&
                    strcmp(build->program_id, stripped->program_id) == 0;
    return !build->symbols.is_stripped &&
           (is_of_id ||
            strcmp(toll_os_file_name(build->path), toll_os_file_name(stripped->path)) == 0);
}

static void swap(toll_sbf_build *stripped, toll_sbf_build *twin)
{
    const toll_sbf_build old = *stripped;
    stripped->path = twin->path;
    stripped->symbols = twin->symbols;
    twin->path = old.path;
    twin->symbols = old.symbols;
    twin->is_used = true;
}

static bool name_by_shape(toll_sbf_job *job, toll_sbf_build *stripped, toll_sbf_build *build)
{
    toll_sbf_shapes shapes;
    if (!toll_sbf_shapes_add(&stripped->symbols, &build->symbols, &shapes))
        return toll_no_memory(&job->failure);
    build->is_used = true;
    toll_format_warn(job->options,
                     "%s: is stripped, and %s is another build; %zu of its %zu functions have the "
                     "same code in both and give it their names",
                     stripped->path, build->path, shapes.found, shapes.functions);
    return true;
}

static bool name_stripped(toll_sbf_job *job, size_t at)
{
    if (!toll_sbf_find_twins(job, job->builds[at].path))
        return false;
    toll_sbf_build *stripped = &job->builds[at], *other = NULL;
    for (size_t i = 0; i < job->build_count; i++) {
        toll_sbf_build *build = &job->builds[i];
        if (!may_name(build, stripped))
            continue;
        if (toll_sbf_symbols_same_code(&stripped->symbols, &build->symbols)) {
            swap(stripped, build);
            return true;
        }
        if (!other)
            other = build;
    }
    if (other)
        return name_by_shape(job, stripped, other);
    toll_format_warn(job->options,
                     "%s: is stripped, and names %zu of its functions; name the unstripped file, "
                     "such as target/sbpf-solana-solana/release/NAME.so",
                     stripped->path, stripped->symbols.count);
    return true;
}

/* --- all ---------------------------------------------------------------------------------------*/

static bool choose(toll_sbf_job *job, bool (*add)(toll_sbf_job *job))
{
    size_t first = job->build_count;
    bool good = add(job);
    for (size_t i = 0; good && i < job->program_count; i++) {
        toll_sbf_program *p = &job->programs[i];
        if (p->build == TOLL_SBF_NONE)
            good = choose_by_id(job, p);
        if (good && p->build == TOLL_SBF_NONE)
            good = choose_by_code(job, p, first);
    }
    return good;
}

static bool all_have_builds(const toll_sbf_job *job)
{
    for (size_t i = 0; i < job->program_count; i++)
        if (job->programs[i].build == TOLL_SBF_NONE)
            return false;
    return true;
}

static bool is_stripped(const toll_sbf_job *job, const toll_sbf_program *p)
{
    const toll_sbf_build *build = toll_sbf_build_of(job, p);
    return build && build->symbols.is_stripped;
}

/* Does one of the first `count` programs use that build? */
static bool is_build_of(const toll_sbf_job *job, size_t count, uint32_t build)
{
    for (size_t i = 0; i < count; i++)
        if (job->programs[i].build == build)
            return true;
    return false;
}

static bool is_traced(const toll_sbf_job *job, const char *id)
{
    for (size_t i = 0; i < job->program_count; i++)
        if (strcmp(job->programs[i].id, id) == 0)
            return true;
    return false;
}

/* Warn about files that the options name and that no program uses. */
static void warn_unused(const toll_sbf_job *job)
{
    for (size_t i = 0, end; i < job->build_count; i = end) {
        const toll_sbf_build *build = &job->builds[i];
        bool is_used = build->is_used;
        for (end = i + 1;
             build->folder && end < job->build_count && job->builds[end].folder == build->folder;
             end++)
            is_used |= job->builds[end].is_used;
        if (is_used || build->is_found)
            continue;
        if (build->program_id && !is_traced(job, build->program_id))
            toll_format_warn(job->options, "%s: no trace is of program %s; its ELF %s is not used",
                             job->folder, build->program_id, build->path);
        else if (build->folder)
            toll_format_warn(job->options,
                             "%s: none of its %zu programs was traced; they are not used",
                             build->folder, end - i);
        else
            toll_format_warn(job->options,
                             "%s: is not the code of any program that was traced; it is not used",
                             build->path);
    }
}

static void warn_codeless(const toll_sbf_job *job)
{
    for (size_t i = 0; i < job->build_count; i++)
        if (job->builds[i].is_used && job->builds[i].symbols.text.size == 0)
            toll_format_warn(job->options,
                             "%s: has no code in it, so nothing tells whether it is the program "
                             "that ran; its names are believed",
                             job->builds[i].path);
}

bool toll_sbf_choose_builds(toll_sbf_job *job)
{
    bool good = choose(job, toll_sbf_read_builds);
    if (good && !all_have_builds(job))
        good = choose(job, toll_sbf_find_deployed);
    if (good && !all_have_builds(job))
        good = choose(job, toll_sbf_find_unstripped);
    warn_codeless(job);
    for (size_t i = 0; good && i < job->program_count; i++)
        if (is_stripped(job, &job->programs[i]) && !is_build_of(job, i, job->programs[i].build))
            good = name_stripped(job, job->programs[i].build);
    if (good)
        warn_unused(job);
    return good;
}
