/* test_timeline_file.c - timelines in files of their own: their content while they grow, after the
 * process was killed, and when they are cut or damaged. */
#include "support.h"

#include "record/timeline_data.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <toll/format.h>
#include <toll/recorder.h>
#include <unistd.h>

static const toll_value_type ns = { "time", "nanoseconds" }, ticks = { "ticks", "count" };

#define PATH "run.toll-timeline"

/* --- files -------------------------------------------------------------------------------------*/

static uint8_t *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);
    assert_non_null(f);
    assert_non_null(data);
    *size = fread(data, 1, 1 << 20, f);
    assert_true(*size < 1 << 20);
    fclose(f);
    return data;
}

static toll_status read_bytes(const toll_allocator *a, const void *data, size_t size, int strict,
                              toll_timeline **t, toll_profile **p, toll_error *e)
{
    toll_input *in = NULL;
    toll_format_options o = { .size = sizeof o, .strict = strict };
    *p = NULL;
    *t = NULL;
    toll_status s = toll_input_from_memory(a, data, size, "bytes", &in, e);
    if (!s)
        s = toll_profile_read(in, NULL, &o, t, p, e);
    toll_input_free(in);
    return s;
}

static toll_output *written_as(const toll_allocator *a, const toll_profile *p,
                               const toll_timeline *t, const char *format, toll_status *s)
{
    toll_output *out;
    *s = toll_output_to_memory(a, 0, &out, NULL);
    if (!*s)
        *s = toll_profile_write(p, t, format, NULL, out, NULL);
    if (!*s)
        *s = toll_output_commit(out, NULL);
    return out;
}

static toll_output *written(const toll_allocator *a, const toll_profile *p, const toll_timeline *t,
                            toll_status *s)
{
    return written_as(a, p, t, "timeline", s);
}

/* --- a run -------------------------------------------------------------------------------------*/

enum { FRAMES = 40 };

typedef struct run {
    toll_timeline *t;
    toll_recorder *r;
    toll_track *co;
    toll_frame_id frames[FRAMES];
    uint64_t now[2];
} run;

static toll_status begin(const toll_allocator *a, const char *path, run *x)
{
    const toll_counter counters[] = { { "time", "nanoseconds", 0 }, { "ticks", "count", 0 } };
    *x = (run){ 0 };
    toll_status s = path ? toll_timeline_create_file(a, ns, path, &x->t, NULL)
                         : toll_timeline_create(a, ns, 1, &x->t, NULL);
    if (!s)
        s = toll_timeline_add_second_axis(x->t, ticks, NULL);
    if (s)
        return s;
    toll_timeline_set_start(x->t, 1700000000000000000);
    s = toll_timeline_set_labels(x->t, "host=a, b\ncommit=1\n", NULL);
    if (s)
        return s;
    const toll_recorder_options o = { .size = sizeof o,
                                      .allocator = a,
                                      .counters = counters,
                                      .counter_count = 2,
                                      .timeline = x->t,
                                      .timeline_second = 1 };
    s = toll_recorder_create(&o, &x->r, NULL);
    for (int i = 0; !s && i < FRAMES; i++) {
        char name[200];
        snprintf(name, sizeof name, "function %d %0*d", i, 4 * i, i);
        const toll_frame f = { .name = name, .file = "a.lua", .line = (uint32_t)i };
        s = toll_recorder_add_frame(x->r, &f, &x->frames[i], NULL);
    }
    if (!s)
        s = toll_recorder_new_track(x->r, "coroutine", &x->co, NULL);
    return s;
}

static const uint64_t *after(run *x, uint64_t time)
{
    x->now[0] += time;
    x->now[1] += time % 7;
    return x->now;
}

/* Calls on two threads, with frames that are defined late: `rounds` of them. */
static void record(run *x, int rounds)
{
    toll_recorder_call(x->r, x->frames[0], after(x, 1));
    toll_recorder_switch(x->r, x->co, after(x, 3));
    toll_recorder_call(x->r, x->frames[1], after(x, 2));
    for (int i = 0; i < rounds; i++) {
        toll_recorder_call(x->r, x->frames[2 + i / 8 % (FRAMES - 2)], after(x, 100));
        if (i % 5 == 0)
            toll_recorder_switch(x->r, toll_recorder_main_track(x->r), after(x, 5));
        toll_recorder_call(x->r, x->frames[2], after(x, 1u << i % 30));
        toll_recorder_return(x->r, after(x, 3));
        toll_recorder_switch(x->r, x->co, after(x, 5));
        toll_recorder_return(x->r, after(x, 7));
    }
}

