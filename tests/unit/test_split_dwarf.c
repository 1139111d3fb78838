/* test_split_dwarf.c - split DWARF: functions and inlined calls from .dwo files and packages that
 * are valid, missing, of other builds, or damaged. tests/debug_info compares larger ones with
 * llvm-symbolizer. */
#include "support_debug.h"
#include "support_folder.h"
#include "support_split.h"

#include "debug/debug_data.h"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#define LOST "; of these, lines are known, functions and inlined calls are not"

static size_t find_bytes(const uint8_t *in, size_t size, const void *wanted, size_t count)
{
    size_t i = 0;
    while (i + count <= size && memcmp(in + i, wanted, count) != 0)
        i++;
    assert_true(i + count <= size);
    return i;
}

/* Put a number into *to, lowest byte first. */
static void put(uint8_t **to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        *(*to)++ = (uint8_t)(value >> 8 * i);
}

/* Put a custom section of less than 16 KiB behind a module; returns how many bytes it has. */
static size_t put_section(uint8_t *to, const char *name, const uint8_t *body, size_t size)
{
    uint8_t *start = to;
    size_t name_size = strlen(name), all = 1 + name_size + size;
    put(&to, 0, 1);
    put(&to, all % 128 + 128, 1);
    put(&to, all / 128, 1);
    put(&to, name_size, 1);
    memcpy(to, name, name_size);
    memcpy(to + name_size, body, size);
    return (size_t)(to - start) + name_size + size;
}

/* --- from memory -------------------------------------------------------------------------------*/

/* A folder with one file. */
typedef struct one_file {
    const char *name;
    const uint8_t *data;
    size_t size;
} one_file;

static toll_status read_one(void *user, const char *name, toll_buffer *bytes, toll_error *err)
{
    const one_file *file = user;
    (void)err;
    if (strcmp(name, file->name) != 0)
        return TOLL_E_IO;
    return toll_buffer_append(bytes, file->data, file->size) ? TOLL_OK : TOLL_E_NOMEM;
}

static toll_status open_with(const toll_allocator *a, const uint8_t *module, size_t size,
                             const one_file *file, toll_debug **out)
{
    toll_input *in;
    toll_split_source source = { read_one, (void *)(uintptr_t)file };
    *out = NULL;
    toll_status status = toll_input_from_memory(a, module, size, "/x/app.wasm", &in, NULL);
    if (status)
        return status;
    status = toll_debug_read_split(a, in, &source, out, NULL);
    toll_input_free(in);
    return status;
}

/* The lines of the module are there, whatever became of the other file. */
static void check_lines(const toll_debug *d)
{
    toll_debug_place places[3];
    uint32_t count = toll_debug_places(d, TINY_INLINED, places, 3);
    assert_true(count >= 1);
    assert_string_equal(places[0].at_file, "/src/tiny.c");
    assert_int_equal(places[0].at_line, 4);
    assert_true(toll_debug_places(d, TINY_IN_RUN, places, 3) >= 1);
    assert_int_equal(places[0].at_line, 11);
}

static void check_inlined(const toll_debug *d)
{
    toll_debug_place places[3];
    toll_debug_function f;
    assert_string_equal(toll_debug_remark(d), "");
    check_lines(d);
    assert_int_equal(toll_debug_places(d, TINY_INLINED, places, 3), 2);
    assert_string_equal(places[0].name, "square");
    assert_string_equal(places[0].file, "/src/tiny.c");
    assert_int_equal(places[0].line, 3);
    assert_string_equal(places[1].name, "twice");
    assert_int_equal(places[1].line, 6);
    assert_string_equal(places[1].at_file, "/src/tiny.c");
    assert_int_equal(places[1].at_line, 7);
    assert_int_equal(places[1].at_column, 12);
    assert_true(toll_debug_find_function(d, TINY_IN_RUN, &f));
    assert_string_equal(f.name, "run");
    assert_int_equal(f.line, 9);
}

static void check_lost(const toll_debug *d, const char *remark)
{
    toll_debug_place places[3];
    assert_string_equal(toll_debug_remark(d), remark);
    check_lines(d);
    assert_int_equal(toll_debug_places(d, TINY_INLINED, places, 3), 1);
    assert_string_equal(places[0].name, "twice"); /* by the name section */
}

