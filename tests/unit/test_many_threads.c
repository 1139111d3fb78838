/* test_many_threads.c - a file with many threads or profiles of one call each needs memory in
 * proportion to its content, and no large table for each of them. */
#include "support.h"

enum { THREADS = 20000, BYTES_EACH = 1500 };

typedef struct text {
    char *data;
    size_t size;
} text;

static void add(text *t, const char *format, int i)
{
    t->size += (size_t)sprintf(t->data + t->size, format, i, i);
}

static text make_text(const char *before, const char *each, const char *after)
{
    text t = { malloc(strlen(before) + strlen(after) + THREADS * (strlen(each) + 16)), 0 };
    assert_non_null(t.data);
    add(&t, before, 0);
    for (int i = 0; i < THREADS; i++) {
        add(&t, i ? "," : "", i);
        add(&t, each, i);
    }
    add(&t, after, 0);
    return t;
}

static void assert_small(const void *data, size_t size, const char *format)
{
    toll_budget budget = { .limit = (size_t)THREADS * BYTES_EACH };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *p;
    assert_ok(test_read(&a, data, size, format, &p, err));
    assert_true(toll_profile_thread_count(p) >= THREADS);
    toll_profile_free(p);
}

static void assert_small_text(text t, const char *format)
{
    assert_small(t.data, t.size, format);
    free(t.data);
}

#define SPEEDSCOPE "{\"shared\":{\"frames\":[{\"name\":\"f\"}]},\"profiles\":["

static void test_many_threads_speedscope(void **state)
{
    (void)state;
    assert_small_text(make_text(SPEEDSCOPE,
                                "{\"type\":\"sampled\",\"name\":\"t%d\",\"unit\":\"none\","
                                "\"samples\":[[0]],\"weights\":[1]}",
                                "]}"),
                      "speedscope");
    assert_small_text(make_text(SPEEDSCOPE,
                                "{\"type\":\"evented\",\"name\":\"t%d\",\"unit\":\"none\","
                                "\"events\":[{\"type\":\"O\",\"at\":0,\"frame\":0},"
                                "{\"type\":\"C\",\"at\":1,\"frame\":0}]}",
                                "]}"),
                      "speedscope");
}

static void test_many_threads_chrome(void **state)
{
    (void)state;
    assert_small_text(
        make_text("{\"traceEvents\":[",
                  "{\"ph\":\"X\",\"name\":\"f\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":1}", "]}"),
        "chrome");
}

static void test_many_threads_pprof(void **state)
{
    toll_profile *p;
    toll_output *out;
    size_t size;
    (void)state;
    assert_ok(toll_profile_create(NULL, &p, err));
    assert_ok(toll_profile_add_column(p, "ticks", "count", NULL, err));
    for (int i = 0; i < THREADS; i++) {
        char name[16];
        sprintf(name, "t%d", i);
        test_add_stack(p, name, "f", 0, 1);
    }
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_profile_write(p, NULL, "pprof", NULL, out, err));
    assert_ok(toll_output_commit(out, err));
    const void *data = toll_output_data(out, &size);
    assert_small(data, size, "pprof");
    toll_output_free(out);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_threads_speedscope),
        cmocka_unit_test(test_many_threads_chrome),
        cmocka_unit_test(test_many_threads_pprof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
