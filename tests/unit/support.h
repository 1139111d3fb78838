/* support.h - for all unit tests: cmocka, an allocator that fails on demand and counts unfreed
 * memory, a check that all files were closed, and profiles built in one line. */
#ifndef TOLL_TESTS_SUPPORT_H
#define TOLL_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <toll/toll.h>

#ifdef __linux__
#include "../open_files.h"

#include <unistd.h>

static size_t test_files_at_begin;
static pid_t test_process;

__attribute__((constructor)) static void test_count_files(void)
{
    test_files_at_begin = test_open_files();
    test_process = getpid();
}

/* Fail if a test has left a file open: in its own code, or in what it tests. (Its child processes
 * also have those that it has open.) */
__attribute__((destructor)) static void test_check_files(void)
{
    if (getpid() != test_process || test_open_files() <= test_files_at_begin)
        return;
    fprintf(stderr, "files were left open\n");
    _exit(1);
}
#endif

/* Fails when `allowed` allocations have been made; checks sizes; counts live bytes. */
typedef struct test_allocator {
    size_t allowed; /* SIZE_MAX: never fail */
    size_t made;
    size_t live_bytes;
    size_t refused; /* allocations that failed */
    bool once;      /* only one fails, and there is memory again */
} test_allocator;

/* In front of each block. */
typedef union test_block {
    size_t size;
    max_align_t alignment;
} test_block;

static inline void *test_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    test_allocator *a = user;
    test_block *before = block ? (test_block *)block - 1 : NULL;
    assert_int_equal(old_size, before ? before->size : 0);
    if (new_size == 0) {
        a->live_bytes -= old_size;
        free(before);
        return NULL;
    }
    if (a->made >= a->allowed && !(a->once && a->refused)) {
        a->refused++;
        return NULL;
    }
    a->made++;
    test_block *moved = realloc(before, sizeof *moved + new_size);
    assert_non_null(moved);
    moved->size = new_size;
    a->live_bytes = a->live_bytes - old_size + new_size;
    return moved + 1;
}

/* Set a variable of the environment; NULL: remove it. Windows has no empty ones: "" removes it. */
static inline void test_set_variable(const char *name, const char *value)
{
#ifdef _WIN32
    _putenv_s(name, value ? value : "");
#else
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
#endif
}

/* Run `work` with the nth allocation failing, n = 0, 1, 2, ..., until no allocation fails. Each n
 * is tried twice: only that allocation fails, so that an ignored failure shows; and all later ones
 * fail too. `work` returns TOLL_E_NOMEM if an allocation has failed, and must never leave memory
 * allocated. With `may_do_without` it may also succeed: a cache is not filled, a recorder counts
 * what it omits. */
static inline void test_allocations(toll_status (*work)(const toll_allocator *, void *), void *user,
                                    bool may_do_without)
{
    for (size_t n = 0;; n++) {
        test_allocator a = { .allowed = n / 2, .once = n % 2 };
        toll_allocator allocator = { test_resize, &a };
        toll_status status = work(&allocator, user);
        assert_int_equal(a.live_bytes, 0);
        if (!may_do_without || status)
            assert_int_equal(status, a.refused ? TOLL_E_NOMEM : TOLL_OK);
        if (!a.refused)
            return;
        assert_true(n < 1000000);
    }
}

static inline void test_every_allocation(toll_status (*work)(const toll_allocator *, void *),
                                         void *user)
{
    test_allocations(work, user, false);
}

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        toll_error assert_ok_err = { TOLL_OK, "" };                                                \
        toll_error *err = &assert_ok_err;                                                          \
        (void)err;                                                                                 \
        toll_status assert_ok_status = (call);                                                     \
        if (assert_ok_status != TOLL_OK)                                                           \
            fail_msg("%s: %s: %s", #call, toll_status_name(assert_ok_status), assert_ok_err.text); \
    } while (0)

/* Add `value` to the stack "a;b;c" of a thread in a column: for building profiles in one line. */
static inline void test_add_stack(toll_profile *p, const char *thread, const char *stack,
                                  uint32_t column, int64_t value)
{
    toll_thread_id t;
    assert_ok(toll_profile_add_thread(p, thread, &t, err));
    toll_node_id node = toll_profile_root(p, t);
    char name[256];
    while (*stack) {
        size_t n = strcspn(stack, ";");
        assert_true(n < sizeof name);
        memcpy(name, stack, n);
        name[n] = 0;
        stack += n + (stack[n] == ';');
        toll_frame frame = { .name = name };
        toll_frame_id id;
        assert_ok(toll_profile_add_frame(p, &frame, &id, err));
        assert_ok(toll_profile_add_child(p, node, id, &node, err));
    }
    assert_ok(toll_profile_add_self(p, node, column, value, err));
}

