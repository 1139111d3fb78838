/* test_embed_malloc.c - a signal handler of toll/embed.h never calls malloc, in any format: the
 * signal may have arrived in the middle of malloc. */
#define _GNU_SOURCE
#include "support_embed_process.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

enum { ALLOCATED = 3, FUNCTIONS = 3000 };

static volatile sig_atomic_t in_handler; /* the child exits with ALLOCATED where it allocates */

/* glibc's own, under the names that a program may not replace. */
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void __libc_free(void *block);

static void check(void)
{
    if (in_handler)
        _exit(ALLOCATED);
}

void *malloc(size_t size)
{
    check();
    return __libc_malloc(size);
}

void *realloc(void *block, size_t size)
{
    check();
    return __libc_realloc(block, size);
}

void *calloc(size_t count, size_t size)
{
    check();
    return __libc_calloc(count, size);
}

void free(void *block)
{
    if (block)
        check();
    __libc_free(block);
}

/* Enough functions for a sort, tables and several buffers. */
static void record_and_raise(void)
{
    toll_embed *e = record(out);
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[32];
        test_function made = { name, 0 };
        snprintf(name, sizeof name, "made%d", i);
        test_call(e, &made);
        if (i % 3)
            toll_embed_return(e);
    }
    in_handler = 1;
    raise(SIGTERM);
}

static void test_a_handler_allocates_nothing(void **state)
{
    static const char *const names[] = { "a.pb.gz",     "a.pb",
                                         "a.folded",    "a.speedscope.json",
                                         "a.callgrind", "a.perfview.json",
                                         "a.html" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        out = test_file(names[i]);
        int status = status_of(start(record_and_raise, test_file("said")));
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM)
            fail_msg("%s: ended with %#x, not by the signal", names[i], (unsigned)status);
        expect_said(test_file("said"), "");
        assert_true(test_is_there(out));
    }
}

#else

static void test_a_handler_allocates_nothing(void **state)
{
    (void)state, (void)out;
    print_message("skipped: this C library's malloc cannot be watched, or a sanitizer does\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_handler_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
