/* fuzz_gates_code.c - fuzzes gates: suites of three labelled profiles are compared, case by case
 * and in all, held to limits, to a server's and to each other, and written as a new budget. What is
 * found is printable, or JSON, whatever the names are. The first bytes choose labels and options.
 */
#include "fuzz_profile.h"

#include "base/printable.h"
#include "gates/ci_reports.h"
#include "gates/equal.h"
#include "gates/growth.h"
#include "gates/rules_write.h"
#include "gates/server_limits.h"
#include "gates/transactions.h"
#include "gates/trials.h"

enum { OPTION_BYTES = 16, PARTS = 4 };

static toll_output *begin(const toll_allocator *a)
{
    toll_output *out;
    fuzz_require(!toll_output_to_memory(a, 0, &out, NULL), "no output");
    return out;
}

static void end(const toll_allocator *a, const char *what, toll_output *out)
{
    size_t size;
    const char *text = fuzz_text(out, &size);
    fuzz_see_output(what, out);
    fuzz_require_printable(text, size);
    if (strcmp(what, "json") == 0)
        fuzz_require_json(a, text, size);
    toll_output_free(out);
}

/* --- suites ------------------------------------------------------------------------------------*/

static toll_profile *labelled(const toll_profile *p, unsigned how)
{
    static const char *const labels[] = { "test=a",
                                          "test=b",
                                          "test=c,host=x",
                                          "test=a,transaction=1",
                                          "test=b,transaction=2",
                                          "host=y,transaction=3",
                                          "test=<&|\n",
                                          "" };
    static const toll_thread_label facts[] = { { "interpreter", "x" }, { "costs", "fuel" } };
    toll_profile *out;
    fuzz_require(!toll_profile_with_labels(p, labels[how % 8], &out, NULL), "no labels");
    for (unsigned runs = how / 8 % 4; runs; runs--)
        fuzz_require(!toll_profile_add_run(out, facts, how / 32 % 3, NULL), "no run");
    return out;
}

/* Three of the parts, from `first` on, so that two suites have parts in common. */
static toll_profile *suite(const toll_allocator *a, toll_profile *const *parts, unsigned first,
                           fuzz_bytes *b)
{
    toll_profile *sum;
    fuzz_require(!toll_profile_create(a, &sum, NULL), "no profile");
    for (unsigned i = 0; i < 3; i++) {
        toll_profile *part = labelled(parts[(first + i) % PARTS], fuzz_byte(b));
        toll_error err = { TOLL_OK, "" };
        fuzz_see_failure(toll_profile_merge(sum, part, &err), &err);
        toll_profile_free(part);
    }
    return sum;
}

/* --- comparisons -------------------------------------------------------------------------------*/

static void see_findings(const toll_allocator *a, const toll_findings *findings)
{
    toll_output *out = begin(a);
    toll_findings_put(findings, 0, out);
    toll_findings_annotate(findings, NULL, 3, out);
    toll_findings_markdown(findings, out);
    end(a, "findings", out);
}

static void see_verdicts(const toll_allocator *a, const toll_verdicts *v)
{
    toll_output *out = begin(a);
    toll_verdicts_put_junit(v, out);
    toll_verdicts_put_openmetrics(v, out);
    toll_verdicts_put_ctest(v, out);
    end(a, "verdicts", out);
    out = begin(a);
    toll_verdicts_put_code_quality(v, NULL, out);
    end(a, "json", out);
}

/* Hold the growth to limits, that of each case if there are cases. */
static void hold_growth(const toll_allocator *a, const toll_cases *cases, toll_profile *const *both,
                        const toll_profile *difference, fuzz_bytes *b)
{
    static const char *const texts[] = { "0", "+1", "1%", "0.5%", "100", "2 kB", "10 CU", "50%" };
    toll_growth_limit limits[2];
    toll_findings findings;
    toll_verdicts v;
    toll_error err = { TOLL_OK, "" };
    toll_growth_options o = { .value = cases ? cases->value.type : NULL,
                              .limits = limits,
                              .verdicts = &v };
    o.limit_count = 1 + fuzz_byte(b) % 2;
    o.by_function = !cases && fuzz_byte(b) % 2;
    o.runs = fuzz_byte(b) % 3;
    for (int i = 0; i < 2; i++)
        fuzz_require(!toll_growth_limit_parse(texts[fuzz_byte(b) % 8], &limits[i]), "no limit");
    fuzz_see_failure(toll_growth_check_default(both[0], both[1], &err), &err);
    toll_findings_init(&findings, a);
    toll_verdicts_init(&v, a, "suite", &findings);
    toll_status status = cases
                             ? toll_cases_check(cases, difference, &o, &findings, &err)
                             : toll_growth_check(both[0], both[1], difference, &o, &findings, &err);
    fuzz_see_failure(status, &err);
    if (!status) {
        see_findings(a, &findings);
        see_verdicts(a, &v);
    }
    toll_verdicts_free(&v);
    toll_findings_free(&findings);
}

