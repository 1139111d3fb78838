/* test_heap_sites.c - parses stacks as three engines print them, and makes heap profiles of them.
 */
#include "support.h"

#include "format/format_row.h"
#include "heapsites/heap_sites.h"
#include "heapsites/heap_write.h"
#include "heapsites/js_stack.h"

/* Frames as "NAME" or "NAME#FUNCTION+OFFSET", a space after each. */
static const char *frames_of(const char *text)
{
    static char all[2000];
    size_t n = 0;
    toll_js_stack s;
    toll_js_frame f;
    const char *line;
    size_t size;
    toll_js_stack_begin(&s, text, strlen(text));
    for (*all = 0; toll_js_stack_line(&s, &line, &size);) {
        if (!toll_js_read(line, size, &f))
            continue;
        n += (size_t)snprintf(all + n, sizeof all - n, "%.*s", (int)f.name_size, f.name);
        if (f.is_wasm)
            n += (size_t)snprintf(all + n, sizeof all - n, "#%d+%x", (int)f.function, f.offset);
        n += (size_t)snprintf(all + n, sizeof all - n, "|");
        assert_true(n < sizeof all);
    }
    return all;
}

#define assert_frames(text, expected) assert_string_equal(frames_of(text), expected)

static void test_v8(void **state)
{
    (void)state;
    assert_frames("Error\n"
                  "    at Object.onMalloc (http://h:8/app.js:1:2)\n"
                  "    at Object.onMalloc [as onMalloc] (http://h:8/app.js:3:4)\n"
                  "    at dlmalloc (http://h:8/app.wasm:wasm-function[12]:0x3f)\n"
                  "    at dotnet.native.wasm.f (wasm://wasm/dotnet-1a:wasm-function[7]:0xab)\n"
                  "    at http://h:8/app.wasm:wasm-function[9]:0x1\n"
                  "    at http://h:8/a/app.js:10:20\n"
                  "    at async Promise.all (index 0)\n"
                  "    at <anonymous>",
                  "Object.onMalloc|Object.onMalloc|dlmalloc#12+3f|f#7+ab|wasm-function[9]#9+1|"
                  "app.js:10:20|Promise.all|<anonymous>|");
    assert_frames("Error: at last\nmore of it\n    at f (a.js:1:1)\r\n    at g (a.js:2:2)\r\n",
                  "f|g|");
}

/* Names have parentheses and spaces of their own, and so have places. */
static void test_v8_names(void **state)
{
    (void)state;
    assert_frames("Error\n"
                  "    at operator new(unsigned long) (http://h/a.wasm:wasm-function[3]:0x9)\n"
                  "    at std::function<void (int)>::operator()(int) const "
                  "(http://h/a(1).wasm:wasm-function[4]:0x8)\n"
                  "    at eval (eval at g (http://h/a.js:1:2), <anonymous>:3:4)\n"
                  "    at f(int)\n"
                  "    at Object.x.wasm.y (http://h/a.js:1:2)\n"
                  "    at \n",
                  "operator new(unsigned long)#3+9|std::function<void (int)>::operator()(int) "
                  "const#4+8|eval|f(int)|Object.x.wasm.y|");
}

/* Only a file's name is removed in front of ".wasm.". */
static void test_v8_modules(void **state)
{
    (void)state;
    assert_frames("Error\n"
                  "    at azAZ09._-.wasm.f (http://h/a.wasm:wasm-function[3]:0x9)\n",
                  "f#3+9|");
    for (const char *other = "`{@[/:+ "; *other; other++) {
        char text[100], expected[100];
        snprintf(text, sizeof text,
                 "Error\n    at x%cy.wasm.f (http://h/a.wasm:wasm-function[3]:0x9)\n", *other);
        snprintf(expected, sizeof expected, "x%cy.wasm.f#3+9|", *other);
        assert_frames(text, expected);
    }
}

