/* test_libdw_memory.c - the C library's malloc fails at the nth call while debug information is
 * opened and used. Toll's own allocations are made to fail in other tests; here those of libdw and
 * libelf are, which do not go through Toll's allocator. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support_debug.h"
#include "support_split.h"

#include "debug/debug_data.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the program defines these, glibc and all libraries call them; glibc's own have other names,
 * too. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
#define VISIBLE __attribute__((visibility("default"))) /* to the shared libraries */
VISIBLE void *malloc(size_t size);
VISIBLE void *calloc(size_t count, size_t size);
VISIBLE void *realloc(void *block, size_t size);

static bool is_armed, is_once;
static size_t allowed;

/* The allocation that was refused last, for the parent process. */
typedef struct report {
    size_t count, size, refused;
} report;
static report *seen;

static bool refuses(size_t count, size_t size)
{
    if (!is_armed || allowed-- > 0)
        return false;
    allowed = is_once ? SIZE_MAX : 0;
    *seen = (report){ count, size, seen->refused + 1 };
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return refuses(1, size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refuses(count, size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return refuses(1, size) ? NULL : __libc_realloc(block, size);
}

/* Toll's own allocations do not fail here, and are not counted. */
static void *own_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    bool was = is_armed;
    is_armed = false;
    void *result = test_resize(user, block, old_size, new_size);
    is_armed = was;
    return result;
}

/* All that is there, or a failure that says why: never a part of it, as if there were no more. */
static void check_whole(const toll_debug *d)
{
    toll_debug_place places[2];
    assert_string_equal(toll_debug_remark(d), "");
    assert_int_equal(toll_debug_places(d, TINY_INLINED, places, 2), 2);
    assert_string_equal(places[0].name, "square");
    assert_int_equal(places[0].at_line, 4);
    assert_string_equal(places[0].at_file, "/src/tiny.c");
    assert_string_equal(places[1].name, "twice");
    assert_int_equal(places[1].at_line, 7);
    assert_int_equal(toll_debug_places(d, TINY_IN_RUN, places, 2), 1);
    assert_int_equal(places[0].at_line, 11);
}

/* A program's file, and that of its functions, if it has split DWARF. */
typedef struct program {
    const uint8_t *data;
    size_t size;
    const uint8_t *split;
    size_t split_size;
} program;

static toll_status read_split(void *user, const char *name, toll_buffer *bytes, toll_error *err)
{
    const program *p = user;
    (void)err;
    if (!p->split || strcmp(name, "tiny.dwo") != 0)
        return TOLL_E_IO;
    return toll_buffer_append(bytes, p->split, p->split_size) ? TOLL_OK : TOLL_E_NOMEM;
}

/* Open the program with the nth allocation refused: it alone, or with all after it. */
static void fail_at(size_t n, const program *p)
{
    toll_split_source source = { read_split, (void *)(uintptr_t)p };
    test_allocator own = { .allowed = SIZE_MAX };
    toll_allocator a = { own_resize, &own };
    toll_error e = { TOLL_OK, "" };
    toll_debug *d = NULL;
    toll_input *in;
    assert_ok(toll_input_from_memory(&a, p->data, p->size, "app.wasm", &in, err));
    is_once = n % 2;
    allowed = n / 2;
    is_armed = true;
    toll_status status = toll_debug_read_split(&a, in, &source, &d, &e);
    is_armed = false;
    toll_input_free(in);
    if (status) {
        assert_int_equal(status, TOLL_E_NOMEM);
        assert_string_equal(e.text, "out of memory; raise --max-memory or close other programs");
        assert_null(d);
        assert_true(seen->refused > 0);
    } else {
        check_whole(d);
    }
    toll_debug_free(d);
    assert_int_equal(own.live_bytes, 0);
}

/* What libdw does not check, and Toll cannot: the first table of a unit's abbreviations. The
 * process dies, if just that allocation fails. */
static bool is_unchecked(const report *r)
{
    return r->count * r->size == 672; /* 42 entries of 16 bytes */
}

/* In a process of its own, which libdw may end. Returns whether the nth allocation was reached. */
static bool fail_in_child(size_t n, const program *p, unsigned *deaths)
{
    int status;
    memset(seen, 0, sizeof *seen);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit no_core = { 0, 0 };
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGSEGV, SIG_DFL); /* not cmocka's */
        fail_at(n, p);
        _exit(0); /* a failed assertion returns to cmocka, which exits with another status */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
        assert_int_equal(WTERMSIG(status), SIGSEGV);
        assert_true(is_unchecked(seen));
        ++*deaths;
    } else {
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    return seen->refused > 0;
}

static void test_libdw_out_of_memory(void **state)
{
    (void)state;
    if (!toll_debug_has_dwarf())
        skip();
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(seen != MAP_FAILED);
    const program programs[] = {
        { tiny_dwarf4, sizeof tiny_dwarf4, NULL, 0 },
        { tiny_dwarf5, sizeof tiny_dwarf5, NULL, 0 },
        { split_module4, sizeof split_module4, split_dwo4, sizeof split_dwo4 },
        { split_module5, sizeof split_module5, split_dwo5, sizeof split_dwo5 },
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        size_t n = 0;
        unsigned deaths = 0;
        while (fail_in_child(n, &programs[i], &deaths))
            n++;
        assert_true(n > 10); /* it does allocate by malloc */
        print_message("%zu failures of malloc: %u of them end the process in libdw\n", n, deaths);
    }
}

#else

static void test_libdw_out_of_memory(void **state)
{
    (void)state;
    print_message("skipped: only glibc's malloc can be replaced here, and not under a sanitizer\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_libdw_out_of_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