static void see_cases(const toll_allocator *a, toll_cases *cases, const toll_profile *after)
{
    toll_error err = { TOLL_OK, "" };
    fuzz_see_failure(toll_cases_add_transactions(cases, after, &err), &err);
    toll_output *out = begin(a);
    toll_cases_put(cases, out);
    toll_cases_put_notes(cases, out);
    toll_cases_markdown(cases, out);
    end(a, "cases", out);
    out = begin(a);
    toll_cases_json(cases, out);
    end(a, "json", out);
}

static void compare_cases(const toll_allocator *a, toll_profile *const *suites, fuzz_bytes *b)
{
    static const char *const keys[] = { "test", "test,root", "thread", "host,test" };
    toll_profile *both[2] = { NULL, NULL }, *difference = NULL;
    toll_error err = { TOLL_OK, "" };
    toll_cases cases = { .count = 0 };
    toll_cases_options o = { .by = keys[fuzz_byte(b) % 4] };
    o.value = fuzz_byte(b) % 3 ? NULL : "ticks";
    o.sort = (toll_cases_sort)(fuzz_byte(b) % 3);
    o.rows = fuzz_byte(b) % 4;
    o.hides_gone = fuzz_byte(b) % 2;
    bool is_one = fuzz_byte(b) % 4 == 0;
    toll_status status = toll_profile_group_by(suites[0], o.by, &both[0], &err);
    if (!status)
        status = toll_profile_group_by(suites[1], o.by, &both[1], &err);
    if (!status)
        status = toll_profile_diff(both[0], both[1], &difference, &err);
    if (!status) {
        status = toll_cases_create(&cases, is_one ? NULL : both[0], both[1], &o, &err);
        if (!status)
            see_cases(a, &cases, both[1]);
        if (!status && !is_one)
            hold_growth(a, &cases, both, difference, b);
        hold_growth(a, NULL, both, difference, b);
        toll_cases_free(&cases);
    }
    fuzz_see_failure(status, &err);
    toll_profile_free(both[0]);
    toll_profile_free(both[1]);
    toll_profile_free(difference);
}

/* --- one suite ---------------------------------------------------------------------------------*/

static void hold_limits(const toll_allocator *a, const toll_profile *p, unsigned how)
{
    size_t count, size;
    toll_error err = { TOLL_OK, "" };
    toll_findings findings;
    toll_limits limits;
    const toll_server_limit *rows =
        toll_server_limits(how & 1 ? "parca" : "pyroscope", &count, &err);
    toll_output *pprof = fuzz_write(a, p, "pprof");
    if (!pprof)
        return;
    const void *data = toll_output_data(pprof, &size);
    toll_findings_init(&findings, a);
    toll_status status = toll_limits_measure(&limits, a, rows, count, data, size, how * 60, &err);
    fuzz_see_failure(status, &err);
    if (!status) {
        toll_output *out = begin(a);
        toll_limits_put(&limits, out);
        end(a, "limits", out);
        toll_limits_find(&limits, p, "p.pb.gz", &findings);
        see_findings(a, &findings);
    }
    toll_findings_free(&findings);
    toll_limits_free(&limits);
    toll_output_free(pprof);
}

/* A new budget, with the profile's values. */
static void start_budget(const toll_allocator *a, const toll_profile *p, unsigned how)
{
    toll_rules_start start = { .functions = how % 5, .by_root = how / 8 % 2 };
    toll_buffer text;
    toll_error err = { TOLL_OK, "" };
    toll_buffer_init(&text, a);
    toll_status status = toll_rules_start_text(p, &start, &text, &err);
    fuzz_see_failure(status, &err);
    if (!status)
        fuzz_see("budgets", text.data, text.size);
    toll_buffer_free(&text);
}