static void test_firefox(void **state)
{
    (void)state;
    assert_frames("onMalloc@http://h/app.js:1:2\n"
                  "_emscripten_trace_record_allocation@http://h/app.js:3:4\n"
                  "app.wasm.dlmalloc@http://h/app.wasm:wasm-function[12]:0x3f\n"
                  "f(int)@http://h/npm@1.2/app.wasm:wasm-function[13]:0x40\n"
                  "wasm-function[14]@http://h/app.wasm:wasm-function[14]:0x41\n"
                  "async*g/<@http://h/app.js:5:6\n"
                  "@http://h/b/app.js:7:8\n",
                  "onMalloc|_emscripten_trace_record_allocation|dlmalloc#12+3f|f(int)#13+40|"
                  "wasm-function[14]#14+41|g/<|app.js:7:8|");
    assert_frames("Error@http://h/app.js:1:2\n", "Error|");
}

static void test_safari(void **state)
{
    (void)state;
    assert_frames("onMalloc@http://h/app.js:1:2\n"
                  "<?>.wasm-stub@[wasm code]\n"
                  "<?>.wasm-function[dlmalloc]@[wasm code]\n"
                  "app.wasm-function[operator new[](unsigned long)]@[wasm code]\n"
                  "<?>.wasm-function[17]@[wasm code]\n"
                  "wasm-stub@[wasm code]\n"
                  "[native code]\n"
                  "global code@http://h/app.js:9:9",
                  "onMalloc|dlmalloc#-1+ffffffff|operator new[](unsigned long)#-1+ffffffff|"
                  "wasm-function[17]#17+ffffffff|[native code]|global code|");
}

static void test_no_frames(void **state)
{
    (void)state;
    assert_frames("", "");
    assert_frames("Error", "");
    assert_frames("Error: with a message\n", "");
    assert_frames("\n\n", "");
    toll_js_stack s;
    const char *line, *text = "Error\n    at f (a.js:1:1)\n    ... 3 more\n    at g (a.js:1:1)";
    size_t size;
    toll_js_stack_begin(&s, text, strlen(text));
    while (toll_js_stack_line(&s, &line, &size))
        continue;
    assert_int_equal(s.unread, 1);
}

/* Numbers that do not fit are unknown. */
static void test_large_numbers(void **state)
{
    (void)state;
    assert_frames("Error\n    at f (x:wasm-function[4294967296]:0x1)\n"
                  "    at g (x:wasm-function[1]:0xfffffffff)\n"
                  "    at h (x:wasm-function[4294967295]:0x1)\n" /* which means unknown */
                  "    at i (x:wasm-function[4294967294]:0x1)",
                  "f|g#1+ffffffff|h|i#-2+1|");
}

/* --- heaps -------------------------------------------------------------------------------------*/

#define HOOKS                                                                                      \
    "Error\n    at Object.onMalloc (http://h/app.js:1:2)\n"                                        \
    "    at _emscripten_trace_record_allocation (http://h/app.js:3:4)\n"
#define WASM(name, at) "    at " name " (http://h/app.wasm:wasm-function[1]:0x" at ")\n"
#define LEAK HOOKS WASM("dlmalloc", "1") WASM("leak(int)", "2") WASM("main", "3")
#define LEAK_2 HOOKS WASM("dlmalloc", "1") WASM("leak(int)", "4") WASM("main", "3")
#define KEEP HOOKS WASM("dlmalloc", "1") WASM("my_alloc", "5") WASM("keep", "6") WASM("main", "3")
#define GROW "    at sbrk (http://h/app.wasm:wasm-function[1])<br />    at f (app.js:1:1)<br>"

static toll_status add(toll_heap_sites *s, const char *text, int64_t count, int64_t bytes)
{
    return toll_heap_sites_add(s, text, strlen(text), count, bytes, NULL);
}