static void test_split_dwarf_4_and_5(void **state)
{
    const struct {
        const uint8_t *module;
        size_t size;
        one_file file;
    } cases[] = {
        { split_module4, sizeof split_module4, { "tiny.dwo", split_dwo4, sizeof split_dwo4 } },
        { split_module4, sizeof split_module4, { "app.wasm.dwp", split_dwp4, sizeof split_dwp4 } },
        { split_module5, sizeof split_module5, { "tiny.dwo", split_dwo5, sizeof split_dwo5 } },
        { split_module5, sizeof split_module5, { "app.wasm.dwp", split_dwp5, sizeof split_dwp5 } },
    };
    toll_debug *d;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(open_with(NULL, cases[i].module, cases[i].size, &cases[i].file, &d));
        check_inlined(d);
        toll_debug_free(d);
    }
}

static void check_file(const one_file *file, const char *remark)
{
    toll_debug *d;
    assert_ok(open_with(NULL, split_module5, sizeof split_module5, file, &d));
    check_lost(d, remark);
    toll_debug_free(d);
}

static void test_split_says_what_is_missing(void **state)
{
    uint8_t other[sizeof split_dwo5];
    size_t id = 0;
    (void)state;
    check_file(&(one_file){ "other.dwo", split_dwo5, sizeof split_dwo5 },
               "/x/app.wasm: 1 of 1 .dwo files not found beside it: tiny.dwo" LOST);
    memcpy(other, split_dwo5, sizeof other);
    while (memcmp(other + id, ".debug_info.dwo", 15) != 0)
        id++;
    other[id + 15 + 12] ^= 1; /* behind the header's length, version, kind, and abbreviations */
    check_file(&(one_file){ "tiny.dwo", other, sizeof other },
               "/x/app.wasm: 1 of 1 .dwo files of another build: tiny.dwo" LOST);
    check_file(&(one_file){ "tiny.dwo", split_module5, sizeof split_module5 },
               "/x/app.wasm: 1 of 1 .dwo files damaged: tiny.dwo (it has no section "
               ".debug_info.dwo)" LOST);
    check_file(&(one_file){ "tiny.dwo", (const uint8_t *)"text", 4 },
               "/x/app.wasm: 1 of 1 .dwo files damaged: tiny.dwo (it is neither a WebAssembly "
               "module nor a 64-bit ELF file)" LOST);
    check_file(&(one_file){ "tiny.dwo", split_dwo5, sizeof split_dwo5 - 9 },
               "/x/app.wasm: 1 of 1 .dwo files damaged: tiny.dwo (it is not whole)" LOST);
    check_file(&(one_file){ "app.wasm.dwp", split_dwp5, sizeof split_dwp5 - 9 },
               "/x/app.wasm: 1 of 1 .dwo files damaged: app.wasm.dwp (it is not whole)" LOST);
}

