/* fuzz_report_code.c - fuzzes reports with every option, of a profile that was changed by some of
 * what `toll report` may do to it: no change but those of "calls" and of the time loses or invents
 * a value; texts are printable, whatever the names are. The first bytes choose options and changes.
 */
#include "fuzz_profile.h"

enum { OPTION_BYTES = 8, CHANGES = 3 };

/* --- changes -----------------------------------------------------------------------------------*/

typedef toll_status (*change_fn)(const toll_profile *p, unsigned how, toll_profile **out,
                                 toll_error *err);

static toll_status filter(const toll_profile *p, unsigned how, toll_profile **out, toll_error *err)
{
    toll_filter f = { .size = sizeof f };
    f.focus = how & 1 ? "main|f|app" : NULL;
    f.ignore = how & 2 ? "^g$|b>" : NULL;
    f.thread = how & 4 ? "." : NULL;
    f.where = how & 8 ? "test=a" : NULL;
    return toll_profile_filter(p, &f, out, err);
}

static toll_status label(const toll_profile *p, unsigned how, toll_profile **out, toll_error *err)
{
    static const char *const labels[] = { "test=a", "test=b,host=x", "host=y,host=x,a=\"&<",
                                          "run=1\nhost=a,b" };
    return toll_profile_with_labels(p, labels[how % 4], out, err);
}

static toll_status group(const toll_profile *p, unsigned how, toll_profile **out, toll_error *err)
{
    static const char *const keys[] = { "test", "thread", "root,host", "host,thread" };
    return toll_profile_group_by(p, keys[how % 4], out, err);
}

static toll_status recursion(const toll_profile *p, unsigned how, toll_profile **out,
                             toll_error *err)
{
    return how & 1 ? toll_profile_fold_recursion(p, out, err)
                   : toll_profile_use_system_names(p, out, err);
}

static toll_status fold(const toll_profile *p, unsigned how, toll_profile **out, toll_error *err)
{
    switch (how % 5) {
    case 0: return toll_profile_fold_sections(p, out, err);
    case 1: return toll_profile_fold_places(p, out, err);
    case 2: return toll_profile_fold_inlined(p, out, err);
    case 3: return toll_profile_fold_threads(p, out, err);
    default: return toll_profile_fold_depth(p, how % 4, out, err);
    }
}

static toll_status prune(const toll_profile *p, unsigned how, toll_profile **out, toll_error *err)
{
    return how ? toll_profile_prune_share(p, how / 512.0, out, err)
               : toll_profile_prune(p, out, err);
}

static toll_status sites(const toll_profile *p, unsigned how, toll_profile **out, toll_error *err)
{
    static const char *const more[] = { "f", "ns::f<T,U>", NULL };
    return toll_profile_by_call_site(p, how & 1 ? more : NULL, out, err);
}

/* Without what notes say that the profiler took. */
static toll_status overhead(const toll_profile *p, unsigned how, toll_profile **out,
                            toll_error *err)
{
    static const char *const notes[] = { TOLL_NOTE_CLOCK,
                                         TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED,
                                         TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED_NATIVE,
                                         TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS,
                                         TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS_OF_NATIVE,
                                         TOLL_NOTE_RECORDING TOLL_RECORDING_LINES,
                                         TOLL_NOTE_TIME_SAMPLED,
                                         TOLL_NOTE_NOT_IN_TIME };
    toll_profile *noted;
    toll_status status = toll_profile_copy(p, &noted, err);
    for (unsigned i = 0; !status && i < 8; i++)
        if (how >> i & 1)
            status = toll_profile_add_note(noted, notes[i], 1 + how * i, err);
    if (!status)
        status = toll_profile_without_overhead(noted, out, err);
    toll_profile_free(noted);
    return status;
}

/* Sums of columns stay, unless the change is said to alter them. */
static void hold_sums(const toll_profile *p, const toll_profile *changed)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++) {
        toll_value_type type = toll_profile_column(p, c);
        uint32_t column = toll_profile_find_value_type(changed, type);
        if (strcmp(type.type, "calls") != 0 && strcmp(type.type, "time") != 0)
            fuzz_require((column == TOLL_NONE ? 0 : fuzz_sum(changed, column)) == fuzz_sum(p, c),
                         "another sum");
    }
}