/* 0 or the first failure. */
static toll_status fill(toll_heap_sites *s)
{
    const char *grow = GROW, *first = "initial heap sbrk limit<br>";
    toll_status status = toll_heap_sites_allocator(s, "my_alloc", NULL);
    status = status ? status : toll_heap_sites_allocator(s, "my_other", NULL);
    status = status ? status : add(s, LEAK, 2, 200);
    status = status ? status : add(s, KEEP, 1, 5000);
    status = status ? status : add(s, LEAK_2, 3, 200);
    status = status ? status : add(s, "Error\n    at f (a.js:1:1)", 0, 0);
    status = status ? status : add(s, "Error\n    at g (a.js:1:1)", -1, 10);
    status = status ? status : add(s, "", 1, 7);
    if (!status)
        status = toll_heap_sites_grow(s, first, strlen(first), 0, 4096, NULL);
    return status ? status : toll_heap_sites_grow(s, grow, strlen(grow), 4096, 69632, NULL);
}

/* Ages of a site's blocks: threads with the label snapshot, and the rest without one. */
static void test_ages(void **state)
{
    (void)state;
    toll_heap_sites *s;
    toll_profile *p;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_int_equal(toll_heap_sites_age(s, 1, 1, 1, NULL), TOLL_E_ARGUMENT); /* of no site */
    assert_ok(add(s, LEAK, 5, 500));
    assert_ok(toll_heap_sites_age(s, 1, 1, 0, err));
    assert_ok(toll_heap_sites_age(s, 10, 2, 300, err));
    static const int64_t wrong[][3] = {
        { 10, 1, 1 }, { 9, 1, 1 },   { 0, 1, 1 },    { 11, 3, 1 },
        { 11, 0, 1 }, { 11, -1, 1 }, { 11, 1, 201 }, { 11, 1, -1 }
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(
            toll_heap_sites_age(s, (uint32_t)wrong[i][0], wrong[i][1], wrong[i][2], NULL),
            TOLL_E_ARGUMENT);
    assert_ok(add(s, KEEP, 1, 7));
    assert_ok(toll_heap_sites_age(s, 2, 1, 7, err));
    assert_ok(toll_heap_sites_sort(s, err));
    assert_ok(toll_heap_profile_begin(s, &p, err));
    assert_ok(toll_heap_profile_add(s, p, 0, 2, err));
    assert_ok(toll_heap_profile_end(s, p, err));
    assert_ok(toll_profile_check(p, 0, err));
    static const struct {
        const char *where;
        int64_t blocks, bytes;
    } wanted[] = { { "snapshot=1", 1, 0 }, { "snapshot=2", 1, 7 }, { "snapshot=10", 2, 300 } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        toll_profile *age;
        const toll_filter where = { .size = sizeof where, .where = wanted[i].where };
        assert_ok(toll_profile_filter(p, &where, &age, err));
        assert_int_equal(test_sum(age, 0), wanted[i].blocks);
        assert_int_equal(test_sum(age, 1), wanted[i].bytes);
        toll_profile_free(age);
    }
    assert_int_equal(test_sum(p, 0), 6);
    assert_int_equal(test_sum(p, 1), 507);
    toll_profile_free(p);
    toll_heap_sites_free(s);
}

/* A module without names: a note says how to get them. */
static void test_nameless_sites(void **state)
{
    (void)state;
    toll_heap_sites *s;
    uint64_t count;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_ok(add(s, HOOKS WASM("wasm-function[9]", "1") WASM("wasm-function[8]", "2"), 1, 10));
    assert_ok(add(s, HOOKS WASM("wasm-function[9]", "1") WASM("main", "2"), 1, 10));
    assert_ok(add(s, "Error\n    at f (a.js:1:1)", 1, 10)); /* no WebAssembly */
    assert_int_equal(toll_heap_note_count(s), 1);
    assert_non_null(strstr(toll_heap_note(s, 0, &count), "--profiling-funcs"));
    assert_int_equal(count, 1);
    toll_heap_sites_free(s);
}

static size_t written; /* by write_all, in bytes */

static char *write_all(const toll_heap_sites *s, const char *format, size_t most)
{
    static char text[5000];
    toll_heap_writer *w;
    toll_output *out;
    bool more = true;
    size_t size;
    assert_ok(toll_output_to_memory(NULL, 0, &out, err));
    assert_ok(toll_heap_writer_create(s, format, &w, err));
    while (more)
        assert_ok(toll_heap_writer_step(w, most, out, &more, err));
    assert_ok(toll_output_commit(out, err));
    const void *data = toll_output_data(out, &size);
    assert_true(size < sizeof text);
    memcpy(text, data, size);
    text[size] = 0;
    written = size;
    toll_heap_writer_free(w);
    toll_output_free(out);
    return text;
}

static toll_heap_sites *filled(void)
{
    toll_heap_sites *s;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    s->stack_limit = 6;
    assert_ok(fill(s));
    assert_ok(toll_heap_sites_sort(s, err));
    return s;
}

static void test_speedscope(void **state)
{
    (void)state;
    toll_heap_sites *s = filled();
    char whole[5000];
    strcpy(whole, write_all(s, "speedscope", SIZE_MAX));
    assert_non_null(strstr(whole, "{\"name\":\"leak(int)\"}"));
    assert_null(strstr(whole, "onMalloc"));
    assert_non_null(strstr(whole, "\"weights\":[5000,200,200,7],\"endValue\":5407}"));
    assert_non_null(strstr(whole, "\"weights\":[65536,4096],\"endValue\":69632}"));
    assert_non_null(strstr(whole, "\"weights\":[1,3,2,1],\"endValue\":7}"));
    for (size_t most = 1; most < 6; most++)
        assert_string_equal(write_all(s, "speedscope", most), whole);

    toll_profile *p;
    assert_ok(test_read(NULL, whole, strlen(whole), "speedscope", &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    uint32_t space = toll_profile_find_column(p, "inuse_space");
    assert_int_equal(space, toll_profile_default_column(p));
    assert_int_equal(test_self(p, TOLL_HEAP_THREAD, "main;leak(int);dlmalloc", space), 400);
    assert_int_equal(test_self(p, TOLL_HEAP_THREAD, "main;leak(int);dlmalloc",
                               toll_profile_find_column(p, "inuse_objects")),
                     5);
    assert_int_equal(
        test_self(p, TOLL_GROWTH_THREAD, "f;sbrk", toll_profile_find_column(p, "growth_space")),
        65536);
    toll_profile_free(p);
    toll_heap_sites_free(s);
}

/* In a stack that is HTML only breaks end lines: names have angle brackets, too. */
static void test_growth_lines(void **state)
{
    static const char text[] = "    at a<int> (a.js:1:1)<br>    at <b> (a.js:2:2)<br/>"
                               "    at c<brick> (a.js:3:3)<br />    at d (a.js:4:4)<br />";
    (void)state;
    toll_heap_sites *s;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_ok(toll_heap_sites_grow(s, text, strlen(text), 0, 10, err));
    assert_ok(toll_heap_sites_sort(s, err));
    assert_non_null(strstr(write_all(s, "speedscope", SIZE_MAX),
                           "\"shared\":{\"frames\":[\n{\"name\":\"a<int>\"},\n"
                           "{\"name\":\"<b>\"},\n{\"name\":\"c<brick>\"},\n{\"name\":\"d\"}]}"));
    toll_heap_sites_free(s);
}

#define FREED "\"1 sites that were freed, left out\",\n"
#define ODD "\"1 sites with figures that cannot be, left out\",\n"
#define CUT "\"1 stacks as long as the engine keeps them: outer frames may be missing\""

/* The samples are in the file twice: where other tools look for them, and where PerfView does. */
static void test_perfview(void **state)
{
    (void)state;
    toll_heap_sites *s = filled();
    toll_profile *p;
    const char *text = write_all(s, "perfview", 1);
#define SAMPLES                                                                                    \
    "\"Samples\":[\n"                                                                              \
    "{\"Stack\":[\"dlmalloc\",\"my_alloc\",\"keep\",\"main\"],\"Metric\":5000},\n"                 \
    "{\"Stack\":[\"dlmalloc\",\"leak(int)\",\"main\"],\"Metric\":200},\n"                          \
    "{\"Stack\":[\"dlmalloc\",\"leak(int)\",\"main\"],\"Metric\":200},\n"                          \
    "{\"Stack\":[\"unknown\"],\"Metric\":7}\n]"
    assert_string_equal(text, "{\"Notes\":[\n" FREED ODD CUT "],\n" SAMPLES ",\n"
                              "\"StackSource\":{" SAMPLES "}}\n");
    assert_ok(test_read(NULL, text, strlen(text), NULL, &p, err));
    assert_int_equal(test_self(p, "", "main;leak(int);dlmalloc", 0), 400);
    assert_int_equal(toll_profile_note_count(p), 3);
    toll_profile_free(p);
    toll_heap_sites_free(s);
}

/* Compiled to JavaScript: the function that reports the growth is the profiler's, old or new. */
static void test_hooks_in_javascript(void **state)
{
    (void)state;
    static const char *const hooks[] = { "_emscripten_memprof_sbrk_grow",
                                         "_emscripten_trace_sbrk_grow" };
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        toll_heap_sites *s;
        char text[200];
        assert_ok(toll_heap_sites_create(NULL, &s, err));
        snprintf(text, sizeof text,
                 "Error<br />at inner (a.js:1:1)<br />at %s (a.js:2:2)<br />"
                 "at sbrk (a.js:3:3)<br />at main (a.js:4:4)<br />",
                 hooks[i]);
        assert_ok(toll_heap_sites_grow(s, text, strlen(text), 0, 100, err));
        assert_int_equal(s->growth.sites[0].depth, 2);
        assert_string_equal(toll_heap_site_key(s, &s->growth.sites[0]), "main");
        toll_heap_sites_free(s);
    }
}

/* Every file says that other threads may use the heap, and Toll's readers take that in. */
static void test_shared_heap(void **state)
{
    (void)state;
    static const char *const formats[] = { "speedscope", "perfview", "pprof", "sites" };
    static const char saved[] = "{\"tollIsShared\":true,\"allocationsAtLoc\":{}}";
    toll_heap_sites *s = filled();
    toll_profile *p;
    uint64_t count;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        s->is_shared = false;
        assert_null(strstr(write_all(s, formats[i], 1), "other threads"));
        s->is_shared = true;
        const char *text = write_all(s, formats[i], 1);
        assert_true(strcmp(formats[i], "pprof") == 0 ||
                    strstr(text, "\"1 heaps that other threads"));
        if (strcmp(formats[i], "sites") == 0)
            continue; /* for other tools only */
        assert_ok(test_read(NULL, text, written, formats[i], &p, err));
        assert_int_equal(toll_profile_note_count(p), 4);
        assert_non_null(strstr(toll_profile_note(p, 0, &count), "other threads may use"));
        assert_int_equal(count, 1);
        toll_profile_free(p);
    }
    assert_ok(test_read(NULL, saved, strlen(saved), NULL, &p, err));
    assert_int_equal(toll_profile_note_count(p), 1);
    toll_profile_free(p);
    toll_heap_sites_free(s);
}

/* Allocations at the address of a block in use and frees of none are in every file. */
static void test_unmatched_events(void **state)
{
    (void)state;
    static const char *const formats[] = { "speedscope", "perfview", "pprof", "sites" };
    toll_heap_sites *s = filled();
    size_t before = toll_heap_note_count(s);
    uint64_t count;
    s->noted[TOLL_HEAP_REUSED] = 2;
    s->noted[TOLL_HEAP_UNKNOWN] = 3;
    assert_int_equal(toll_heap_note_count(s), before + 2);
    assert_non_null(strstr(toll_heap_note(s, before, &count), "blocks allocated where one was"));
    assert_int_equal(count, 2);
    assert_non_null(strstr(toll_heap_note(s, before + 1, &count), "frees of blocks that"));
    assert_int_equal(count, 3);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        toll_profile *p;
        const char *text = write_all(s, formats[i], 1);
        if (strcmp(formats[i], "sites") == 0) {
            assert_non_null(strstr(text, "\"3 frees of blocks"));
            continue;
        }
        assert_ok(test_read(NULL, text, written, formats[i], &p, err));
        assert_int_equal(toll_profile_note_count(p), before + 2);
        toll_profile_free(p);
    }
    toll_heap_sites_free(s);
}