/* The text that was written to an output in memory, the caller's to free; it frees the output. */
static inline char *test_text(toll_output *out)
{
    size_t size;
    assert_ok(toll_output_commit(out, err));
    const char *bytes = toll_output_data(out, &size);
    char *text = malloc(size + 1);
    assert_non_null(text);
    if (size)
        memcpy(text, bytes, size);
    text[size] = 0;
    toll_output_free(out);
    return text;
}

/* The root of a node, if the node's stack is "a;b;c" (compared from its end); otherwise TOLL_NONE.
 */
static inline toll_node_id test_root_above(const toll_profile *p, toll_node_id at,
                                           const char *stack)
{
    size_t left = strlen(stack);
    bool is_first = true;
    for (; toll_profile_node_frame(p, at) != TOLL_NONE; at = toll_profile_parent(p, at)) {
        const char *name = toll_profile_frame(p, toll_profile_node_frame(p, at)).name;
        size_t n = strlen(name);
        if (!is_first && (left == 0 || stack[--left] != ';'))
            return TOLL_NONE;
        if (n > left || memcmp(stack + left - n, name, n) != 0)
            return TOLL_NONE;
        left -= n;
        is_first = false;
    }
    return left == 0 ? at : TOLL_NONE;
}

/* The self value of the stack "a;b;c" of a thread; fails the test if there is no such stack. */
static inline int64_t test_self(const toll_profile *p, const char *thread, const char *stack,
                                uint32_t column)
{
    for (uint32_t node = 0; node < toll_profile_node_count(p); node++) {
        toll_node_id root = test_root_above(p, node, stack);
        for (uint32_t t = 0; root != TOLL_NONE && t < toll_profile_thread_count(p); t++)
            if (toll_profile_root(p, t) == root &&
                strcmp(toll_profile_thread_name(p, t), thread) == 0)
                return toll_profile_self(p, node, column);
    }
    fail_msg("no stack '%s' in thread '%s'", stack, thread);
    return 0;
}

/* The count of the first note that begins so; 0: there is none. */
static inline uint64_t test_note(const toll_profile *p, const char *beginning)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++)
        if (strncmp(toll_profile_note(p, i, &count), beginning, strlen(beginning)) == 0)
            return count;
    return 0;
}

/* Read a profile from `data`. Format NULL: its content decides. */
static inline toll_status test_read(const toll_allocator *a, const void *data, size_t size,
                                    const char *format, toll_profile **out, toll_error *err)
{
    toll_input *in;
    *out = NULL;
    toll_status s = toll_input_from_memory(a, data, size, "file", &in, err);
    if (s)
        return s;
    s = toll_profile_read(in, format, NULL, NULL, out, err);
    toll_input_free(in);
    return s;
}

/* Cut the data before each byte in turn. The result must be a valid profile, or an error that names
 * the file. Each piece is a block of its own, so that sanitizers notice a read beyond its end. */
static inline void test_every_cut(const void *data, size_t size, const char *format)
{
    for (size_t cut = 0; cut < size; cut++) {
        char *copy = malloc(cut ? cut : 1);
        toll_profile *p;
        toll_error e = { TOLL_OK, "" };
        memcpy(copy, data, cut);
        toll_status s = test_read(NULL, copy, cut, format, &p, &e);
        if (s) {
            assert_null(p);
            assert_int_equal(e.status, s);
            assert_non_null(strstr(e.text, "file"));
        } else {
            assert_int_equal(toll_profile_check(p, 0, NULL), TOLL_OK);
            toll_profile_free(p);
        }
        free(copy);
    }
}

/* Flip each bit in turn. The result must be a valid profile (a sign may have changed), or an error.
 */
static inline void test_every_flip(const void *data, size_t size, const char *format)
{
    char *copy = malloc(size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        toll_profile *p;
        memcpy(copy, data, size);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        if (test_read(NULL, copy, size, format, &p, NULL) == TOLL_OK) {
            assert_int_equal(toll_profile_check(p, 1, NULL), TOLL_OK);
            toll_profile_free(p);
        }
    }
    free(copy);
}

/* The sum of all self values of a column. */
static inline int64_t test_sum(const toll_profile *p, uint32_t column)
{
    int64_t s = 0;
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++)
        s += toll_profile_self(p, i, column);
    return s;
}

#endif