static void end(run *x)
{
    toll_recorder_free(x->r);
    toll_timeline_free(x->t);
}

/* --- what is compared --------------------------------------------------------------------------*/

/* The events of all threads of two timelines are equal; how many there are. */
static uint64_t compare_events(const toll_timeline *a, const toll_timeline *b)
{
    uint64_t count = 0;
    const toll_profile *x = toll_timeline_names(a), *y = toll_timeline_names(b);
    for (uint32_t i = 0; i < toll_profile_thread_count(x); i++) {
        toll_timeline_reader *r, *q;
        toll_timeline_event e, f;
        assert_string_equal(toll_profile_thread_title(x, i), toll_profile_thread_title(y, i));
        assert_ok(toll_timeline_read_thread(a, i, &r, err));
        assert_ok(toll_timeline_read_thread(b, i, &q, err));
        while (toll_timeline_next(r, &e, NULL) == 1) {
            assert_int_equal(toll_timeline_next(q, &f, NULL), 1);
            assert_string_equal(toll_profile_frame(x, e.frame).name,
                                toll_profile_frame(y, f.frame).name);
            assert_true(e.is_open == f.is_open && e.at == f.at && e.second == f.second &&
                        e.is_call == f.is_call);
            count++;
        }
        toll_timeline_reader_free(r);
        toll_timeline_reader_free(q);
    }
    return count;
}

static uint64_t note(const toll_profile *p, const char *text)
{
    uint64_t count;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strstr(toll_profile_note(p, i, &count), text))
            return count;
    return 0;
}

/* Stacks and their values, but for what was spent outside of any: to be freed. */
static char *stacks(const toll_profile *p, const char *value)
{
    toll_output *out;
    toll_format_options o = { .size = sizeof o, .value = value };
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "folded", &o, out, err));
    assert_ok(toll_output_commit(out, err));
    const char *data = toll_output_data(out, &size);
    char *text = calloc(size + 1, 1);
    memcpy(text, data, size);
    if (strncmp(text, "(outside)", 9) == 0)
        memmove(text, strchr(text, '\n') + 1, strlen(strchr(text, '\n')));
    toll_output_free(out);
    return text;
}

/* What the recorder has, and what is made of its timeline: the same calls and costs. */
static void assert_same_profile(const toll_profile *p, const toll_profile *q)
{
    const char *const values[] = { "calls", "time", "ticks" };
    for (int i = 0; i < 3; i++) {
        char *a = stacks(p, values[i]), *b = stacks(q, values[i]);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
}

/* --- tests -------------------------------------------------------------------------------------*/

static void test_a_file_holds_what_was_recorded(void **state)
{
    run x;
    toll_timeline *t;
    toll_profile *p, *q;
    size_t size;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    record(&x, 20000);
    toll_recorder_stop(x.r, after(&x, 1));
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    assert_ok(toll_timeline_finish(x.t, err));
    assert_ok(toll_timeline_finish(x.t, err));
    uint8_t *data = slurp(PATH, &size);
    assert_true(size < 12 * toll_timeline_event_count(x.t));
    assert_int_equal(read_bytes(NULL, data, size, 1, &t, &q, NULL), TOLL_OK);
    assert_int_equal(compare_events(x.t, t), toll_timeline_event_count(x.t));
    assert_int_equal(toll_timeline_event_count(t), toll_timeline_event_count(x.t));
    assert_int_equal(toll_timeline_start(t), 1700000000000000000);
    assert_same_profile(p, q);
    assert_ok(toll_profile_check(q, 0, err));
    assert_int_equal(toll_profile_note_count(q), 0);
    toll_profile_free(p);
    toll_profile_free(q);
    toll_timeline_free(t);
    free(data);
    end(&x);
    unlink(PATH);
}

/* Whether the file is mapped, written block by block, or in memory: the same bytes. Where standard
 * input is closed, the file is descriptor 0. */
static void test_all_stores_leave_the_same_bytes(void **state)
{
    enum { PLAIN = 1, FIRST = 2, WAYS = 4 };
    const int input = dup(STDIN_FILENO);
    size_t sizes[WAYS];
    uint8_t *data[WAYS];
    run x;
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        if (way & FIRST)
            close(STDIN_FILENO);
        assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
        assert_true(x.t->store.fd == STDIN_FILENO || !(way & FIRST));
        if (way & PLAIN)
            x.t->store.maps = false;
        record(&x, 3000);
        toll_recorder_stop(x.r, after(&x, 1));
        assert_ok(toll_timeline_finish(x.t, err));
        assert_int_equal(compare_events(x.t, x.t), toll_timeline_event_count(x.t));
        data[way] = slurp(PATH, &sizes[way]);
        end(&x);
        if (way & FIRST)
            assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
    }
    close(input);
    assert_int_equal(begin(NULL, NULL, &x), TOLL_OK);
    record(&x, 3000);
    toll_recorder_stop(x.r, after(&x, 1));
    assert_ok(toll_timeline_finish(x.t, err));
    assert_int_equal(sizes[0], x.t->store.memory.size);
    assert_memory_equal(data[0], x.t->store.memory.data, sizes[0]);
    end(&x);
    for (int way = WAYS - 1; way >= 0; way--) {
        assert_int_equal(sizes[0], sizes[way]);
        assert_memory_equal(data[0], data[way], sizes[0]);
        free(data[way]);
    }
    unlink(PATH);
}