static void test_sites(void **state)
{
    (void)state;
    toll_heap_sites *s = filled();
    const char *text = write_all(s, "sites", 2);
    assert_non_null(strstr(text, "{\"callSiteKey\":\"keep\",\"outstandingCount\":1,"
                                 "\"outstandingBytes\":5000,\"frames\":[{\"name\":\"dlmalloc\","
                                 "\"functionIndex\":1,\"byteOffset\":1},"));
    assert_non_null(strstr(text, "{\"callSiteKey\":\"leak(int)\",\"outstandingCount\":3,"));
    assert_non_null(strstr(text, "{\"callSiteKey\":\"unknown\",\"outstandingCount\":1,"));
    assert_int_equal(s->freed, 1);
    assert_int_equal(s->odd, 1);
    assert_int_equal(s->cut, 1); /* KEEP has 6 frames with the profiler's */
    toll_heap_sites_free(s);
}

/* A break that did not move is a growth of 0 bytes; one that moved back is none. */
static void test_growth(void **state)
{
    (void)state;
    toll_heap_sites *s;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_ok(toll_heap_sites_grow(s, GROW, strlen(GROW), 4096, 69632, err));
    assert_ok(toll_heap_sites_grow(s, GROW, strlen(GROW), 69632, 69632, err));
    assert_int_equal(s->odd, 0);
    assert_ok(toll_heap_sites_grow(s, GROW, strlen(GROW), 69632, 4096, err));
    assert_ok(toll_heap_sites_grow(s, GROW, strlen(GROW), -1, 4096, err));
    assert_int_equal(s->odd, 2);
    assert_int_equal(s->growth.bytes, 65536);
    int64_t count = 0;
    for (size_t i = 0; i < s->growth.count; i++)
        count += s->growth.sites[i].count;
    assert_int_equal(count, 2);
    toll_heap_sites_free(s);
}

