/* test_arguments_events.c - wrong arguments that the functions of toll/timeline.h, sections.h and
 * svm.h refuse. */
#include "support_arguments.h"

#define AT(units_left) (&(uint64_t){ units_left })

/* --- timeline.h --------------------------------------------------------------------------------*/

static toll_timeline *timeline_of_two(void)
{
    toll_value_type axis = { "time", "ns" };
    toll_frame f = { .name = "f" };
    toll_timeline *t;
    assert_ok(toll_timeline_create(NULL, axis, 1, &t, err));
    assert_ok(toll_timeline_add_frame(t, &f, NULL, err));
    assert_ok(toll_timeline_add_thread(t, "main", NULL, err));
    toll_timeline_open(t, 0, 0, 0);
    assert_ok(toll_timeline_status(t, err));
    return t;
}

static void test_toll_timeline_create(void **state)
{
    (void)state;
    toll_value_type good = { "time", "ns" }, no_type = { NULL, "ns" }, no_unit = { "time", NULL };
    toll_timeline *t = test_stale();
    assert_argument(toll_timeline_create(NULL, good, 1, NULL, err));
    assert_argument(toll_timeline_create(NULL, no_type, 1, &t, err));
    assert_argument(toll_timeline_create(NULL, no_unit, 0, &t, err));
    assert_null(t);
}

static void test_toll_timeline_free(void **state)
{
    (void)state;
    toll_timeline_free(NULL);
}

static void test_toll_timeline_add_frame(void **state)
{
    (void)state;
    toll_timeline *t = timeline_of_two();
    toll_frame nameless = { .name = NULL }, good = { .name = "f" };
    toll_frame_id id = 3;
    assert_argument(toll_timeline_add_frame(t, NULL, &id, err));
    assert_argument(toll_timeline_add_frame(t, &nameless, &id, err));
    assert_int_equal(id, TOLL_NONE);
    assert_ok(toll_timeline_add_frame(t, &good, NULL, err));
    toll_timeline_free(t);
}

static void test_toll_timeline_rename_frame(void **state)
{
    (void)state;
    toll_timeline *t = timeline_of_two();
    toll_frame_id frames = toll_profile_frame_count(toll_timeline_names(t));
    EACH_ID_PAST(frame, frames)
    assert_argument(toll_timeline_rename_frame(t, frame, "g", err));
    assert_argument(toll_timeline_rename_frame(t, 0, NULL, err));
    toll_timeline_free(t);
}

static void test_toll_timeline_add_thread(void **state)
{
    (void)state;
    toll_timeline *t = timeline_of_two();
    toll_thread_id id = 3;
    assert_argument(toll_timeline_add_thread(t, NULL, &id, err));
    assert_int_equal(id, TOLL_NONE);
    assert_ok(toll_timeline_add_thread(t, "new", NULL, err));
    toll_timeline_free(t);
}

/* After an unknown thread or frame the timeline always returns that error. */
static void assert_spoilt(toll_timeline *t)
{
    uint64_t events = toll_timeline_event_count(t);
    assert_argument(toll_timeline_status(t, err));
    toll_timeline_open(t, 0, 0, 1);
    assert_int_equal(toll_timeline_event_count(t), events);
    toll_timeline_free(t);
}

static void test_toll_timeline_open(void **state)
{
    (void)state;
    EACH_ID_PAST(id, 1)
    {
        toll_timeline *by_thread = timeline_of_two(), *by_frame = timeline_of_two();
        toll_timeline_open(by_thread, id, 0, 1);
        toll_timeline_open(by_frame, 0, id, 1);
        assert_spoilt(by_thread);
        assert_spoilt(by_frame);
    }
}

static void test_toll_timeline_close(void **state)
{
    (void)state;
    EACH_ID_PAST(thread, 1)
    {
        toll_timeline *t = timeline_of_two();
        toll_timeline_close(t, thread, 1);
        assert_spoilt(t);
    }
}

static void test_toll_timeline_status(void **state)
{
    (void)state;
    toll_timeline *t = timeline_of_two();
    assert_ok(toll_timeline_status(t, NULL));
    toll_timeline_free(t);
}

static void test_toll_timeline_read_thread(void **state)
{
    (void)state;
    toll_timeline *t = timeline_of_two();
    toll_timeline_reader *reader = test_stale();
    EACH_ID_PAST(thread, toll_profile_thread_count(toll_timeline_names(t)))
    assert_argument(toll_timeline_read_thread(t, thread, &reader, err));
    assert_null(reader);
    assert_argument(toll_timeline_read_thread(t, 0, NULL, err));
    toll_timeline_free(t);
}