/* A process that is killed leaves every event that it has recorded. */
static void test_a_killed_process_leaves_all_events(void **state)
{
    run x;
    toll_timeline *t;
    toll_profile *q;
    size_t size;
    int status;
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (begin(NULL, PATH, &x) || !x.t->store.maps)
            _exit(77);
        record(&x, 5000);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("skipped: files cannot be mapped here\n");
        skip();
    }
    assert_true(WIFSIGNALED(status));
    uint8_t *data = slurp(PATH, &size);
    assert_int_equal(read_bytes(NULL, data, size, 1, &t, &q, NULL), TOLL_E_TRUNCATED);
    assert_int_equal(read_bytes(NULL, data, size, 0, &t, &q, NULL), TOLL_OK);
    assert_int_equal(note(q, "without an end"), 1);
    assert_int_equal(note(q, "still open"), 1);
    assert_int_equal(begin(NULL, NULL, &x), TOLL_OK);
    record(&x, 5000);
    compare_events(x.t, t);
    assert_int_equal(toll_timeline_event_count(t), toll_timeline_event_count(x.t));
    end(&x);
    toll_profile_free(q);
    toll_timeline_free(t);
    free(data);
    unlink(PATH);
}

/* Where files cannot be mapped, a killed process leaves what is defined, and all blocks that were
 * full; of each thread the last one is lost. */
static void test_without_mappings_full_blocks_are_left(void **state)
{
    run x;
    toll_timeline *t;
    toll_profile *q;
    size_t size;
    uint64_t count = 0;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    x.t->store.maps = false;
    record(&x, 20000);
    uint8_t *data = slurp(PATH, &size); /* as it is if the process is killed here */
    assert_int_equal(read_bytes(NULL, data, size, 0, &t, &q, NULL), TOLL_OK);
    assert_int_equal(toll_timeline_start(t), 1700000000000000000);
    assert_int_equal(toll_profile_frame_count(toll_timeline_names(t)), FRAMES);
    assert_int_equal(t->thread_count, x.t->thread_count);
    for (size_t i = 0; i < t->thread_count; i++) {
        const toll_timeline_thread *a = t->threads[i], *b = x.t->threads[i];
        assert_int_equal(a->block_count, b->block_count);
        count += a->opened + a->closed;
    }
    assert_true(count > toll_timeline_event_count(x.t) / 3);
    toll_profile_free(q);
    toll_timeline_free(t);
    free(data);
    end(&x);
    unlink(PATH);
}