static void test_empty(void **state)
{
    (void)state;
    toll_heap_sites *s;
    toll_heap_writer *w;
    toll_profile *p;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_string_equal(write_all(s, "perfview", 10),
                        "{\"Notes\":[],\n\"Samples\":[\n],\n\"StackSource\":{\"Samples\":[\n]}}\n");
    const char *text = write_all(s, "speedscope", 10);
    assert_ok(test_read(NULL, text, strlen(text), "speedscope", &p, err));
    assert_int_equal(toll_profile_node_count(p), 2); /* roots */
    toll_profile_free(p);
    toll_error e;
    assert_int_equal(toll_heap_writer_create(s, "svg", &w, &e), TOLL_E_UNKNOWN_FORMAT);
    assert_string_equal(e.text, "a heap is not written as 'svg'; there are speedscope, perfview, "
                                "pprof, sites");
    assert_int_equal(toll_heap_sites_allocator(s, "", NULL), TOLL_E_ARGUMENT);
    toll_heap_sites_free(s);
}

static void test_all_allocators(void **state)
{
    (void)state;
    toll_heap_sites *s;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_ok(add(s, HOOKS WASM("internal_memalign", "1") WASM("dlposix_memalign", "2"), 1, 1));
    assert_string_equal(toll_heap_site_key(s, &s->live.sites[0]), "internal_memalign");
    toll_heap_sites_free(s);
}

