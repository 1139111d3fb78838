/* test_debug_info.c - reads functions, lines and inlined calls from debug information, valid and
 * damaged. tests/debug_info compares large modules with llvm-symbolizer. */
#include "support_debug.h"
#include "support_elf.h"
#include "support_folder.h"

#include "debug/source_map.h"

static toll_status read_from(const toll_allocator *a, const void *data, size_t size,
                             toll_debug **out, toll_error *err)
{
    toll_input *in;
    *out = NULL;
    toll_status status = toll_input_from_memory(a, data, size, "app.wasm", &in, err);
    if (status)
        return status;
    status = toll_debug_read(a, in, out, err);
    toll_input_free(in);
    return status;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(test_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static toll_debug *read_debug(const void *data, size_t size)
{
    toll_debug *d;
    assert_ok(read_from(NULL, data, size, &d, err));
    return d;
}

/* --- DWARF -------------------------------------------------------------------------------------*/

static void check_inlined(const toll_debug *d)
{
    toll_debug_place places[3];
    assert_int_equal(toll_debug_places(d, TINY_INLINED, NULL, 0), 2);
    assert_int_equal(toll_debug_places(d, TINY_INLINED, places, 3), 2);
    assert_string_equal(places[0].name, "square");
    assert_string_equal(places[0].system_name, "");
    assert_string_equal(places[0].file, "/src/tiny.c");
    assert_int_equal(places[0].line, 3);
    assert_string_equal(places[0].at_file, "/src/tiny.c");
    assert_int_equal(places[0].at_line, 4);
    assert_int_equal(places[0].at_column, 14);
    assert_string_equal(places[1].name, "twice");
    assert_int_equal(places[1].line, 6);
    assert_int_equal(places[1].at_line, 7);
    assert_int_equal(places[1].at_column, 12);
}

static void check_tiny(const uint8_t *data, size_t size)
{
    toll_debug *d = read_debug(data, size);
    toll_debug_function f;
    toll_debug_place place;
    assert_string_equal(toll_debug_remark(d), "");
    assert_string_equal(toll_debug_path(d), "app.wasm");
    assert_int_equal(toll_debug_gives(d), TOLL_DEBUG_NAMES | TOLL_DEBUG_LINES | TOLL_DEBUG_INLINES);
    check_inlined(d);
    assert_int_equal(toll_debug_places(d, TINY_IN_RUN, &place, 1), 1);
    assert_int_equal(place.at_line, 11);
    assert_true(toll_debug_find_function(d, TINY_IN_RUN, &f));
    assert_string_equal(f.name, "run");
    assert_string_equal(f.file, "/src/tiny.c");
    assert_int_equal(f.line, 9);
    assert_true(f.begin <= TINY_IN_RUN && f.end > TINY_IN_RUN);
    assert_false(toll_debug_find_function(d, 0, &f));
    assert_string_equal(f.name, "");
    assert_int_equal(toll_debug_places(d, UINT64_MAX, &place, 1), 0);
    toll_debug_free(d);
}

static void test_debug_dwarf_4_and_5(void **state)
{
    (void)state;
    check_tiny(tiny_dwarf4, sizeof tiny_dwarf4);
    check_tiny(tiny_dwarf5, sizeof tiny_dwarf5);
}

/* The functions alone are the same ones, without inlined calls and lines. */
static void test_debug_functions_alone(void **state)
{
    toll_debug *all, *d;
    toll_debug_function f, same;
    toll_debug_place place;
    uint32_t count = 0;
    (void)state;
    write_file("tiny.wasm", tiny_dwarf5, sizeof tiny_dwarf5);
    assert_ok(toll_debug_open(NULL, test_path("tiny.wasm"), &all, err));
    assert_ok(toll_debug_open_functions(NULL, test_path("tiny.wasm"), &d, err));
    assert_string_equal(toll_debug_remark(d), "");
    for (; toll_debug_function_at(d, count, &f); count++) {
        assert_true(toll_debug_find_function(all, f.end - 1, &same));
        assert_string_equal(f.name, same.name);
        assert_string_equal(f.file, same.file);
        assert_int_equal(f.line, same.line);
    }
    assert_true(count > 0);
    assert_string_equal(f.name, "");
    assert_int_equal(toll_debug_places(all, TINY_INLINED, &place, 1), 2);
    assert_int_equal(toll_debug_places(d, TINY_INLINED, &place, 1), 1);
    assert_int_equal(place.at_line, 0);
    toll_debug_free(d);
    toll_debug_free(all);
}

/* A copy of the module with other text, of the same size, at each place. */
static uint8_t *replaced(const char *text, const char *with, size_t size)
{
    uint8_t *copy = malloc(sizeof tiny_dwarf5);
    assert_non_null(copy);
    memcpy(copy, tiny_dwarf5, sizeof tiny_dwarf5);
    for (size_t i = 0; i + size <= sizeof tiny_dwarf5; i++)
        if (memcmp(copy + i, text, size) == 0)
            memcpy(copy + i, with, size);
    return copy;
}

/* A folder of Windows is absolute, whatever the letter of its drive. */
static void test_debug_folders_of_windows(void **state)
{
    static const char *const folders[] = { "c:/s", "C:/s", "z:\\s", "A:\\s", "\\ss/" };
    (void)state;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char expected[32];
        toll_debug_place place;
        uint8_t *copy = replaced("/src", folders[i], 5);
        toll_debug *d = read_debug(copy, sizeof tiny_dwarf5);
        snprintf(expected, sizeof expected, "%s%stiny.c", folders[i],
                 folders[i][3] == '/' ? "" : "/");
        assert_int_equal(toll_debug_places(d, TINY_IN_RUN, &place, 1), 1);
        assert_string_equal(place.at_file, expected);
        toll_debug_free(d);
        free(copy);
    }
}

/* Where a section's content begins. */
static size_t content_of(const uint8_t *module, const char *section)
{
    size_t i = 0;
    while (memcmp(module + i, section, strlen(section)) != 0)
        i++;
    return i + strlen(section);
}

/* Abbreviations in another order than that of their codes, as no compiler writes them. */
static void test_debug_codes_in_any_order(void **state)
{
    enum { HEADER = 12, LARGE_CODE = 0x7f };
    (void)state;
    uint8_t *copy = replaced("/src", "/src", 5);
    size_t abbrev = content_of(copy, ".debug_abbrev"), info = content_of(copy, ".debug_info");
    assert_int_equal(copy[abbrev], 1);
    assert_int_equal(copy[info + HEADER], 1);
    copy[abbrev] = copy[info + HEADER] = LARGE_CODE;
    check_tiny(copy, sizeof tiny_dwarf5);
    free(copy);
}

/* A copy of the module in which a section has another name. */
static uint8_t *renamed(const char *section)
{
    uint8_t *copy = malloc(sizeof tiny_dwarf5);
    size_t size = strlen(section), i = 0;
    assert_non_null(copy);
    memcpy(copy, tiny_dwarf5, sizeof tiny_dwarf5);
    while (memcmp(copy + i, section, size) != 0)
        i++;
    copy[i + size - 1] ^= 1;
    return copy;
}

static void check_remark(const char *section, unsigned gives, const char *text)
{
    uint8_t *copy = renamed(section);
    toll_debug *d = read_debug(copy, sizeof tiny_dwarf5);
    toll_debug_place place;
    assert_string_equal(toll_debug_remark(d), text);
    assert_int_equal(toll_debug_gives(d), gives);
    assert_true(toll_debug_places(d, TINY_INLINED, &place, 1) >= 1);
    if (gives == TOLL_DEBUG_NAMES) {
        assert_string_equal(place.name, "twice");
        assert_string_equal(place.at_file, "");
        assert_int_equal(place.at_line, 0);
    }
    toll_debug_free(d);
    free(copy);
}

static void test_debug_says_what_is_missing(void **state)
{
    (void)state;
    check_remark(".debug_info", TOLL_DEBUG_NAMES,
                 "app.wasm: has no debug information: there are names alone; compile with -g");
    check_remark(".debug_line", TOLL_DEBUG_NAMES | TOLL_DEBUG_INLINES,
                 "app.wasm: its DWARF has no lines; compile with -g and -c, and link without -O, "
                 "which runs wasm-opt");
    check_remark(".debug_addr", TOLL_DEBUG_NAMES,
                 "app.wasm: its debug information is damaged: the addresses of its functions are "
                 "not there (the linker has left out .debug_addr); there are names alone");
}

/* --- which build it is -------------------------------------------------------------------------*/

/* The module with a section more, of which the contents are `data`. */
static toll_debug *with_section(const char *name, const void *data, size_t size, toll_status status)
{
    uint8_t *copy = renamed(".debug_info"), *longer;
    size_t name_size = strlen(name), at = sizeof tiny_dwarf5;
    toll_debug *d;
    toll_error e = { TOLL_OK, "" };
    longer = realloc(copy, at + 3 + name_size + size);
    assert_non_null(longer);
    longer[at++] = 0;
    longer[at++] = (uint8_t)(1 + name_size + size);
    longer[at++] = (uint8_t)name_size;
    memcpy(longer + at, name, name_size);
    memcpy(longer + at + name_size, data, size);
    assert_int_equal(read_from(NULL, longer, at + name_size + size, &d, &e), status);
    if (status)
        assert_string_equal(e.text, "app.wasm: was instrumented, its debug information is gone; "
                                    "name the module that it was made from");
    free(longer);
    return d;
}

static void test_debug_build_ids(void **state)
{
    static const uint8_t id[] = { 3, 0xab, 0x01, 0xff }, cut[] = { 9, 1 };
    const char *hash = "663b7fa49be61fc2";
    (void)state;
    toll_debug *d = with_section("build_id", id, sizeof id, TOLL_OK);
    assert_string_equal(toll_debug_build_id(d), "ab01ff");
    toll_debug_free(d);
    d = with_section("build_id", cut, sizeof cut, TOLL_OK);
    assert_string_equal(toll_debug_build_id(d), hash); /* of the code section */
    toll_debug_free(d);
    d = with_section("other", id, sizeof id, TOLL_OK);
    assert_string_equal(toll_debug_build_id(d), hash);
    toll_debug_free(d);
    assert_null(with_section("toll", id, sizeof id, TOLL_E_UNSUPPORTED));
}

static void test_debug_reads_elf_symbols(void **state)
{
    uint8_t elf[ELF_SIZE];
    size_t size = make_elf(elf);
    toll_debug_function f;
    toll_debug *d = read_debug(elf, size);
    (void)state;
    assert_true(toll_debug_find_function(d, TEXT_ADDRESS + 80, &f));
    assert_string_equal(f.name, "core::fmt::write");
    assert_string_equal(f.system_name, "_ZN4core3fmt5write17h0123456789abcdefE");
    assert_int_equal(f.begin, TEXT_ADDRESS + 80);
    assert_int_equal(f.end, TEXT_ADDRESS + 120);
    assert_false(toll_debug_find_function(d, TEXT_ADDRESS + 120, &f));
    assert_true(toll_debug_find_function(d, TEXT_ADDRESS + 160, &f));
    assert_string_equal(toll_debug_build_id(d), ""); /* its .text is empty */
    toll_debug_free(d);
}

static void test_debug_refuses_other_files(void **state)
{
    toll_debug *d;
    toll_error e;
    (void)state;
    assert_int_equal(read_from(NULL, "text", 4, &d, &e), TOLL_E_UNSUPPORTED);
    assert_string_equal(e.text, "app.wasm: is neither a WebAssembly module nor a 64-bit "
                                "little-endian ELF file; name the program that was profiled, or "
                                "its unstripped twin");
    assert_null(d);
    assert_int_equal(toll_debug_open(NULL, "/nonexistent/x.wasm", &d, &e), TOLL_E_IO);
}

/* --- debug information in a file of its own ----------------------------------------------------*/

/* A module that names `external` as the file with its debug information; with a build id, a byte.
 */
static void write_outer(const char *external, uint8_t build)
{
    uint8_t *outer = renamed(".debug_info");
    size_t at = sizeof tiny_dwarf5, size = strlen(external);
    const uint8_t id[] = { 0, 11, 8, 'b', 'u', 'i', 'l', 'd', '_', 'i', 'd', 1, build };
    outer = realloc(outer, at + 64 + size);
    assert_non_null(outer);
    outer[at++] = 0;
    outer[at++] = (uint8_t)(21 + size);
    outer[at++] = 19;
    memcpy(outer + at, "external_debug_info", 19);
    outer[at + 19] = (uint8_t)size;
    memcpy(outer + at + 20, external, size);
    at += 20 + size;
    if (build) {
        memcpy(outer + at, id, sizeof id);
        outer[at + 1] = sizeof id - 2;
        at += sizeof id;
    }
    write_file("outer.wasm", outer, at);
    free(outer);
}

static void test_debug_external(void **state)
{
    const uint8_t id[] = { 0, 11, 8, 'b', 'u', 'i', 'l', 'd', '_', 'i', 'd', 1, 7 };
    uint8_t other[sizeof tiny_dwarf5 + sizeof id];
    char text[400];
    toll_debug *d;
    toll_error e = { TOLL_OK, "" };
    (void)state;
    /* It is looked for beside the module, wherever it was once. */
    write_file("outer.debug.wasm", tiny_dwarf5, sizeof tiny_dwarf5);
    write_outer("/elsewhere/outer.debug.wasm", 0);
    assert_ok(toll_debug_open(NULL, test_path("outer.wasm"), &d, err));
    assert_string_equal(toll_debug_remark(d), "");
    assert_int_equal(toll_debug_gives(d), TOLL_DEBUG_NAMES | TOLL_DEBUG_LINES | TOLL_DEBUG_INLINES);
    check_inlined(d);
    toll_debug_free(d);
    /* It has another build id than the module; then the same. */
    memcpy(other, tiny_dwarf5, sizeof tiny_dwarf5);
    memcpy(other + sizeof tiny_dwarf5, id, sizeof id);
    write_file("outer.debug.wasm", other, sizeof other);
    write_outer("outer.debug.wasm", 8);
    assert_int_equal(toll_debug_open(NULL, test_path("outer.wasm"), &d, &e), TOLL_E_ARGUMENT);
    snprintf(text, sizeof text, "%s/outer.debug.wasm", test_folder);
    assert_non_null(strstr(e.text, text));
    assert_null(d);
    write_outer("outer.debug.wasm", 7);
    assert_ok(toll_debug_open(NULL, test_path("outer.wasm"), &d, err));
    assert_string_equal(toll_debug_build_id(d), "07");
    check_inlined(d);
    toll_debug_free(d);
    /* It is not there, or cannot be read. */
    write_outer("gone.wasm", 0);
    assert_ok(toll_debug_open(NULL, test_path("outer.wasm"), &d, err));
    assert_int_equal(toll_debug_gives(d), TOLL_DEBUG_NAMES);
    assert_non_null(strstr(toll_debug_remark(d), "gone.wasm, which cannot be opened: there are "
                                                 "names alone"));
    toll_debug_free(d);
    write_file("outer.debug.wasm", "text", 4);
    write_outer("outer.debug.wasm", 0);
    assert_int_equal(toll_debug_open(NULL, test_path("outer.wasm"), &d, &e), TOLL_E_UNSUPPORTED);
}

/* --- source maps -------------------------------------------------------------------------------*/

static toll_status read_map(const toll_allocator *a, const char *json, toll_address_map *map,
                            toll_source_texts *texts, toll_error *e)
{
    toll_mem mem = toll_mem_from(a);
    toll_input *in;
    toll_address_map_init(map, &mem);
    toll_source_texts_init(texts, &mem);
    toll_status status = toll_input_from_memory(a, json, strlen(json), "app.map", &in, e);
    if (status)
        return status;
    status = toll_source_map_read(in, 100, map, texts, e);
    if (!status && !toll_address_map_finish(map))
        status = TOLL_E_NOMEM;
    toll_input_free(in);
    return status;
}

/* Bytes 110 to 112: a.ts, line 2, column 3; up to 119: b.ts, line 5, column 1; then nothing. */
static const char small_map[] = "{\"version\":3,\"sourceRoot\":\"/r\",\"mappings\":\"8GACE,"
                                "GCGF,O\",\"sources\":[\"a.ts\",\"b.ts\"],\"names\":[]}";

static void test_debug_source_map(void **state)
{
    toll_address_map map;
    toll_source_texts texts;
    (void)state;
    assert_ok(read_map(NULL, small_map, &map, &texts, err));
    assert_null(toll_source_texts_find(&texts, "/r/a.ts"));
    assert_null(toll_address_map_row(&map, TOLL_MAP_NONE, 9));
    const toll_map_row *row = toll_address_map_row(&map, TOLL_MAP_NONE, 10);
    assert_non_null(row);
    assert_string_equal(toll_strtab_text(&map.texts, row->file), "/r/a.ts");
    assert_int_equal(row->line, 2);
    assert_int_equal(row->column, 3);
    row = toll_address_map_row(&map, TOLL_MAP_NONE, 19);
    assert_non_null(row);
    assert_string_equal(toll_strtab_text(&map.texts, row->file), "/r/b.ts");
    assert_int_equal(row->line, 5);
    assert_int_equal(row->column, 1);
    assert_null(toll_address_map_row(&map, TOLL_MAP_NONE, 20));
    toll_source_texts_free(&texts);
    toll_address_map_free(&map);
}

/* Each number of sources has the root in front of all of them. */
static void test_debug_source_map_of_many_files(void **state)
{
    (void)state;
    for (int count = 1; count <= 40; count++) {
        toll_address_map map;
        toll_source_texts texts;
        char json[1000] = "{\"sourceRoot\":\"/r/\",\"sources\":[", name[16];
        for (int i = 0; i < count; i++)
            snprintf(json + strlen(json), sizeof json - strlen(json), "%s\"%d.ts\"", i ? "," : "",
                     i);
        strcat(json, "],\"mappings\":\"8GACE"); /* of the first, and then of each next one */
        for (int i = 1; i < count; i++)
            strcat(json, ",CCAA");
        strcat(json, "\"}");
        assert_ok(read_map(NULL, json, &map, &texts, err));
        for (int i = 0; i < count; i++) {
            const toll_map_row *row = toll_address_map_row(&map, TOLL_MAP_NONE, 10 + (uint64_t)i);
            assert_non_null(row);
            snprintf(name, sizeof name, "/r/%d.ts", i);
            assert_string_equal(toll_strtab_text(&map.texts, row->file), name);
        }
        toll_source_texts_free(&texts);
        toll_address_map_free(&map);
    }
}

/* A number in the first and last digits of each kind: bytes from there on, of code from 100 on. */
static void test_debug_source_map_has_64_digits(void **state)
{
    static const struct {
        const char *number;
        uint64_t begin;
    } cases[] = {
        { "gZ", 400 },   { "ga", 416 },   { "gf", 496 },   { "ggD", 1536 }, { "gzA", 304 },
        { "g0D", 1856 }, { "g9D", 2000 }, { "g+D", 2016 }, { "g/D", 2032 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_address_map map;
        toll_source_texts texts;
        char json[100];
        snprintf(json, sizeof json, "{\"mappings\":\"%sAACE\",\"sources\":[\"a.ts\"]}",
                 cases[i].number);
        assert_ok(read_map(NULL, json, &map, &texts, err));
        assert_null(toll_address_map_row(&map, TOLL_MAP_NONE, cases[i].begin - 101));
        assert_non_null(toll_address_map_row(&map, TOLL_MAP_NONE, cases[i].begin - 100));
        toll_source_texts_free(&texts);
        toll_address_map_free(&map);
    }
}

/* The texts come before the names of their files, which are relative to the root. The second file
 * has no text, the third no name, the fourth has the name of the first, and the fifth has a number
 * in place of a text. */
static const char map_with_texts[] = "{\"mappings\":\"8GACE,GCGF,GCAA\",\"sourcesContent\":["
                                     "\"one\\ntwo\\n\",null,\"nobody's\",\"again\",5,"
                                     "\"\",\"a\\u0000b\"],\"sources\":[\"a.ts\",\"b.ts\",null,\"a."
                                     "ts\",\"c.ts\",\"empty.ts\",\"nul.ts\"],"
                                     "\"sourceRoot\":\"/r/\",\"sourcesContent\":[\"other\"]}";

static void assert_text(const toll_source_texts *texts, const char *name, const char *text)
{
    const toll_source_item *item = toll_source_texts_find(texts, name);
    assert_non_null(item);
    assert_int_equal(item->size, strlen(text));
    assert_memory_equal(item->text, text, item->size);
}

static void test_debug_source_map_with_texts(void **state)
{
    static const char *const none[] = { "a.ts", "/r/b.ts", "/r/c.ts", "/r/", "" };
    toll_address_map map;
    toll_source_texts texts;
    (void)state;
    assert_ok(read_map(NULL, map_with_texts, &map, &texts, err));
    assert_text(&texts, "/r/a.ts", "one\ntwo\n");
    assert_text(&texts, "/r/empty.ts", "");
    assert_text(&texts, "/r/nul.ts",
                "a\xef\xbf\xbd"
                "b");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(toll_source_texts_find(&texts, none[i]));
    const toll_map_row *row = toll_address_map_row(&map, TOLL_MAP_NONE, 16);
    assert_non_null(row);
    assert_string_equal(toll_strtab_text(&map.texts, row->file), ""); /* the one without a name */
    toll_source_texts_free(&texts);
    toll_address_map_free(&map);
}

/* A text of 8 MiB is the largest; nine of these are more than 64 MiB. */
static void test_debug_source_texts_are_bounded(void **state)
{
    enum { MOST = 8 << 20 };
    toll_source_texts texts;
    toll_mem mem = toll_mem_from(NULL);
    char *text = calloc(MOST + 1, 1);
    (void)state;
    assert_non_null(text);
    toll_source_texts_init(&texts, &mem);
    assert_true(toll_source_texts_add(&texts, text, MOST + 1));
    for (int i = 0; i < 9; i++)
        assert_true(toll_source_texts_add(&texts, text, MOST));
    assert_true(toll_source_texts_add(&texts, "", 0));
    for (size_t i = 0; i < 11; i++)
        assert_true(toll_source_texts_name(&texts, i, (const char[]){ (char)('a' + i), 0 }));
    assert_true(toll_source_texts_name(&texts, 11, "there is no such number"));
    assert_true(toll_source_texts_find(&texts, "a")->is_too_large);
    assert_false(toll_source_texts_find(&texts, "i")->is_too_large);
    assert_int_equal(toll_source_texts_find(&texts, "i")->size, MOST);
    assert_true(toll_source_texts_find(&texts, "j")->is_too_large);
    assert_null(toll_source_texts_find(&texts, "j")->text);
    assert_false(toll_source_texts_find(&texts, "k")->is_too_large);
    assert_null(toll_source_texts_find(&texts, "there is no such number"));
    toll_source_texts_free(&texts);
    free(text);
}

static void test_debug_damaged_source_maps(void **state)
{
    static const struct {
        const char *json, *error;
        toll_status status;
    } cases[] = {
        { "[]", "app.map:1: a source map must be an object", TOLL_E_SYNTAX },
        { "{}", "app.map:1: has no mappings: is it a source map?", TOLL_E_SYNTAX },
        { "{\"mappings\":\"A!\"}", "app.map:1: the mappings are damaged; build the module again",
          TOLL_E_SYNTAX },
        { "{\"mappings\":\"8!ACE\"}", "app.map:1: the mappings are damaged; build the module again",
          TOLL_E_SYNTAX },
        { "{\"mappings\":\"8GDCE\"}", "app.map:1: the mappings are damaged; build the module again",
          TOLL_E_SYNTAX }, /* of a source before the first */
        { "{\"mappings\":\"+/////fACE\"}",
          "app.map:1: the mappings are damaged; build the module again", TOLL_E_SYNTAX },
        { "{\"mappings\":\"DA\"}", "app.map:1: the mappings are damaged; build the module again",
          TOLL_E_SYNTAX },
        { "{\"mappings\":\"\",\"mappings\":\"\"}", "app.map:1: mappings are there twice",
          TOLL_E_SYNTAX },
        { "{\"sections\":[]}", "app.map:1: is a map of maps, which are not read",
          TOLL_E_UNSUPPORTED },
        { "{\"mappings\":\"\",\"sources\":[7]}", "app.map:1: sources must be texts",
          TOLL_E_SYNTAX },
        { "{\"sources\":[\"a\"],\"sourcesContent\":[\"text\"],\"mappings\":\"DA\"}",
          "app.map:1: the mappings are damaged; build the module again", TOLL_E_SYNTAX },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_address_map map;
        toll_source_texts texts;
        toll_error e = { TOLL_OK, "" };
        assert_int_equal(read_map(NULL, cases[i].json, &map, &texts, &e), cases[i].status);
        assert_string_equal(e.text, cases[i].error);
        assert_int_equal(map.row_count, 0);
        assert_int_equal(texts.count, 0);
        toll_source_texts_free(&texts);
        toll_address_map_free(&map);
    }
}

static toll_status read_map_again(const toll_allocator *a, void *user)
{
    toll_address_map map;
    toll_source_texts texts;
    toll_status status = read_map(a, user, &map, &texts, NULL);
    toll_source_texts_free(&texts);
    toll_address_map_free(&map);
    return status;
}

/* --- damage, and no memory ---------------------------------------------------------------------*/

/* Any bytes are either refused, or each address can be looked up without a fault. */
static void try_bytes(const uint8_t *data, size_t size)
{
    toll_debug *d;
    toll_debug_place places[4];
    toll_debug_function f;
    toll_error e = { TOLL_OK, "" };
    uint8_t *copy = malloc(size + 1); /* sanitizers see reads beyond its end */
    assert_non_null(copy);
    memcpy(copy, data, size);
    if (read_from(NULL, copy, size, &d, &e))
        assert_true(e.text[0] != 0);
    else
        for (uint64_t address = 0; address < 100; address += 3) {
            toll_debug_places(d, address, places, 4);
            toll_debug_find_function(d, address, &f);
        }
    toll_debug_free(d);
    free(copy);
}

static void test_debug_damaged_modules(void **state)
{
    uint8_t copy[sizeof tiny_dwarf5];
    (void)state;
    for (size_t size = 0; size < sizeof tiny_dwarf5; size++)
        try_bytes(tiny_dwarf5, size);
    memcpy(copy, tiny_dwarf5, sizeof copy);
    for (size_t i = 0; i < sizeof copy; i++)
        for (int bit = 0; bit < 8; bit++) {
            copy[i] ^= (uint8_t)(1 << bit);
            try_bytes(copy, sizeof copy);
            copy[i] ^= (uint8_t)(1 << bit);
        }
}

static toll_status read_again(const toll_allocator *a, void *user)
{
    toll_debug *d;
    const uint8_t *data = user;
    toll_status status = read_from(a, data, sizeof tiny_dwarf5, &d, NULL);
    toll_debug_free(d);
    return status;
}

static void test_debug_every_allocation(void **state)
{
    uint8_t *stripped = renamed(".debug_info");
    (void)state;
    test_every_allocation(read_again, stripped);
    test_every_allocation(read_map_again, (void *)(uintptr_t)small_map);
    test_every_allocation(read_map_again, (void *)(uintptr_t)map_with_texts);
    test_every_allocation(read_again, (void *)(uintptr_t)tiny_dwarf5);
    free(stripped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_debug_dwarf_4_and_5),
        cmocka_unit_test_setup_teardown(test_debug_functions_alone, test_make_folder,
                                        test_remove_folder),
        cmocka_unit_test(test_debug_says_what_is_missing),
        cmocka_unit_test(test_debug_folders_of_windows),
        cmocka_unit_test(test_debug_codes_in_any_order),
        cmocka_unit_test(test_debug_build_ids),
        cmocka_unit_test_setup_teardown(test_debug_external, test_make_folder, test_remove_folder),
        cmocka_unit_test(test_debug_reads_elf_symbols),
        cmocka_unit_test(test_debug_refuses_other_files),
        cmocka_unit_test(test_debug_source_map),
        cmocka_unit_test(test_debug_source_map_with_texts),
        cmocka_unit_test(test_debug_source_map_has_64_digits),
        cmocka_unit_test(test_debug_source_map_of_many_files),
        cmocka_unit_test(test_debug_source_texts_are_bounded),
        cmocka_unit_test(test_debug_damaged_source_maps),
        cmocka_unit_test(test_debug_damaged_modules),
        cmocka_unit_test(test_debug_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
