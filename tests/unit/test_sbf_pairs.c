/* test_sbf_pairs.c - finds the trace of each invocation: random traces and logs are compared with a
 * simple model that examines each trace for each invocation. The work must not grow like that of
 * the model. */
#include "support.h"

#include "sbf/sbf_job.h"

enum { PROGRAMS = 3, MOST = 24 };

#define SYSTEM "11111111111111111111111111111111" /* built-in: 150 units */

static const char *const ids[PROGRAMS + 2] = { "A", "B", "C", "never traced", SYSTEM };

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % n;
}

/* --- the model ---------------------------------------------------------------------------------*/

static bool model_fits(const toll_sbf_job *job, const toll_sbf_trace *t, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    const toll_solana_spent *s = &at->spent;
    uint64_t uncharged = !s->failed ? 0 : s->total == s->budget ? 10000 : 1;
    if (!s->is_logged || t->instructions > toll_sbf_own(at) + uncharged ||
        strcmp(job->programs.list[t->program].id, toll_sbf_logs_program(&job->logs, invocation)) !=
            0)
        return false;
    if (t->end != TOLL_SBF_RETURNED && !s->failed)
        return false;
    if (t->syscalls == 0 && !s->failed)
        return t->instructions == toll_sbf_own(at) && at->children == 0;
    return t->invokes == at->children || (s->failed && t->invokes == at->children + 1);
}

/* Negative: a fits better; 0: both fit equally well. */
static int model_compare(const toll_sbf_trace *a, const toll_sbf_trace *b,
                         const toll_sbf_invocation *at, uint64_t children)
{
    uint64_t a_least = a->instructions + a->least + children;
    uint64_t b_least = b->instructions + b->least + children;
    bool is_unsupported = at->spent.end == SOLANA_END_UNSUPPORTED;
    bool a_pays = a_least <= toll_sbf_own(at) + (is_unsupported && a->end != TOLL_SBF_RETURNED);
    bool b_pays = b_least <= toll_sbf_own(at) + (is_unsupported && b->end != TOLL_SBF_RETURNED);
    bool a_logs = a->logs == at->log_lines, b_logs = b->logs == at->log_lines;
    if (a_pays != b_pays)
        return a_pays ? -1 : 1;
    if (a_logs != b_logs)
        return a_logs ? -1 : 1;
    if (a_least != b_least)
        return (a_least > b_least) == a_pays ? -1 : 1;
    return 0;
}

static uint32_t model_best(toll_sbf_job *job, uint32_t invocation)
{
    const toll_sbf_invocation *at = &job->logs.list[invocation];
    uint64_t children = 0;
    uint32_t best = TOLL_SBF_NONE;
    bool has_equal = false;
    for (uint32_t c = at->first_child; c != TOLL_SBF_NONE; c = job->logs.list[c].next)
        children += toll_sbf_builtin_price(job, c);
    for (uint32_t i = 0; i < job->trace_count; i++) {
        const toll_sbf_trace *t = &job->traces[i];
        if (!model_fits(job, t, invocation))
            continue;
        int order = best == TOLL_SBF_NONE ? -1 : model_compare(t, &job->traces[best], at, children);
        has_equal = order == 0 || (has_equal && order > 0);
        if (order < 0 || (order == 0 && t->used < job->traces[best].used))
            best = i;
    }
    job->alike += has_equal;
    return best;
}

static void model_match(toll_sbf_job *job, uint32_t *matches)
{
    job->alike = 0;
    for (size_t i = 0; i < job->trace_count; i++)
        job->traces[i].used = 0;
    for (uint32_t i = 0; i < job->logs.count; i++) {
        matches[i] = model_best(job, i);
        if (matches[i] != TOLL_SBF_NONE)
            job->traces[matches[i]].used++;
    }
}

/* Give an unused trace the invocation with the fewest units, of those whose trace others have. */
static bool model_find_use(toll_sbf_job *job, uint32_t trace, uint32_t *matches)
{
    const toll_sbf_invocation *list = job->logs.list;
    uint32_t best = TOLL_SBF_NONE;
    for (uint32_t i = 0; i < job->logs.count; i++)
        if (matches[i] != TOLL_SBF_NONE && job->traces[matches[i]].used > 1 &&
            model_fits(job, &job->traces[trace], i) &&
            (best == TOLL_SBF_NONE || toll_sbf_own(&list[i]) < toll_sbf_own(&list[best])))
            best = i;
    if (best == TOLL_SBF_NONE)
        return false;
    job->traces[matches[best]].used--;
    job->traces[trace].used++;
    matches[best] = trace;
    return true;
}

/* Whether every trace has got an invocation. */
static bool model(toll_sbf_job *job, uint32_t *matches)
{
    bool used = true;
    model_match(job, matches);
    for (uint32_t i = 0; used && i < job->trace_count; i++)
        used = job->traces[i].used > 0 || model_find_use(job, i, matches);
    if (!used)
        model_match(job, matches);
    return used;
}

/* --- random traces and logs --------------------------------------------------------------------*/