/* Functions of C++'s library allocate for their callers; functions that only return its types or
 * have them as parameters do not. */
static void test_library(void **state)
{
    (void)state;
    static const struct {
        const char *stack, *key;
    } cases[] = {
        { WASM("operator new(unsigned long)", "1")
              WASM("void* std::__2::__libcpp_operator_new<unsigned long>(unsigned long)", "2")
                  WASM("std::__2::vector<int, std::__2::allocator<int> >::push_back(int&&)", "3")
                      WASM("f(std::__2::vector<int>)", "4"),
          "f(std::__2::vector<int>)" },
        { WASM("dlmalloc", "1") WASM("std::__2::vector<int> make<std::__2::g(int)>(int)", "2"),
          "std::__2::vector<int> make<std::__2::g(int)>(int)" },
        { WASM("dlmalloc", "1") WASM("void (anonymous namespace)::h<std::__2::i>()", "2"),
          "void (anonymous namespace)::h<std::__2::i>()" },
        { WASM("dlmalloc", "1") WASM("emscripten_builtin_malloc", "2") WASM("ns::of()", "3")
              WASM("ns_of()", "4"),
          "ns_of()" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_heap_sites *s;
        assert_ok(toll_heap_sites_create(NULL, &s, err));
        assert_ok(toll_heap_sites_allocator(s, "ns::", err));
        assert_ok(add(s, cases[i].stack, 1, 1));
        assert_string_equal(toll_heap_site_key(s, &s->live.sites[0]), cases[i].key);
        toll_heap_sites_free(s);
    }
}

/* Any number of sites is sorted in descending order; equal ones keep their order. */
static void test_sort(void **state)
{
    (void)state;
    for (size_t n = 0; n < 70; n++) {
        toll_heap_sites *s;
        assert_ok(toll_heap_sites_create(NULL, &s, err));
        for (size_t i = 0; i < n; i++) {
            char text[40];
            snprintf(text, sizeof text, "Error\n    at f%zu (a.js:1:1)", i);
            assert_ok(add(s, text, 1 + (int64_t)(i % 2), (int64_t)(i * 7919 % 5)));
        }
        assert_ok(toll_heap_sites_sort(s, err));
        for (size_t i = 1; i < n; i++) {
            const toll_heap_site *a = &s->live.sites[i - 1], *b = a + 1;
            assert_true(a->bytes > b->bytes || (a->bytes == b->bytes && a->count >= b->count));
            if (a->bytes == b->bytes && a->count == b->count)
                assert_true(a->first < b->first);
        }
        toll_heap_sites_free(s);
    }
}

/* A program that is compiled to JavaScript has no frame of WebAssembly. */
static void test_javascript_only(void **state)
{
    (void)state;
    toll_heap_sites *s;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_ok(add(s, HOOKS "    at malloc (app.js:5:6)\n    at leak (app.js:7:8)\n", 1, 1));
    assert_int_equal(s->live.sites[0].depth, 2);
    assert_string_equal(toll_heap_site_key(s, &s->live.sites[0]), "leak");
    toll_heap_sites_free(s);
}

static void test_overflow(void **state)
{
    (void)state;
    toll_heap_sites *s;
    assert_ok(toll_heap_sites_create(NULL, &s, err));
    assert_ok(add(s, LEAK, 1, INT64_MAX));
    assert_int_equal(add(s, KEEP, 1, 1), TOLL_E_OVERFLOW);
    assert_int_equal(s->live.count, 1);
    toll_heap_sites_free(s);
}

#define SAVED                                                                                      \
    "{\"detailedHeapUsage\":true,\"allocationsAtLoc\":{\"Error\\n    at "                          \
    "_emscripten_trace_record_allocation (a.js:1:1)\\n    at leak (a.js:2:2)\":[3,3000,\"x\"],"    \
    "\"Error\\n    at g (a.js:1:1)\":[0,0]},\"sbrkSources\":[{\"stack\":\"grow@a.js:1:1<br />\","  \
    "\"begin\":4,\"end\":10,\"color\":\"#fff\"}]}"

static void test_saved(void **state)
{
    (void)state;
    toll_profile *p;
    toll_error why = { TOLL_OK, "" };
    assert_ok(test_read(NULL, SAVED, strlen(SAVED), NULL, &p, err));
    assert_int_equal(test_self(p, TOLL_HEAP_THREAD, "leak", 0), 3);
    assert_int_equal(test_self(p, TOLL_HEAP_THREAD, "leak", 1), 3000);
    assert_int_equal(test_self(p, TOLL_GROWTH_THREAD, "grow", 3), 6);
    assert_int_equal(toll_profile_note_count(p), 1);
    toll_profile_free(p);
    static const struct {
        const char *text, *what;
    } wrong[] = {
        { "{\"allocationsAtLoc\":[]}", "must be an object" },
        { "{\"allocationsAtLoc\":{\"f\":[1.5,2]}}", "no integer" },
        { "{\"allocationsAtLoc\":{\"f\":[1]}}", "a number was expected" },
        { "{\"allocationsAtLoc\":{},\"sbrkSources\":[1]}", "array of objects" },
        { "{\"sbrkSources\":[]}", "no allocationsAtLoc" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        toll_status s =
            test_read(NULL, wrong[i].text, strlen(wrong[i].text), "emscripten", &p, &why);
        assert_int_equal(s, TOLL_E_SYNTAX);
        assert_non_null(strstr(why.text, wrong[i].what));
    }
}

static toll_status read_saved(const toll_allocator *a, void *user)
{
    (void)user;
    toll_profile *p;
    toll_status status = test_read(a, SAVED, strlen(SAVED), "emscripten", &p, NULL);
    if (!status)
        toll_profile_free(p);
    return status;
}

static toll_status make(const toll_allocator *a, void *user)
{
    toll_heap_sites *s;
    toll_heap_writer *w = NULL;
    toll_output *out = NULL;
    bool more = true;
    toll_status status = toll_heap_sites_create(a, &s, NULL);
    if (!status)
        status = fill(s);
    if (!status)
        status = toll_heap_sites_sort(s, NULL);
    if (!status)
        status = toll_heap_writer_create(s, user, &w, NULL);
    if (!status)
        status = toll_output_to_memory(a, 0, &out, NULL);
    while (!status && more)
        status = toll_heap_writer_step(w, 2, out, &more, NULL);
    if (!status)
        status = toll_output_commit(out, NULL);
    toll_output_free(out);
    toll_heap_writer_free(w);
    toll_heap_sites_free(s);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    char speedscope[] = "speedscope", pprof[] = "pprof";
    test_every_allocation(make, speedscope);
    test_every_allocation(make, pprof);
    test_every_allocation(read_saved, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ages),
        cmocka_unit_test(test_nameless_sites),
        cmocka_unit_test(test_v8),
        cmocka_unit_test(test_v8_names),
        cmocka_unit_test(test_v8_modules),
        cmocka_unit_test(test_firefox),
        cmocka_unit_test(test_safari),
        cmocka_unit_test(test_no_frames),
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_growth_lines),
        cmocka_unit_test(test_speedscope),
        cmocka_unit_test(test_perfview),
        cmocka_unit_test(test_hooks_in_javascript),
        cmocka_unit_test(test_shared_heap),
        cmocka_unit_test(test_unmatched_events),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_all_allocators),
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_javascript_only),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