/* A file that somebody cuts can be read no more, and it is the user's own file that is named. */
static void test_a_file_that_was_cut_meanwhile_is_named(void **state)
{
    run x;
    toll_timeline_reader *r;
    toll_timeline_event e;
    toll_error err = { TOLL_OK, "" };
    int more;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    record(&x, 100);
    assert_int_equal(toll_timeline_finish(x.t, NULL), TOLL_OK);
    assert_int_equal(truncate(PATH, 20), 0);
    assert_int_equal(toll_timeline_read_thread(x.t, 0, &r, NULL), TOLL_OK);
    while ((more = toll_timeline_next(r, &e, &err)) == 1) {
    }
    assert_int_equal(more, -1);
    assert_int_equal(err.status, TOLL_E_IO);
    assert_string_equal(err.text, PATH ": cannot read the timeline: nothing else may cut or "
                                       "replace the file while it is open");
    toll_timeline_reader_free(r);
    end(&x);
    unlink(PATH);
}

/* A start before 1970 is none, in the file as well. */
static void test_a_start_before_1970_is_not_known(void **state)
{
    run x;
    toll_timeline *t;
    toll_profile *q;
    size_t size;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    toll_timeline_set_start(x.t, -1);
    assert_int_equal(toll_timeline_start(x.t), 0);
    record(&x, 10);
    assert_ok(toll_timeline_finish(x.t, err));
    uint8_t *data = slurp(PATH, &size);
    assert_int_equal(read_bytes(NULL, data, size, 1, &t, &q, NULL), TOLL_OK);
    assert_int_equal(toll_timeline_start(t), 0);
    toll_profile_free(q);
    toll_timeline_free(t);
    free(data);
    end(&x);
    unlink(PATH);
}

/* A run that took longer than a profile can say has no duration, and not a negative one. */
static void test_a_duration_that_does_not_fit_is_not_known(void **state)
{
    const uint64_t begins[] = { INT64_MAX - 5, INT64_MAX - 4 };
    const int64_t durations[] = { INT64_MAX, 0 };
    const toll_frame f = { .name = "f" };
    (void)state;
    for (int i = 0; i < 2; i++) {
        toll_timeline *x, *t;
        toll_profile *q;
        toll_thread_id thread;
        toll_frame_id frame;
        size_t size;
        assert_ok(toll_timeline_create_file(NULL, ns, PATH, &x, err));
        assert_ok(toll_timeline_add_frame(x, &f, &frame, err));
        assert_ok(toll_timeline_add_thread(x, "main", &thread, err));
        toll_timeline_open(x, thread, frame, begins[i]);
        toll_timeline_close(x, thread, begins[i] + 5);
        assert_ok(toll_timeline_finish(x, err));
        uint8_t *data = slurp(PATH, &size);
        assert_ok(read_bytes(NULL, data, size, 1, &t, &q, err));
        assert_int_equal(test_self(q, "main", "f", 1), 5);
        assert_int_equal(toll_profile_duration_ns(q), durations[i]);
        toll_profile_free(q);
        toll_timeline_free(t);
        toll_timeline_free(x);
        free(data);
    }
    unlink(PATH);
}

/* Cut at any byte, it is read as far as it goes, and what is made of that can be written and read
 * again. */
static void test_a_file_that_is_cut_is_read_as_far_as_it_goes(void **state)
{
    run x;
    toll_timeline *t, *u;
    toll_profile *p, *q;
    toll_status s;
    size_t size, n;
    uint64_t before = 0;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    record(&x, 100);
    toll_recorder_stop(x.r, after(&x, 1));
    assert_ok(toll_timeline_finish(x.t, err));
    uint8_t *data = slurp(PATH, &size);
    for (size_t cut = 0; cut < size; cut++) {
        s = read_bytes(NULL, data, cut, 0, &t, &p, NULL);
        if (s) { /* nothing is defined yet, or frames that its events have are not */
            assert_true(s == TOLL_E_TRUNCATED || s == TOLL_E_UNKNOWN_FORMAT || s == TOLL_E_SYNTAX);
            continue;
        }
        uint64_t count = toll_timeline_event_count(t);
        assert_true(count >= before && count <= toll_timeline_event_count(x.t));
        before = count;
        toll_output *out = written(NULL, p, t, &s);
        const void *bytes = toll_output_data(out, &n);
        assert_int_equal(s, TOLL_OK);
        assert_int_equal(read_bytes(NULL, bytes, n, 1, &u, &q, NULL), TOLL_OK);
        assert_int_equal(toll_timeline_event_count(u), count);
        toll_output_free(out);
        toll_profile_free(p);
        toll_profile_free(q);
        toll_timeline_free(t);
        toll_timeline_free(u);
    }
    assert_int_equal(before, toll_timeline_event_count(x.t));
    free(data);
    end(&x);
    unlink(PATH);
}

