/* sbf_builds.c - chooses the file that has the names of each traced program. See sbf_programs.h.
 *
 * A file belongs to a program if the options say so, or if every instruction that ran is in it, at
 * the same address; if files with different code match, none is used. A stripped file gets the
 * names of an unstripped file of the same name: all names if the code is the same (its twin), else
 * the names of the functions that have the same code in both. */
#include "base/os.h"
#include "sbf/sbf_programs.h"
#include "sbf/sbf_shape.h"

#include <string.h>

const toll_sbf_build *toll_sbf_build_of(const toll_sbf_programs *all,
                                        const toll_sbf_program *program)
{
    return program->build == TOLL_SBF_NONE ? NULL : &all->builds[program->build];
}

static void use(toll_sbf_programs *all, toll_sbf_program *p, size_t build)
{
    p->build = (uint32_t)build;
    all->builds[build].is_used = true;
}

/* --- by the code that ran ----------------------------------------------------------------------*/

static bool has_run(toll_sbf_programs *all, const toll_sbf_program *p, const toll_sbf_symbols *code,
                    bool *out)
{
    *out = false;
    return code->text.size == 0 || all->has_run(all->user, p, code, out);
}

/* Of two files with the same code, is `a` the one with more names? */
static bool is_better(const toll_sbf_build *a, const toll_sbf_build *b)
{
    return !a->symbols.is_stripped && b->symbols.is_stripped;
}

static void warn_several(const toll_sbf_programs *all, const toll_sbf_program *p, size_t a,
                         size_t b)
{
    toll_format_warn(all->options,
                     "what ran of %s is in both %s and %s, whose code is not the same; say which "
                     "it is: --elf %s=FILE",
                     p->id, all->builds[a].path, all->builds[b].path, p->id);
}

/* Choose among the builds [first, end) that have no ID. */
static bool choose_by_code(toll_sbf_programs *all, toll_sbf_program *p, size_t first, size_t end)
{
    size_t best = TOLL_SBF_NONE;
    for (size_t i = first; i < end; i++) {
        const toll_sbf_build *build = &all->builds[i];
        bool is_it = false;
        if (build->program_id)
            continue;
        if (!has_run(all, p, &build->symbols, &is_it))
            return false;
        if (!is_it)
            continue;
        if (best != TOLL_SBF_NONE &&
            !toll_sbf_symbols_same_code(&all->builds[best].symbols, &build->symbols)) {
            warn_several(all, p, best, i);
            return true;
        }
        if (best == TOLL_SBF_NONE || is_better(build, &all->builds[best]))
            best = i;
    }
    if (best != TOLL_SBF_NONE)
        use(all, p, best);
    return true;
}

/* --- by the ID ---------------------------------------------------------------------------------*/

static bool has_id(const toll_sbf_build *build, const toll_sbf_program *p)
{
    return build->program_id && strcmp(build->program_id, p->id) == 0;
}

/* Choose among several files for the program the first whose code ran. If none fits, choose the
 * first: the error names it. */