static void test_toll_timeline_next(void **state)
{
    (void)state;
    toll_timeline *t = timeline_of_two();
    toll_timeline_event event;
    toll_timeline_reader *reader;
    toll_error why = { TOLL_OK, "" };
    assert_ok(toll_timeline_read_thread(t, 0, &reader, err));
    assert_int_equal(toll_timeline_next(reader, NULL, &why), -1);
    assert_int_equal(why.status, TOLL_E_ARGUMENT);
    assert_int_equal(toll_timeline_next(reader, &event, NULL), 1); /* nothing was skipped */
    assert_int_equal(event.is_open, 1);
    toll_timeline_reader_free(reader);
    toll_timeline_free(t);
}

static void test_toll_timeline_reader_free(void **state)
{
    (void)state;
    toll_timeline_reader_free(NULL);
}

/* --- sections.h --------------------------------------------------------------------------------*/

/* With a recorder, which is freed with them. */
typedef struct fixture {
    toll_recorder *r;
    toll_sections *s;
    uint64_t now;
} fixture;

static int make_sections(void **state)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    fixture *f = test_calloc(1, sizeof *f);
    toll_recorder_options o = { .size = sizeof o, .counters = &ticks, .counter_count = 1 };
    assert_ok(toll_recorder_create(&o, &f->r, err));
    toll_sections_options so = { .size = sizeof so, .recorder = f->r };
    assert_ok(toll_sections_create(&so, &f->s, err));
    *state = f;
    return 0;
}