/* Each byte changed in turn, in one of three ways: an error, or a sound profile. */
static void test_damage_is_noticed_or_harmless(void **state)
{
    run x;
    toll_timeline *t;
    toll_profile *p;
    toll_status s;
    size_t size;
    int refused = 0;
    (void)state;
    assert_int_equal(begin(NULL, NULL, &x), TOLL_OK);
    record(&x, 60);
    toll_recorder_stop(x.r, after(&x, 1));
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    toll_output *out = written(NULL, p, x.t, &s);
    assert_int_equal(s, TOLL_OK);
    toll_profile_free(p);
    const uint8_t *good = toll_output_data(out, &size);
    uint8_t *data = malloc(size);
    for (size_t i = 0; i < size; i++) {
        memcpy(data, good, size);
        data[i] ^= (uint8_t)(i % 3 == 0 ? 1 : i % 3 == 1 ? 0x80 : 0xff);
        s = read_bytes(NULL, data, size, 0, &t, &p, NULL);
        refused += s != TOLL_OK;
        if (!s)
            assert_ok(toll_profile_check(p, 1, err));
        toll_profile_free(p);
        toll_timeline_free(t);
    }
    assert_true(refused > 100);
    free(data);
    toll_output_free(out);
    end(&x);
}

/* A disk that is full is a failure of the timeline; the profile is whole. */
static void test_a_full_disk_costs_the_timeline_only(void **state)
{
    run x;
    toll_profile *p;
    toll_error e = { TOLL_OK, "" };
    struct rlimit old, small = { 1 << 18, RLIM_INFINITY };
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    record(&x, 40000);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    toll_recorder_stop(x.r, after(&x, 1));
    assert_int_equal(toll_timeline_finish(x.t, &e), TOLL_E_IO);
    assert_non_null(strstr(e.text, "cannot write to its file: "));
    assert_non_null(strstr(e.text, "name one on a disk with room"));
    assert_ok(toll_recorder_snapshot(x.r, NULL, &p, err));
    assert_int_equal(test_self(p, "main", "function 0 0", 0), 1);
    toll_profile_free(p);
    end(&x);
    unlink(PATH);
}

/* A file of that name that somebody has open stays as it was for him. */
static void test_an_old_file_is_replaced_not_cut(void **state)
{
    run x;
    char text[8] = "";
    (void)state;
    FILE *f = fopen(PATH, "w+b");
    assert_non_null(f);
    fputs("old", f);
    fflush(f);
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    rewind(f);
    assert_int_equal(fread(text, 1, sizeof text, f), 3);
    assert_string_equal(text, "old");
    fclose(f);
    end(&x);
    unlink(PATH);
}

/* Do all threads have that title behind their names? */
static void assert_labels(const toll_profile *p, const char *labels)
{
    char title[100];
    assert_int_equal(toll_profile_thread_count(p), 2);
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(title, sizeof title, "%s {%s}", toll_profile_thread_name(p, i), labels);
        assert_string_equal(toll_profile_thread_title(p, i), title);
    }
}

/* What a format has of the timeline with other labels. */
static toll_output *labelled_as(const toll_profile *p, const toll_timeline *t, const char *format)
{
    toll_output *out;
    const toll_format_options o = { .size = sizeof o, .labels = "commit=2,zone=x" };
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, t, format, &o, out, err));
    assert_ok(toll_output_commit(out, err));
    return out;
}

static bool has_text(const uint8_t *bytes, size_t size, const char *text)
{
    size_t n = strlen(text), i = 0;
    while (i + n <= size && memcmp(bytes + i, text, n) != 0)
        i++;
    return i + n <= size;
}