static bool choose_by_id(toll_sbf_programs *all, toll_sbf_program *p)
{
    size_t count = 0, first = 0;
    bool is_it = false;
    for (size_t i = all->build_count; i-- > 0;)
        if (has_id(&all->builds[i], p)) {
            first = i;
            count++;
        }
    if (count > 0)
        use(all, p, first);
    for (size_t i = first; count > 1 && !is_it && i < all->build_count; i++) {
        if (!has_id(&all->builds[i], p))
            continue;
        if (!has_run(all, p, &all->builds[i].symbols, &is_it))
            return false;
        if (is_it)
            use(all, p, i);
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

static bool name_by_shape(toll_sbf_programs *all, toll_sbf_build *stripped, toll_sbf_build *build)
{
    toll_sbf_shapes shapes;
    if (!toll_sbf_shapes_add(&stripped->symbols, &build->symbols, &shapes))
        return toll_no_memory(all->failure);
    build->is_used = true;
    toll_format_warn(all->options,
                     "%s: is stripped, and %s is another build; %zu of its %zu functions have the "
                     "same code in both and give it their names",
                     stripped->path, build->path, shapes.found, shapes.functions);
    return true;
}

static bool name_stripped(toll_sbf_programs *all, size_t at)
{
    if (!toll_sbf_find_twins(all, all->builds[at].path))
        return false;
    toll_sbf_build *stripped = &all->builds[at], *other = NULL;
    for (size_t i = 0; i < all->build_count; i++) {
        toll_sbf_build *build = &all->builds[i];
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
        return name_by_shape(all, stripped, other);
    toll_format_warn(all->options,
                     "%s: is stripped, and names %zu of its functions; name the unstripped file, "
                     "such as target/sbpf-solana-solana/release/NAME.so",
                     stripped->path, stripped->symbols.count);
    return true;
}

/* --- a program ---------------------------------------------------------------------------------*/

/* Search for files once: what is listed stays. */
static bool search(toll_sbf_programs *all, size_t stage)
{
    bool (*const add[TOLL_SBF_STAGES])(toll_sbf_programs *) = { toll_sbf_read_builds,
                                                                toll_sbf_find_deployed,
                                                                toll_sbf_find_unstripped };
    if (stage < all->stage_count)
        return true;
    all->stages[stage].first = all->build_count;
    bool good = add[stage](all);
    all->stages[stage].end = all->build_count;
    all->stage_count = stage + 1;
    return good;
}

static bool choose(toll_sbf_programs *all, toll_sbf_program *p)
{
    bool good = true;
    for (size_t i = 0; good && i < TOLL_SBF_STAGES && p->build == TOLL_SBF_NONE; i++) {
        good = search(all, i) && choose_by_id(all, p);
        if (good && p->build == TOLL_SBF_NONE)
            good = choose_by_code(all, p, all->stages[i].first, all->stages[i].end);
    }
    return good;
}

/* Does one of the first `count` programs use that build? */
static bool is_build_of(const toll_sbf_programs *all, size_t count, uint32_t build)
{
    for (size_t i = 0; i < count; i++)
        if (all->list[i].build == build)
            return true;
    return false;
}

/* Find names for the program if its file is stripped, and was not looked at for an earlier one. */
static bool name_program(toll_sbf_programs *all, uint32_t program)
{
    const toll_sbf_build *build = toll_sbf_build_of(all, &all->list[program]);
    return !build || !build->symbols.is_stripped ||
           is_build_of(all, program, all->list[program].build) ||
           name_stripped(all, all->list[program].build);
}

bool toll_sbf_choose_build(toll_sbf_programs *all, uint32_t program)
{
    return choose(all, &all->list[program]) && name_program(all, program);
}

/* --- all ---------------------------------------------------------------------------------------*/

static bool is_traced(const toll_sbf_programs *all, const char *id)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].id, id) == 0)
            return true;
    return false;
}

/* Warn about files that the options name and that no program uses. */
static void warn_unused(const toll_sbf_programs *all, const char *folder)
{
    for (size_t i = 0, end; i < all->build_count; i = end) {
        const toll_sbf_build *build = &all->builds[i];
        bool is_used = build->is_used;
        for (end = i + 1;
             build->folder && end < all->build_count && all->builds[end].folder == build->folder;
             end++)
            is_used |= all->builds[end].is_used;
        if (is_used || build->is_found)
            continue;
        if (build->program_id && !is_traced(all, build->program_id))
            toll_format_warn(all->options, "%s: no trace is of program %s; its ELF %s is not used",
                             folder, build->program_id, build->path);
        else if (build->folder)
            toll_format_warn(all->options,
                             "%s: none of its %zu programs was traced; they are not used",
                             build->folder, end - i);
        else
            toll_format_warn(all->options,
                             "%s: is not the code of any program that was traced; it is not used",
                             build->path);
    }
}

static void warn_codeless(const toll_sbf_programs *all)
{
    for (size_t i = 0; i < all->build_count; i++)
        if (all->builds[i].is_used && all->builds[i].symbols.text.size == 0)
            toll_format_warn(all->options,
                             "%s: has no code in it, so nothing tells whether it is the program "
                             "that ran; its names are believed",
                             all->builds[i].path);
}

bool toll_sbf_choose_builds(toll_sbf_programs *all, const char *folder)
{
    bool good = true;
    for (uint32_t i = 0; good && i < all->count; i++)
        good = choose(all, &all->list[i]);
    warn_codeless(all);
    for (uint32_t i = 0; good && i < all->count; i++)
        good = name_program(all, i);
    if (good)
        warn_unused(all, folder);
    return good;
}