static toll_sbf_job make_job(const toll_allocator *allocator, size_t traces, size_t invocations)
{
    toll_sbf_job job = { .mem = toll_mem_from(allocator), .trace_count = traces };
    toll_mem own = toll_mem_from(NULL);
    toll_sbf_logs_init(&job.logs, &own);
    job.logs.count = invocations;
    job.logs.list = calloc(invocations, sizeof *job.logs.list);
    job.traces = calloc(traces, sizeof *job.traces);
    job.matches = calloc(invocations, sizeof *job.matches);
    job.traced = calloc(invocations, sizeof *job.traced);
    job.fits = calloc(invocations, sizeof *job.fits);
    job.programs.list = calloc(PROGRAMS, sizeof *job.programs.list);
    job.programs.count = PROGRAMS;
    assert_true(job.logs.list && job.traces && job.matches && job.traced && job.fits &&
                job.programs.list);
    for (size_t i = 0; i < traces; i++)
        job.traces[i].shape = i; /* all differ */
    for (uint32_t i = 0; i < PROGRAMS; i++)
        job.programs.list[i].id = ids[i];
    return job;
}

static void free_job(toll_sbf_job *job)
{
    free(job->logs.list);
    job->logs.list = NULL;
    job->logs.capacity = 0;
    toll_sbf_logs_free(&job->logs);
    free(job->traces);
    free(job->matches);
    free(job->traced);
    free(job->fits);
    free(job->programs.list);
}

static void add_to_caller(toll_sbf_logs *logs, uint32_t child, uint32_t caller)
{
    toll_sbf_invocation *parent = &logs->list[caller];
    logs->list[child].parent = caller;
    if (parent->children++ == 0)
        parent->first_child = child;
    else
        logs->list[parent->last_child].next = child;
    parent->last_child = child;
}

/* Few different figures, so that much fits, and equally well; failures with and without units left,
 * and built-in callees. */
static void set_invocation(toll_sbf_job *job, uint32_t i, uint64_t *seed, uint32_t figures)
{
    toll_sbf_invocation *at = &job->logs.list[i];
    const char *id = ids[random_below(seed, PROGRAMS + 2)];
    bool is_builtin = strcmp(id, SYSTEM) == 0;
    uint32_t callers = random_below(seed, 2);
    *at = (toll_sbf_invocation){ .program = toll_strtab_add(&job->logs.strings, id, strlen(id)),
                                 .parent = TOLL_SBF_NONE,
                                 .first_child = TOLL_SBF_NONE,
                                 .last_child = TOLL_SBF_NONE,
                                 .next = TOLL_SBF_NONE,
                                 .log_lines = random_below(seed, 3) };
    at->spent = (toll_solana_spent){ .is_logged = !is_builtin && random_below(seed, 8) > 0,
                                     .finished = random_below(seed, 8) > 0,
                                     .failed = random_below(seed, 3) == 0,
                                     .self = random_below(seed, figures),
                                     .budget = 10 * figures };
    at->spent.end = SOLANA_END_OTHER;
    if (!is_builtin && at->spent.failed && random_below(seed, 2))
        at->spent.end = SOLANA_END_UNSUPPORTED;
    if (random_below(seed, 4) == 0)
        at->spent.self += 150 * random_below(seed, 3);
    if (random_below(seed, 60) == 0)
        at->spent.self += 10 * figures;
    at->spent.total = random_below(seed, 4) ? at->spent.self : at->spent.budget;
    if (i > 0 && callers)
        add_to_caller(&job->logs, i, random_below(seed, i));
}

static void set_trace(toll_sbf_job *job, uint32_t i, uint64_t *seed, uint32_t figures)
{
    toll_sbf_trace *t = &job->traces[i];
    t->program = random_below(seed, PROGRAMS);
    t->instructions = 1 + random_below(seed, figures);
    if (random_below(seed, 12) == 0)
        t->instructions += random_below(seed, 12000);
    t->syscalls = random_below(seed, 4);
    t->invokes = t->syscalls ? random_below(seed, t->syscalls + 1) : 0;
    t->logs = t->syscalls ? random_below(seed, 3) : 0;
    t->least = t->syscalls ? random_below(seed, figures) : 0;
    t->end = random_below(seed, 3) ? TOLL_SBF_RETURNED : TOLL_SBF_STOPPED_IN_SYSCALL;
}

static toll_sbf_job random_job(const toll_allocator *allocator, uint64_t *seed)
{
    uint32_t figures = 2 + random_below(seed, random_below(seed, 2) ? 6 : 300);
    toll_sbf_job job =
        make_job(allocator, 1 + random_below(seed, MOST), 1 + random_below(seed, 2 * MOST));
    for (uint32_t i = 0; i < job.logs.count; i++)
        set_invocation(&job, i, seed, figures);
    for (uint32_t i = 0; i < job.trace_count; i++)
        set_trace(&job, i, seed, figures);
    return job;
}

