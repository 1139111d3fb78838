/* support_toll_wasm.h - makes a module that has the exports of toll.wasm which a component needs.
 * Also for fuzz/. */
#ifndef TOLL_TESTS_SUPPORT_TOLL_WASM_H
#define TOLL_TESTS_SUPPORT_TOLL_WASM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TEST_TOLL_WASM_SIZE = 1024 };

/* (module (import "toll_host" "now" (func (result f64))) (memory (export "memory") 1) and a
 * function that is exported under each name). */
static const char *const test_exported[] = { "enter",
                                             "leave",
                                             "settle",
                                             "depth",
                                             "unwind",
                                             "heap",
                                             "allocating",
                                             "alloc",
                                             "_initialize",
                                             "result",
                                             "component_begin",
                                             "component_profile",
                                             "enter_placed",
                                             "leave_placed",
                                             "settle_placed",
                                             "component_page",
                                             "component_executions",
                                             "component_clock",
                                             "component_hold",
                                             "enter_clocked",
                                             "leave_clocked" };
enum { TEST_EXPORTS = sizeof test_exported / sizeof test_exported[0] };

static inline size_t test_put(uint8_t *to, size_t at, const void *data, size_t size)
{
    memcpy(to + at, data, size);
    return at + size;
}

/* Returns its size. */
static inline size_t test_make_toll_wasm(uint8_t to[TEST_TOLL_WASM_SIZE])
{
    static const uint8_t begin[] = { 0,   'a', 's',  'm',  1,   0,   0,   0,  1,   8,   2,   0x60,
                                     0,   1,   0x7c, 0x60, 0,   0,   2,   17, 1,   9,   't', 'o',
                                     'l', 'l', '_',  'h',  'o', 's', 't', 3,  'n', 'o', 'w', 0,
                                     0,   3,   2,    1,    1,   5,   3,   1,  0,   1 };
    static const uint8_t code[] = { 10, 4, 1, 2, 0, 11 };
    uint8_t exports[512];
    size_t size = 0, at = test_put(to, 0, begin, sizeof begin);
    exports[size++] = TEST_EXPORTS + 1;
    exports[size++] = 6;
    size = test_put(exports, size, "memory\2\0", 8);
    for (size_t i = 0; i < TEST_EXPORTS; i++) {
        exports[size++] = (uint8_t)strlen(test_exported[i]);
        size = test_put(exports, size, test_exported[i], strlen(test_exported[i]));
        size = test_put(exports, size, "\0\1", 2);
    }
    to[at++] = 7;
    to[at++] = (uint8_t)(size | 0x80);
    to[at++] = (uint8_t)(size >> 7);
    at = test_put(to, at, exports, size);
    return test_put(to, at, code, sizeof code);
}

#endif