static void see_transactions(const toll_allocator *a, const toll_profile *p, unsigned how)
{
    static const char *const margins[] = { "0", "10%", "1000", "0.5%" };
    toll_allowance margin;
    toll_transactions t;
    toll_error err = { TOLL_OK, "" };
    fuzz_require(!toll_allowance_parse(margins[how % 4], strlen(margins[how % 4]), &margin),
                 "no margin");
    toll_status status = toll_transactions_create(&t, p, &margin, &err);
    fuzz_see_failure(status, &err);
    if (!status) {
        toll_output *out = begin(a);
        toll_transactions_put(&t, out);
        toll_transactions_markdown(&t, out);
        end(a, "transactions", out);
    }
    toll_transactions_free(&t);
}

/* --- runs --------------------------------------------------------------------------------------*/

static void compare_runs(const toll_allocator *a, toll_profile *const *parts, fuzz_bytes *b)
{
    toll_trials trials;
    toll_error err = { TOLL_OK, "" };
    uint32_t most = 1 + fuzz_byte(b) % 8;
    toll_status status = toll_trials_init(&trials, a, most, &err);
    for (uint32_t i = 0; !status && i < 2 * most; i++) {
        toll_profile *p = NULL;
        toll_trial_cost cost = { .wall_ns = 1000 * fuzz_byte(b) };
        cost.cpu_ns = 900 * fuzz_byte(b);
        unsigned which = fuzz_byte(b);
        if (which & 1)
            fuzz_require(!toll_profile_copy(parts[i % 2], &p, NULL), "no copy");
        status = toll_trials_add(&trials, i % 2 ? TOLL_TRIAL_B : TOLL_TRIAL_A, cost, p, &err);
    }
    if (!status)
        status = toll_trials_end(&trials, &err);
    fuzz_see_failure(status, &err);
    if (!status && toll_trials_judge(&trials)) {
        toll_output *out = begin(a);
        trials.commands[TOLL_TRIAL_A] = "sh -c \"x\"", trials.commands[TOLL_TRIAL_B] = "y|`";
        toll_trials_put(&trials, fuzz_byte(b) % 4, out);
        toll_trials_markdown(&trials, fuzz_byte(b) % 4, out);
        end(a, "trials", out);
        out = begin(a);
        toll_trials_json(&trials, 0, out);
        end(a, "json", out);
    }
    toll_trials_free(&trials);
}

/* What is equal in several runs; the first one's profile becomes the list's. */
static void hold_equal(const toll_allocator *a, toll_profile *const *parts, unsigned how)
{
    toll_equal equal;
    toll_findings findings;
    toll_profile *first;
    toll_error err = { TOLL_OK, "" };
    toll_equal_init(&equal, a);
    toll_findings_init(&findings, a);
    fuzz_require(!toll_profile_copy(parts[0], &first, NULL), "no copy");
    toll_status status = toll_equal_add(&equal, first, &err);
    for (unsigned i = 0; !status && i < how % 3; i++)
        status = toll_equal_add(&equal, parts[i], &err);
    fuzz_see_failure(status, &err);
    if (!status) {
        toll_output *out = begin(a);
        toll_equal_put(&equal, out);
        end(a, "equal", out);
        fuzz_see_failure(toll_equal_check(&equal, NULL, &findings, &err), &err);
        see_findings(a, &findings);
    }
    if (first != equal.first)
        toll_profile_free(first);
    toll_findings_free(&findings);
    toll_equal_free(&equal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *parts[PARTS], *suites[2];
    size_t head = size < 4 * OPTION_BYTES ? size : 4 * OPTION_BYTES;
    fuzz_bytes b = fuzz_part(data, head, 0, 1);
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = fuzz_profile(&a, fuzz_part(data + head, size - head, i, PARTS));
    suites[0] = suite(&a, parts, 0, &b);
    suites[1] = suite(&a, parts, fuzz_byte(&b) % 2, &b);
    compare_cases(&a, suites, &b);
    hold_limits(&a, suites[1], fuzz_byte(&b));
    start_budget(&a, suites[1], fuzz_byte(&b));
    see_transactions(&a, suites[1], fuzz_byte(&b));
    hold_equal(&a, parts, fuzz_byte(&b));
    compare_runs(&a, parts, &b);
    for (size_t i = 0; i < PARTS; i++)
        toll_profile_free(parts[i]);
    toll_profile_free(suites[0]);
    toll_profile_free(suites[1]);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