static toll_profile *change(toll_profile *p, fuzz_bytes *b)
{
    static const change_fn changes[] = { filter, label, group, recursion,
                                         fold,   prune, sites, overhead };
    for (int i = 0; i < CHANGES; i++) {
        unsigned which = fuzz_byte(b) % 16, how = fuzz_byte(b);
        toll_profile *changed;
        toll_error err = { TOLL_OK, "" };
        if (which >= sizeof changes / sizeof *changes)
            continue;
        toll_status status = changes[which](p, how, &changed, &err);
        fuzz_see_failure(status, &err);
        if (status)
            continue;
        status = toll_profile_check(changed, 0, &err);
        fuzz_require(status == TOLL_OK || status == TOLL_E_OVERFLOW || status == TOLL_E_NOMEM,
                     "an unsound profile");
        if (changes[which] != filter)
            hold_sums(p, changed);
        toll_profile_free(p);
        p = changed;
    }
    return p;
}

/* --- reports -----------------------------------------------------------------------------------*/

static void hold_report(const toll_allocator *a, const char *what, fuzz_report_fn report,
                        const toll_profile *p, const toll_report_options *o)
{
    toll_output *out;
    size_t size;
    toll_error err = { TOLL_OK, "" };
    fuzz_require(!toll_output_to_memory(a, 0, &out, NULL), "no output");
    toll_status status = report(p, o, out, &err);
    fuzz_see_failure(status, &err);
    if (!status) {
        const char *text = fuzz_text(out, &size);
        fuzz_see_output(what, out);
        if (!o->color)
            fuzz_require_printable(text, size);
    }
    toll_output_free(out);
}

static void hold_flame(const toll_allocator *a, const toll_profile *p, toll_flame_options *o)
{
    toll_output *out;
    size_t size;
    toll_error err = { TOLL_OK, "" };
    fuzz_require(!toll_output_to_memory(a, 0, &out, NULL), "no output");
    toll_status status = toll_report_flame(p, o, out, &err);
    fuzz_see_failure(status, &err);
    if (!status) {
        const char *text = fuzz_text(out, &size);
        fuzz_see_output("flame", out);
        if (!o->colors)
            fuzz_require_printable(text, size);
    }
    toll_output_free(out);
}

static const char *value_of(unsigned byte)
{
    static const char *const values[] = { NULL, "ticks", "time", "calls", "inuse_space", "none" };
    return values[byte % 8 < 6 ? byte % 8 : 0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    size_t head = size < OPTION_BYTES + 2 * CHANGES ? size : OPTION_BYTES + 2 * CHANGES;
    fuzz_bytes b = fuzz_part(data, head, 0, 1);
    toll_report_options o = { .size = sizeof o, .value = value_of(fuzz_byte(&b)) };
    o.sort = (toll_report_sort)(fuzz_byte(&b) % 4);
    o.rows = fuzz_byte(&b) % 8;
    unsigned flags = fuzz_byte(&b);
    o.color = flags & 1, o.short_names = flags >> 1 & 1, o.by_category = flags >> 2 & 1;
    o.keep_outside = flags >> 3 & 1;
    o.links = flags & 16 ? "https://example.org/" : NULL;
    toll_flame_options flame = { .size = sizeof flame, .value = o.value, .rows = o.rows };
    flame.width = 20 + fuzz_byte(&b);
    flame.colors = (toll_colors)(fuzz_byte(&b) % 3);
    flame.short_names = o.short_names, flame.keep_outside = o.keep_outside;
    toll_profile *p = fuzz_profile(&a, fuzz_part(data + head, size - head, 0, 1));
    if (flags & 32)
        toll_profile_add_comment(p, "made by \"x\"", NULL);
    if (flags & 64)
        toll_profile_add_run(p, &(toll_thread_label){ "engine", "a;b" }, flags >> 7, NULL);
    p = change(p, &b);
    hold_report(&a, "top", toll_report_top, p, &o);
    hold_report(&a, "tree", toll_report_tree, p, &o);
    hold_report(&a, "json", toll_report_json, p, &o);
    hold_report(&a, "markdown", toll_report_markdown, p, &o);
    hold_flame(&a, p, &flame);
    toll_profile_free(p);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