/* --- from a folder -----------------------------------------------------------------------------*/

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *file = fopen(test_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static toll_debug *open_app(bool functions_alone)
{
    toll_debug *d;
    const char *path = test_path("app.wasm");
    if (functions_alone)
        assert_ok(toll_debug_open_functions(NULL, path, &d, err));
    else
        assert_ok(toll_debug_open(NULL, path, &d, err));
    return d;
}

static void check_app_lost(void)
{
    char remark[400];
    snprintf(remark, sizeof remark, "%s: 1 of 1 .dwo files not found beside it: tiny.dwo" LOST,
             test_path("app.wasm"));
    toll_debug *d = open_app(false);
    check_lost(d, remark);
    toll_debug_free(d);
}

/* qemu, which emulates other processors, has another folder in the place of the root: files that
 * are opened from the root on, folder by folder, are not there. */
static bool has_own_root(void)
{
#ifdef _WIN32
    return true;
#else
    int root = open("/", O_RDONLY | O_DIRECTORY);
    struct stat st;
    bool is_there = root >= 0 && fstatat(root, test_path("app.wasm") + 1, &st, 0) == 0;
    close(root);
    return is_there;
#endif
}

static void test_split_files_beside_a_module(void **state)
{
    toll_debug_function f;
    (void)state;
    write_file("app.wasm", split_module5, sizeof split_module5);
    if (!has_own_root()) {
        print_message("skipped: the emulator has another root folder\n");
        skip();
    }
    check_app_lost();
    assert_int_equal(test_make_one_folder(test_path("tiny.dwo")), 0); /* is no file */
    check_app_lost();
    assert_int_equal(rmdir(test_path("tiny.dwo")), 0);
    write_file("tiny.dwo", split_dwo5, sizeof split_dwo5);
    toll_debug *d = open_app(false);
    check_inlined(d);
    toll_debug_free(d);
    d = open_app(true);
    assert_true(toll_debug_find_function(d, TINY_IN_RUN, &f));
    assert_string_equal(f.file, "/src/tiny.c");
    assert_int_equal(f.line, 9);
    toll_debug_free(d);
    write_file("app.wasm.dwp", split_dwp4, sizeof split_dwp4); /* has not this unit */
    d = open_app(false);
    check_inlined(d);
    toll_debug_free(d);
    toll_os_delete(test_path("tiny.dwo"));
    check_app_lost();
    write_file("app.wasm.dwp", split_dwp5, sizeof split_dwp5);
    d = open_app(false);
    check_inlined(d);
    toll_debug_free(d);
}

/* Of bytes that are no file's, no other file is opened. */
static void test_split_of_an_input(void **state)
{
    toll_input *in;
    toll_debug *d;
    (void)state;
    assert_ok(
        toll_input_from_memory(NULL, split_module5, sizeof split_module5, "app.wasm", &in, err));
    assert_ok(toll_debug_read(NULL, in, &d, err));
    check_lost(d, "app.wasm: its DWARF is split: lines are there, inlined functions are in .dwo "
                  "files, which are not read");
    toll_debug_free(d);
    toll_input_free(in);
}

/* --- ranges ------------------------------------------------------------------------------------*/

/* Each kind of entry once, between 0x0d and 0x56, where the code of `run` is. Of the module's
 * addresses 2 is 0x0d, 3 is 0x1a, 4 is 0x4d and 5 is 0x36. */
static const uint8_t range_list[] = {
    4, 0x46, 0x48,                            /* from and to, from the unit's base, which is 0 */
    1, 2,    4,    1,    3,                   /* base 0x0d: 0x0e to 0x10 */
    2, 3,    5,                               /* 0x1a to 0x36 */
    3, 4,    7,                               /* 0x4d to 0x54 */
    5, 0x40, 0,    0,    0, 4,    0, 0x84, 0, /* base 0x40: 0x40 to 0x44; a longer form of 4 */
    6, 0x38, 0,    0,    0, 0x3a, 0, 0,    0, /* 0x38 to 0x3a */
    7, 0x3c, 0,    0,    0, 2,                /* 0x3c to 0x3e */
    0, 3,    5,    0x10,                      /* behind the end */
};

static bool is_in_list(uint64_t at)
{
    return (at >= 0x46 && at < 0x48) || (at >= 0x0e && at < 0x10) || (at >= 0x1a && at < 0x36) ||
           (at >= 0x4d && at < 0x54) || (at >= 0x40 && at < 0x44) || (at >= 0x38 && at < 0x3a) ||
           (at >= 0x3c && at < 0x3e);
}

/* The .dwo file with inlined calls whose ranges are in that list: their DW_AT_low_pc, a number of
 * an address, is one of a list, and their DW_AT_high_pc is something else. There are five lists, of
 * which the header says how many there are. */
static size_t with_lists(uint8_t *out, int offset_size, uint32_t said, const uint8_t *list,
                         size_t list_size)
{
    static const uint8_t low_high[] = { 0x1d, 1, 0x31, 0x13, 0x11, 0x1b, 0x12, 0x06 };
    static const uint8_t ranges[] = { 0x1d, 1, 0x31, 0x13, 0x55, 0x23, 0x0b, 0x06 };
    enum { LISTS = 5 };
    uint8_t body[200], *to = body;
    size_t size = sizeof split_dwo5;
    memcpy(out, split_dwo5, size);
    memcpy(out + find_bytes(out, size, low_high, sizeof low_high), ranges, sizeof ranges);
    if (offset_size == 8)
        put(&to, UINT32_MAX, 4);
    put(&to, 8 + (size_t)(LISTS * offset_size) + list_size, offset_size);
    put(&to, 5, 2); /* the version; addresses of 4 bytes; no segments */
    put(&to, 4, 1);
    put(&to, 0, 1);
    put(&to, said, 4);
    for (int i = 0; i < LISTS; i++)
        put(&to, (uint64_t)(LISTS * offset_size), offset_size);
    memcpy(to, list, list_size);
    return size +
           put_section(out + size, ".debug_rnglists.dwo", body, (size_t)(to - body) + list_size);
}

static void test_split_lists_of_ranges(void **state)
{
    uint8_t dwo[sizeof split_dwo5 + 256];
    toll_debug_place places[3];
    toll_debug *d;
    (void)state;
    for (int offset_size = 4; offset_size <= 8; offset_size += 4) {
        one_file file = { "tiny.dwo", dwo,
                          with_lists(dwo, offset_size, 5, range_list, sizeof range_list) };
        assert_ok(open_with(NULL, split_module5, sizeof split_module5, &file, &d));
        assert_string_equal(toll_debug_remark(d), "");
        for (uint64_t at = 0x0d; at < 0x56; at++) {
            assert_int_equal(toll_debug_places(d, at, places, 3), is_in_list(at) ? 2 : 1);
            assert_string_equal(places[0].name, is_in_list(at) ? "square" : "run");
        }
        toll_debug_free(d);
    }
}

/* A list ends where it cannot be read: the module has no address 6. */
static void test_split_unknown_address(void **state)
{
    static const uint8_t list[] = { 3, 2, 2, 3, 6, 2, 3, 3, 2, 0 };
    uint8_t dwo[sizeof split_dwo5 + 256];
    toll_debug *d;
    (void)state;
    one_file file = { "tiny.dwo", dwo, with_lists(dwo, 4, 5, list, sizeof list) };
    assert_ok(open_with(NULL, split_module5, sizeof split_module5, &file, &d));
    assert_int_equal(toll_debug_places(d, 0x0d, NULL, 0), 2);
    assert_int_equal(toll_debug_places(d, 0x1a, NULL, 0), 1);
    toll_debug_free(d);
}

/* The inlined call has the list of number 4, which is not there if the header has four. */
static void test_split_unknown_list(void **state)
{
    uint8_t dwo[sizeof split_dwo5 + 256];
    toll_debug *d;
    (void)state;
    for (int offset_size = 4; offset_size <= 8; offset_size += 4)
        for (uint32_t said = 3; said <= 6; said++) {
            one_file file = { "tiny.dwo", dwo,
                              with_lists(dwo, offset_size, said, range_list, sizeof range_list) };
            assert_ok(open_with(NULL, split_module5, sizeof split_module5, &file, &d));
            assert_int_equal(toll_debug_places(d, 0x0e, NULL, 0), said > 4 ? 2 : 1);
            toll_debug_free(d);
        }
}

/* --- several units -----------------------------------------------------------------------------*/

/* A compiler that joins units has several in one .dwo file: each ends where the next one begins. */
static void test_split_units_of_one_file(void **state)
{
    static const char name[] = ".debug_info.dwo";
    uint8_t dwo[2 * sizeof split_dwo5 + 512], units[512];
    size_t size = sizeof split_dwo5, from;
    toll_debug *d;
    (void)state;
    memcpy(dwo, split_dwo5, size);
    from = find_bytes(dwo, size, name, sizeof name - 1);
    dwo[from + 10]++; /* that section has another name now */
    from += sizeof name - 1;
    size_t unit = 4 + dwo[from]; /* its length comes first, in four bytes, of which one is enough */
    assert_true(dwo[from + 1] == 0 && 2 * unit <= sizeof units);
    memcpy(units, dwo + from, unit);
    memcpy(units + unit, dwo + from, unit);
    for (size_t other = 0; other < 2; other++) {
        one_file file = { "tiny.dwo", dwo, size };
        units[other * unit + 12] ^= 1; /* another unit's id */
        file.size += put_section(dwo + size, name, units, 2 * unit);
        units[other * unit + 12] ^= 1;
        assert_ok(open_with(NULL, split_module5, sizeof split_module5, &file, &d));
        check_inlined(d);
        toll_debug_free(d);
    }
}

/* --- damage ------------------------------------------------------------------------------------*/

/* A part of a unit that the table has behind the end of its section is not there. */
static void test_split_damaged_table(void **state)
{
    uint8_t dwp[sizeof split_dwp5];
    (void)state;
    memcpy(dwp, split_dwp5, sizeof dwp);
    uint8_t *table = dwp + find_bytes(dwp, sizeof dwp, ".debug_cu_index", 15) + 15;
    uint8_t columns = table[4], rows = table[8], slots = table[12];
    uint8_t *sizes = table + 16 + slots * 12 + columns * 4 + rows * columns * 4;
    sizes[0]++; /* of .debug_info, the first column */
    check_file(
        &(one_file){ "app.wasm.dwp", dwp, sizeof dwp },
        "/x/app.wasm: 1 of 1 .dwo files damaged: app.wasm.dwp (its unit cannot be read)" LOST);
    table[0] = 9;
    check_file(&(one_file){ "app.wasm.dwp", dwp, sizeof dwp },
               "/x/app.wasm: 1 of 1 .dwo files damaged: app.wasm.dwp (its section .debug_cu_index "
               "cannot be read)" LOST);
}

/* Of a unit that can be read only in part nothing is kept. */
static void test_split_damaged_unit(void **state)
{
    uint8_t dwo[sizeof split_dwo5];
    static const uint8_t run[] = { 0x06, 0x02 }; /* of its kind, from address 2 on */
    (void)state;
    memcpy(dwo, split_dwo5, sizeof dwo);
    size_t info = find_bytes(dwo, sizeof dwo, ".debug_info.dwo", 15) + 15;
    dwo[info + find_bytes(dwo + info, sizeof dwo - info, run, sizeof run)] = 0x7f;
    check_file(&(one_file){ "tiny.dwo", dwo, sizeof dwo },
               "/x/app.wasm: 1 of 1 .dwo files damaged: tiny.dwo (an entry has an abbreviation "
               "that does not exist)" LOST);
}

/* A part of the file is not all functions', so that it is not believed. What has another bit may be
 * right for all that Toll can know. */
static void try_file(const one_file *file, bool is_part)
{
    toll_debug *d;
    toll_debug_place places[3];
    assert_ok(open_with(NULL, split_module5, sizeof split_module5, file, &d));
    if (is_part)
        check_lines(d);
    for (uint64_t at = 0; at < 90; at++)
        toll_debug_places(d, at, places, 3);
    toll_debug_free(d);
}

static void damage(const char *name, const uint8_t *whole, size_t size)
{
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, whole, size);
    for (size_t i = 0; i < size; i++)
        try_file(&(one_file){ name, copy, i }, true);
    for (size_t i = 0; i < size; i++)
        for (int bit = (int)(i % 4); bit < 8; bit += 4) {
            copy[i] ^= (uint8_t)(1 << bit);
            try_file(&(one_file){ name, copy, size }, false);
            copy[i] ^= (uint8_t)(1 << bit);
        }
    free(copy);
}