static int free_sections(void **state)
{
    fixture *f = *state;
    toll_profile *p;
    assert_ok(toll_recorder_snapshot(f->r, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    toll_profile_free(p);
    toll_sections_free(f->s);
    toll_recorder_free(f->r);
    test_free(f);
    return 0;
}

static void test_toll_sections_create(void **state)
{
    (void)state;
    toll_sections_options o = { .size = sizeof o };
    toll_sections *s;
    assert_argument(toll_sections_create(&o, NULL, err));
    assert_ok(toll_sections_create(NULL, &s, err)); /* as with all options 0 */
    toll_sections_free(s);
}

static void test_toll_sections_free(void **state)
{
    (void)state;
    toll_sections_free(NULL);
}

static void test_toll_sections_begin(void **state)
{
    fixture *f = *state;
    toll_section_results results;
    assert_argument(toll_sections_begin(f->s, NULL, 1, NULL, &f->now, err));
    assert_ok(toll_sections_begin(f->s, NULL, 0, NULL, &f->now, err)); /* the id "" */
    assert_ok(toll_sections_end(f->s, "", 0, NULL, &f->now, err));
    assert_ok(toll_sections_pop(f->s, &f->now, &results, err));
    assert_int_equal(results.ended_count, 1);
}

static void test_toll_sections_end(void **state)
{
    fixture *f = *state;
    assert_ok(toll_sections_begin(f->s, "a", 1, NULL, &f->now, err));
    assert_argument(toll_sections_end(f->s, NULL, 1, NULL, &f->now, err));
    assert_status(TOLL_E_NOT_FOUND, toll_sections_end(f->s, NULL, 0, NULL, &f->now, err));
    assert_int_equal(toll_sections_orphans(f->s), 2);
    assert_ok(toll_sections_end(f->s, "a", 1, NULL, &f->now, err));
}

static void test_toll_sections_push(void **state)
{
    fixture *f = *state;
    assert_ok(toll_sections_push(f->s, &f->now, NULL));
}

static void test_toll_sections_pop(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        assert_ok(toll_sections_begin(f->s, "a", 1, NULL, &f->now, err));
        assert_ok(toll_sections_pop(f->s, &f->now, NULL, err)); /* the results are not wanted */
    }
}

static void test_toll_sections_rebase(void **state)
{
    fixture *f = *state;
    uint64_t now = UINT64_MAX;
    toll_sections_rebase(f->s, &now); /* any number will do */
    toll_sections_rebase(f->s, &f->now);
    assert_int_equal(toll_sections_backward(f->s), 0);
}

static toll_status put_nothing(void *user, const char *line, size_t size)
{
    (void)user, (void)line, (void)size;
    return TOLL_OK;
}

static void test_toll_sections_log(void **state)
{
    fixture *f = *state;
    toll_section_results results = { 0 };
    assert_argument(toll_sections_log(f->s, NULL, put_nothing, NULL, err));
    assert_argument(toll_sections_log(f->s, &results, NULL, NULL, err));
    assert_ok(toll_sections_log(f->s, &results, put_nothing, NULL, err));
}

/* --- svm.h -------------------------------------------------------------------------------------*/

static const void *translate(void *memory, uint64_t address, uint64_t size)
{
    (void)size;
    return address ? NULL : memory;
}

static toll_svm *svm_of_one(void)
{
    toll_svm_options o = { .size = sizeof o, .translate = translate };
    toll_svm *svm;
    assert_ok(toll_svm_create(&o, &svm, err));
    assert_ok(toll_svm_push(svm, "program", AT(100), err));
    return svm;
}

static void test_toll_svm_create(void **state)
{
    (void)state;
    toll_svm_options good = { .size = sizeof good, .translate = translate },
                     no_translate = { .size = sizeof no_translate };
    toll_svm *svm = test_stale();
    assert_argument(toll_svm_create(NULL, &svm, err));
    assert_argument(toll_svm_create(&no_translate, &svm, err));
    assert_argument(toll_svm_create(&good, NULL, err));
    assert_null(svm);
    toll_recorder_options calls_alone = { .size = sizeof calls_alone };
    assert_ok(toll_recorder_create(&calls_alone, &good.recorder, err));
    assert_argument(toll_svm_create(&good, &svm, err));
    assert_null(svm);
    toll_recorder_free(good.recorder);
}

static void test_toll_svm_free(void **state)
{
    (void)state;
    toll_svm_free(NULL);
}

/* A program may pass any values. */
static void test_toll_svm_start(void **state)
{
    (void)state;
    char memory[] = "a";
    toll_svm *svm = svm_of_one();
    toll_svm_call wild = { memory, 1, 1, 0, 0 }, long_id = { memory, 0, UINT64_MAX, 0, 0 };
    assert_int_equal(toll_svm_start(svm, &wild, AT(100)), TOLL_SVM_ACCESS_VIOLATION);
    assert_int_equal(toll_svm_start(svm, &long_id, AT(100)), TOLL_SVM_ID_TOO_LONG);
    toll_svm_free(svm);
}

static void test_toll_svm_end(void **state)
{
    (void)state;
    char memory[] = "a";
    toll_svm *svm = svm_of_one();
    toll_svm_call wild = { memory, 1, 1, 0, 0 }, long_id = { memory, 0, UINT64_MAX, 0, 0 };
    assert_int_equal(toll_svm_end(svm, &wild, AT(100)), TOLL_SVM_ACCESS_VIOLATION);
    assert_int_equal(toll_svm_end(svm, &long_id, AT(100)), TOLL_SVM_ID_TOO_LONG);
    toll_svm_free(svm);
}

static void test_toll_svm_push(void **state)
{
    (void)state;
    toll_svm *svm = svm_of_one();
    assert_argument(toll_svm_push(svm, NULL, AT(100), err));
    assert_int_equal(toll_svm_depth(svm), 1);
    toll_svm_free(svm);
}

static void test_toll_svm_pop(void **state)
{
    (void)state;
    toll_svm *svm = svm_of_one();
    assert_ok(toll_svm_pop(svm, 0, AT(100), NULL, err));
    assert_ok(toll_svm_pop(svm, 0, AT(100), NULL, err)); /* without a push: nothing */
    assert_int_equal(toll_svm_depth(svm), 0);
    toll_svm_free(svm);
}

static void test_toll_svm_price(void **state)
{
    (void)state;
    assert_int_equal(toll_svm_price(NULL), 0);
    assert_int_equal(toll_svm_price(""), 0);
    assert_int_equal(toll_svm_price("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"), 0);
    assert_int_equal(toll_svm_price("11111111111111111111111111111111"), 150);
}

/* --- svm_recorder.h ----------------------------------------------------------------------------*/

static toll_svm_recorder *svm_recorder(void)
{
    const toll_svm_options syscalls = { .size = sizeof syscalls, .translate = translate };
    const toll_svm_recorder_options o = { .size = sizeof o, .syscalls = &syscalls };
    toll_svm_recorder *r;
    assert_ok(toll_svm_recorder_create(&o, &r, err));
    return r;
}

static void test_toll_svm_recorder_create(void **state)
{
    (void)state;
    const toll_svm_options syscalls = { .size = sizeof syscalls }; /* without translate */
    const toll_svm_recorder_options none = { .size = sizeof none },
                                    wrong = { .size = sizeof wrong, .syscalls = &syscalls };
    toll_svm_recorder *r = test_stale();
    assert_argument(toll_svm_recorder_create(NULL, &r, err));
    assert_argument(toll_svm_recorder_create(&none, NULL, err));
    assert_argument(toll_svm_recorder_create(&none, &r, err));
    assert_null(r);
    r = test_stale();
    assert_argument(toll_svm_recorder_create(&wrong, &r, err));
    assert_null(r);
}

static void test_toll_svm_recorder_free(void **state)
{
    (void)state;
    toll_svm_recorder_free(NULL);
}

static void test_toll_svm_recorder_program(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    uint32_t program = 7;
    assert_argument(toll_svm_recorder_program(r, NULL, NULL, 0, &program, err));
    assert_int_equal(program, UINT32_MAX);
    assert_argument(toll_svm_recorder_program(r, "A", NULL, 0, NULL, err));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_constants(void **state)
{
    toll_svm_recorder *r = svm_recorder();
    uint32_t program;
    (void)state;
    assert_argument(toll_svm_recorder_constants(r, 0, "a", 1, 0, err));
    assert_ok(toll_svm_recorder_program(r, "x", "12345678", 8, &program, err));
    assert_argument(toll_svm_recorder_constants(r, program, NULL, 1, 0, err));
    assert_argument(toll_svm_recorder_constants(r, TOLL_NONE, "a", 1, 0, err));
    assert_ok(toll_svm_recorder_constants(r, program, NULL, 0, 0, err));
    assert_ok(toll_svm_recorder_constants(r, program, "a", 1, 0, err));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_add_syscall(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    toll_frame_id frame = 7;
    assert_argument(toll_svm_recorder_add_syscall(r, NULL, &frame, err));
    assert_int_equal(frame, TOLL_NONE);
    assert_argument(toll_svm_recorder_add_syscall(r, "sol_log_", NULL, err));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_push(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    const toll_svm_invocation unknown = { .program = 0 };
    assert_argument(toll_svm_recorder_push(r, NULL, AT(100), err));
    assert_argument(toll_svm_recorder_push(r, &unknown, AT(100), err));
    assert_int_equal(toll_svm_recorder_depth(r), 0);
    toll_svm_recorder_free(r);
}

/* Without an invocation, nothing runs, and nothing ends. */
static void test_toll_svm_recorder_run(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    assert_ok(toll_svm_recorder_run(r, NULL, 0, AT(100), err));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_syscall(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    toll_svm_recorder_syscall(r, TOLL_NONE, AT(100));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_syscall_end(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    toll_svm_recorder_syscall_end(r, AT(100));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_pop(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    assert_ok(toll_svm_recorder_pop(r, 0, NULL, AT(100), NULL, err));
    assert_int_equal(toll_svm_recorder_depth(r), 0);
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_costs(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    assert_argument(toll_svm_recorder_costs(r, NULL, err));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_recorder_note(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    assert_argument(toll_svm_recorder_note(r, NULL, 1, err));
    toll_svm_recorder_free(r);
}

static void test_toll_svm_note_names(void **state)
{
    (void)state;
    assert_argument(toll_svm_note_names(NULL, err));
}

static void test_toll_svm_recorder_take(void **state)
{
    (void)state;
    toll_svm_recorder *r = svm_recorder();
    assert_argument(toll_svm_recorder_take(r, NULL, err));
    assert_non_null(toll_svm_recorder_sections(r));
    toll_svm_recorder_free(r);
}

int main(void)
{
#define ROW(name) cmocka_unit_test(test_##name)
#define SECTIONS(name) cmocka_unit_test_setup_teardown(test_##name, make_sections, free_sections)
    const struct CMUnitTest tests[] = {
        ROW(toll_timeline_create),
        ROW(toll_timeline_free),
        ROW(toll_timeline_add_frame),
        ROW(toll_timeline_rename_frame),
        ROW(toll_timeline_add_thread),
        ROW(toll_timeline_open),
        ROW(toll_timeline_close),
        ROW(toll_timeline_status),
        ROW(toll_timeline_read_thread),
        ROW(toll_timeline_next),
        ROW(toll_timeline_reader_free),
        SECTIONS(toll_sections_create),
        SECTIONS(toll_sections_free),
        SECTIONS(toll_sections_rebase),
        SECTIONS(toll_sections_push),
        SECTIONS(toll_sections_begin),
        SECTIONS(toll_sections_end),
        SECTIONS(toll_sections_pop),
        SECTIONS(toll_sections_log),
        ROW(toll_svm_create),
        ROW(toll_svm_free),
        ROW(toll_svm_start),
        ROW(toll_svm_end),
        ROW(toll_svm_push),
        ROW(toll_svm_pop),
        ROW(toll_svm_price),
        ROW(toll_svm_recorder_create),
        ROW(toll_svm_recorder_free),
        ROW(toll_svm_recorder_program),
        ROW(toll_svm_recorder_constants),
        ROW(toll_svm_recorder_add_syscall),
        ROW(toll_svm_recorder_push),
        ROW(toll_svm_recorder_run),
        ROW(toll_svm_recorder_syscall),
        ROW(toll_svm_recorder_syscall_end),
        ROW(toll_svm_recorder_pop),
        ROW(toll_svm_recorder_costs),
        ROW(toll_svm_recorder_note),
        ROW(toll_svm_recorder_take),
        ROW(toll_svm_note_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