static void test_labels_are_those_of_all_threads(void **state)
{
    static const char *const in_order[] = { "chrome", "speedscope", "perfetto" };
    run x;
    toll_timeline *t, *u;
    toll_profile *p, *q;
    size_t size;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    record(&x, 30);
    assert_int_equal(toll_timeline_set_labels(x.t, "host=late", NULL), TOLL_E_ARGUMENT);
    uint8_t *data = slurp(PATH, &size); /* it is not finished */
    assert_ok(read_bytes(NULL, data, size, 0, &t, &p, err));
    assert_labels(toll_timeline_names(t), "commit=1, host=a, b");
    assert_labels(p, "commit=1, host=a, b");
    free(data);
    end(&x);

    toll_output *out = labelled_as(p, t, "timeline");
    const void *bytes = toll_output_data(out, &size);
    assert_ok(read_bytes(NULL, bytes, size, 0, &u, &q, err));
    assert_labels(toll_timeline_names(u), "commit=2, host=a, b, zone=x");
    assert_labels(q, "commit=2, host=a, b, zone=x");
    assert_labels(toll_timeline_names(t), "commit=1, host=a, b");
    toll_output_free(out);
    for (int i = 0; i < 3; i++) {
        out = labelled_as(p, t, in_order[i]);
        bytes = toll_output_data(out, &size);
        assert_true(has_text(bytes, size, "coroutine {commit=2, host=a, b, zone=x}"));
        toll_output_free(out);
    }
    toll_profile_free(p);
    toll_profile_free(q);
    toll_timeline_free(t);
    toll_timeline_free(u);
    unlink(PATH);
}

/* After a reset the file is as that of a new timeline. */
static void test_a_reset_empties_the_file(void **state)
{
    run x;
    size_t size;
    (void)state;
    assert_int_equal(begin(NULL, PATH, &x), TOLL_OK);
    record(&x, 3000);
    toll_recorder_reset(x.r);
    x.now[0] = x.now[1] = 0;
    assert_int_equal(toll_timeline_event_count(x.t), 0);
    toll_recorder_call(x.r, x.frames[3], after(&x, 1));
    toll_recorder_stop(x.r, after(&x, 1));
    assert_ok(toll_timeline_finish(x.t, err));
    uint8_t *data = slurp(PATH, &size);
    assert_true(size < 1000);
    toll_timeline *t;
    toll_profile *p;
    assert_ok(read_bytes(NULL, data, size, 1, &t, &p, err));
    assert_string_equal(toll_profile_thread_title(p, 0), "main {commit=1, host=a, b}");
    toll_profile_free(p);
    toll_timeline_free(t);
    free(data);
    end(&x);
    unlink(PATH);
}

static toll_status life(const toll_allocator *a, void *user)
{
    run x;
    toll_timeline *t = NULL;
    toll_profile *p = NULL, *q = NULL;
    size_t n;
    toll_status s = begin(a, user, &x);
    if (!s) {
        record(&x, 200);
        toll_recorder_stop(x.r, after(&x, 1));
        s = toll_timeline_status(x.t, NULL);
    }
    if (!s)
        s = toll_timeline_finish(x.t, NULL);
    if (!s)
        s = toll_recorder_snapshot(x.r, a, &p, NULL);
    if (!s) {
        toll_output *out = written(a, p, x.t, &s);
        const void *bytes = s ? NULL : toll_output_data(out, &n);
        if (!s)
            s = read_bytes(a, bytes, n, 1, &t, &q, NULL);
        toll_output_free(out);
    }
    if (!s)
        toll_output_free(written_as(a, p, x.t, "perfetto", &s));
    toll_profile_free(p);
    toll_profile_free(q);
    toll_timeline_free(t);
    end(&x);
    return s;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    test_allocations(life, NULL, true);
    char path[] = PATH;
    test_allocations(life, path, true);
    unlink(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_holds_what_was_recorded),
        cmocka_unit_test(test_all_stores_leave_the_same_bytes),
        cmocka_unit_test(test_a_killed_process_leaves_all_events),
        cmocka_unit_test(test_without_mappings_full_blocks_are_left),
        cmocka_unit_test(test_a_file_that_was_cut_meanwhile_is_named),
        cmocka_unit_test(test_a_start_before_1970_is_not_known),
        cmocka_unit_test(test_a_duration_that_does_not_fit_is_not_known),
        cmocka_unit_test(test_a_file_that_is_cut_is_read_as_far_as_it_goes),
        cmocka_unit_test(test_damage_is_noticed_or_harmless),
        cmocka_unit_test(test_a_full_disk_costs_the_timeline_only),
        cmocka_unit_test(test_an_old_file_is_replaced_not_cut),
        cmocka_unit_test(test_labels_are_those_of_all_threads),
        cmocka_unit_test(test_a_reset_empties_the_file),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    char folder[] = "/tmp/toll-timeline-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
