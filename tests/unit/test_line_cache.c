/* test_line_cache.c - the cache of stacks in the reader of folded stacks: added stacks are found,
 * also after it has grown, and a full cache adds no more. */
#include "support.h"

#include "format/line_cache.h"

typedef struct fixture {
    toll_line_cache cache;
    test_allocator a;
    toll_allocator allocator;
} fixture;

static void begin(fixture *x)
{
    *x = (fixture){ .a.allowed = SIZE_MAX };
    x->allocator = (toll_allocator){ test_resize, &x->a };
    toll_mem mem = toll_mem_from(&x->allocator);
    toll_line_cache_init(&x->cache, &mem);
}

static void end(fixture *x)
{
    toll_line_cache_free(&x->cache);
    assert_int_equal(x->a.live_bytes, 0);
}

static toll_cached_line *find(const toll_line_cache *cache, const char *text)
{
    size_t size = strlen(text);
    uint64_t hash = toll_line_cache_hash(cache, text, size);
    toll_line_cache_warm_slot(cache, hash);
    toll_line_cache_warm_line(cache, hash);
    return toll_line_cache_find(cache, text, size, hash);
}

static toll_cached_line *add(toll_line_cache *cache, const char *text, toll_node_id node)
{
    size_t size = strlen(text);
    return toll_line_cache_add(cache, text, size, toll_line_cache_hash(cache, text, size), node);
}

/* Stacks of all sizes, so that they fill up 8 bytes exactly, nearly, and just not. */
static const char *stack_of(uint32_t i, char text[40])
{
    snprintf(text, 40, "%.*s%u", (int)(i % 17), "main;start;run;do", (unsigned)i);
    return text;
}

static void test_every_stack_is_found_again(void **state)
{
    enum { STACKS = 5000 }; /* more than the table has room for at first */
    fixture x;
    char text[40];
    (void)state;
    begin(&x);
    assert_null(find(&x.cache, "a"));
    for (uint32_t i = 0; i < STACKS; i++) {
        toll_cached_line *line = add(&x.cache, stack_of(i, text), i);
        assert_non_null(line);
        assert_int_equal(line->sums[0] | line->sums[1], 0);
        line->sums[0] = 3 * (int64_t)i;
        for (uint32_t k = i; k < STACKS && k < i + 2; k++) /* this one, and none before its time */
            assert_int_equal(find(&x.cache, stack_of(k, text)) != NULL, k == i);
    }
    const toll_cached_line *next = NULL;
    for (uint32_t i = 0; i < STACKS; i++) {
        toll_cached_line *line = find(&x.cache, stack_of(i, text));
        next = toll_line_cache_next(&x.cache, next);
        assert_ptr_equal(line, next);
        assert_int_equal(line->node, i);
        assert_int_equal(line->sums[0], 3 * (int64_t)i);
        assert_int_equal(line->size, strlen(text));
    }
    assert_null(toll_line_cache_next(&x.cache, next));
    assert_null(find(&x.cache, "none"));
    end(&x);
}

static void test_the_empty_stack_is_one(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_null(toll_line_cache_next(&x.cache, NULL));
    toll_cached_line *line = add(&x.cache, "", 7);
    assert_non_null(line);
    assert_ptr_equal(find(&x.cache, ""), line);
    assert_ptr_equal(toll_line_cache_next(&x.cache, NULL), line);
    assert_null(toll_line_cache_next(&x.cache, line));
    end(&x);
}

/* A very long stack is seldom seen again, and would take the room of many. */
static void test_very_long_stacks_are_not_kept(void **state)
{
    static char text[10000];
    fixture x;
    (void)state;
    begin(&x);
    memset(text, 'f', sizeof text - 1);
    assert_null(add(&x.cache, text, 0));
    text[1000] = 0;
    assert_non_null(add(&x.cache, text, 0));
    assert_non_null(find(&x.cache, text));
    end(&x);
}

/* The bound is on the number of stacks, too. What it has it goes on finding. */
static void test_a_full_cache_adds_no_more(void **state)
{
    enum { MANY = 1000000 };
    fixture x;
    char text[40];
    uint32_t count = 0;
    (void)state;
    begin(&x);
    while (count < MANY && add(&x.cache, stack_of(count, text), count))
        count++;
    assert_in_range(count, 100000, MANY - 1);
    assert_null(find(&x.cache, text));
    for (uint32_t i = 0; i < count; i += 1000)
        assert_int_equal(find(&x.cache, stack_of(i, text))->node, i);
    end(&x);
}

/* Without memory a stack is not kept, and nothing else changes. */
static void test_a_cache_without_memory_goes_on(void **state)
{
    fixture x;
    char text[40];
    (void)state;
    begin(&x);
    assert_non_null(add(&x.cache, "kept", 1));
    x.a.allowed = x.a.made;
    uint32_t count = 0;
    while (count < 10000 && add(&x.cache, stack_of(count, text), count))
        count++;
    assert_true(count < 10000);
    assert_int_equal(find(&x.cache, "kept")->node, 1);
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_stack_is_found_again),
        cmocka_unit_test(test_the_empty_stack_is_one),
        cmocka_unit_test(test_very_long_stacks_are_not_kept),
        cmocka_unit_test(test_a_full_cache_adds_no_more),
        cmocka_unit_test(test_a_cache_without_memory_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