static void test_split_damaged_files(void **state)
{
    (void)state;
    damage("tiny.dwo", split_dwo5, sizeof split_dwo5);
    damage("app.wasm.dwp", split_dwp5, sizeof split_dwp5);
}

static toll_status open_again(const toll_allocator *a, void *user)
{
    toll_debug *d;
    toll_status status = open_with(a, split_module5, sizeof split_module5, user, &d);
    if (!status)
        check_inlined(d);
    toll_debug_free(d);
    return status;
}

static void test_split_every_allocation(void **state)
{
    one_file dwo = { "tiny.dwo", split_dwo5, sizeof split_dwo5 };
    one_file dwp = { "app.wasm.dwp", split_dwp5, sizeof split_dwp5 };
    (void)state;
    test_every_allocation(open_again, &dwo);
    test_every_allocation(open_again, &dwp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_dwarf_4_and_5),
        cmocka_unit_test(test_split_says_what_is_missing),
        cmocka_unit_test_setup_teardown(test_split_files_beside_a_module, test_make_folder,
                                        test_remove_folder),
        cmocka_unit_test(test_split_of_an_input),
        cmocka_unit_test(test_split_lists_of_ranges),
        cmocka_unit_test(test_split_unknown_address),
        cmocka_unit_test(test_split_unknown_list),
        cmocka_unit_test(test_split_units_of_one_file),
        cmocka_unit_test(test_split_damaged_table),
        cmocka_unit_test(test_split_damaged_unit),
        cmocka_unit_test(test_split_damaged_files),
        cmocka_unit_test(test_split_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