/* So that each trace may get one: every invocation is of the first program and did not fail. */
static void make_plain(toll_sbf_job *job, uint64_t *seed)
{
    for (uint32_t i = 0; i < job->logs.count; i++) {
        toll_sbf_invocation *at = &job->logs.list[i];
        at->program = toll_strtab_add(&job->logs.strings, ids[0], 1);
        at->spent.is_logged = true;
        at->spent.failed &= random_below(seed, 4) == 0;
    }
    for (uint32_t i = 0; i < job->trace_count; i++) {
        toll_sbf_trace *t = &job->traces[i];
        const toll_sbf_invocation *at =
            &job->logs.list[random_below(seed, (uint32_t)job->logs.count)];
        t->program = 0;
        t->end = TOLL_SBF_RETURNED;
        t->syscalls = 1 + at->children;
        t->invokes = at->children;
        t->instructions = at->spent.self > 1 ? (uint64_t)at->spent.self - 1 : 1;
    }
}

/* Whether every trace has got an invocation. */
static bool expect_as_model(toll_sbf_job *job)
{
    uint32_t matches[2 * MOST], used[MOST];
    bool all = model(job, matches);
    uint64_t alike = job->alike;
    for (uint32_t i = 0; i < job->trace_count; i++)
        used[i] = job->traces[i].used;
    job->alike = 0;
    assert_true(toll_sbf_pair(job));
    assert_memory_equal(job->matches, matches, job->logs.count * sizeof *matches);
    for (uint32_t i = 0; i < job->trace_count; i++)
        assert_int_equal(job->traces[i].used, used[i]);
    assert_int_equal(job->alike, alike);
    return all;
}

static void test_sbf_pairs_are_those_of_a_plain_search(void **state)
{
    enum { ROUNDS = 20000 };
    uint64_t seed = 1;
    size_t complete = 0, matched = 0, alike = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        toll_sbf_job job = random_job(NULL, &seed);
        if (round % 2)
            make_plain(&job, &seed);
        complete += expect_as_model(&job);
        alike += job.alike > 0;
        for (uint32_t i = 0; i < job.logs.count; i++)
            matched += job.matches[i] != TOLL_SBF_NONE;
        free_job(&job);
    }
    assert_true(complete > ROUNDS / 20 && complete < ROUNDS / 2); /* both cases are there */
    assert_true(alike > ROUNDS / 20 && matched > ROUNDS);
}

/* --- how much work -----------------------------------------------------------------------------*/

/* `shape` 0: traces of many lengths that fit every longer invocation; 1: all traces fit all
 * invocations equally well; 2: all invocations have one trace, and many others that fit it are
 * unused; 3: no trace is as cheap as what was spent. */
static uint64_t count_looks(uint32_t traces, uint32_t shape)
{
    uint32_t invocations = shape == 2 ? 2 * traces : traces / 2;
    toll_sbf_job job = make_job(NULL, traces, invocations);
    uint32_t name = toll_strtab_add(&job.logs.strings, ids[0], 1);
    for (uint32_t i = 0; i < invocations; i++)
        job.logs.list[i] = (toll_sbf_invocation){
            .program = name,
            .first_child = TOLL_SBF_NONE,
            .log_lines = 1,
            .spent = { .is_logged = true, .self = shape == 1 || shape == 2 ? 2 * traces : 2 * i }
        };
    for (uint32_t i = 0; i < traces; i++)
        job.traces[i] = (toll_sbf_trace){ .instructions = shape == 1 ? 1 : 1 + i,
                                          .least = shape == 3 ? 10 * traces : 0,
                                          .syscalls = 1,
                                          .logs = 1 };
    assert_true(toll_sbf_pair(&job));
    uint64_t looks = job.looks;
    assert_true(looks > 0);
    free_job(&job);
    return looks;
}

static void test_sbf_pairs_are_found_in_near_linear_time(void **state)
{
    enum { FEW = 2000, TIMES = 16, MOST_LOOKS = 400 };
    (void)state;
    for (uint32_t shape = 0; shape < 4; shape++) {
        uint64_t few = count_looks(FEW, shape), many = count_looks(TIMES * FEW, shape);
        assert_true(many < 2 * TIMES * few);
        assert_true(many < (uint64_t)MOST_LOOKS * TIMES * FEW);
    }
}

/* --- memory ------------------------------------------------------------------------------------*/

static toll_status pair_all(const toll_allocator *a, void *user)
{
    uint64_t seed = *(uint64_t *)user;
    toll_sbf_job job = random_job(a, &seed);
    bool good = toll_sbf_pair(&job);
    toll_status status = job.failure.status;
    assert_int_equal(good, status == TOLL_OK);
    free_job(&job);
    return status;
}

static void test_sbf_pairs_every_allocation_may_fail(void **state)
{
    uint64_t seed = 7;
    (void)state;
    test_every_allocation(pair_all, &seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_pairs_are_those_of_a_plain_search),
        cmocka_unit_test(test_sbf_pairs_are_found_in_near_linear_time),
        cmocka_unit_test(test_sbf_pairs_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
