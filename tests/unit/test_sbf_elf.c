/* test_sbf_elf.c - names of functions from the ELF files of Solana programs, whole and damaged. */
#include "support_elf.h"

#include "base/fingerprint.h"
#include "sbf/sbf_elf.h"

static toll_status read_elf(const uint8_t *data, size_t size, toll_sbf_symbols *s, toll_error *e)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_input *in;
    toll_sbf_symbols_init(s, &mem);
    assert_ok(toll_input_from_memory(NULL, data, size, "elf", &in, err));
    toll_status status = toll_sbf_symbols_read(s, in, e);
    toll_input_free(in);
    return status;
}

static void test_sbf_symbols_cover_their_size(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    assert_ok(read_elf(elf, size, &s, err));
    assert_null(toll_sbf_symbols_find(&s, 9, NULL));
    assert_non_null(toll_sbf_symbols_find(&s, 14, NULL));
    assert_null(toll_sbf_symbols_find(&s, 15, NULL));
    assert_string_equal(toll_sbf_symbols_find(&s, 20, NULL), "walk");
    assert_string_equal(toll_sbf_symbols_find(&s, 1000, NULL), "walk");
    assert_null(toll_sbf_symbols_find(&s, UINT64_MAX, NULL));
    toll_sbf_symbols_free(&s);
}

/* The file may have them in any order. Of two functions at one address the larger one counts, also
 * where the sizes differ in their highest bytes alone. */
static void test_sbf_symbols_are_sorted(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    put_symbol(elf, 1, 40, 0x12, TEXT_ADDRESS + 160, 0);                 /* walk */
    put_symbol(elf, 3, 50, 0x12, TEXT_ADDRESS + 160, UINT64_C(1) << 56); /* twin */
    put_symbol(elf, 4, 1, 0x12, TEXT_ADDRESS + 80, 40);
    assert_ok(read_elf(elf, size, &s, err));
    assert_null(toll_sbf_symbols_find(&s, 9, NULL));
    assert_non_null(strstr(toll_sbf_symbols_find(&s, 10, NULL), "write"));
    assert_null(toll_sbf_symbols_find(&s, 15, NULL));
    assert_string_equal(toll_sbf_symbols_find(&s, 20, NULL), "twin");
    toll_sbf_symbols_free(&s);
}

/* Addresses are of 64 bits, all of which count. */
static void test_sbf_symbols_at_high_addresses(void **state)
{
    const uint64_t high = UINT64_C(1) << 60;
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    put_section(elf, 1, 1, 1, high, 0, 0, 0);
    put_symbol(elf, 1, 1, 0x12, high + 80, 40);
    put_symbol(elf, 3, 40, 0x12, high + 160, 0);
    put_symbol(elf, 4, 50, 0x12, high + 160, 0);
    assert_ok(read_elf(elf, size, &s, err));
    assert_null(toll_sbf_symbols_find(&s, 9, NULL));
    assert_non_null(toll_sbf_symbols_find(&s, 14, NULL));
    assert_string_equal(toll_sbf_symbols_find(&s, 20, NULL), "walk");
    toll_sbf_symbols_free(&s);
}

/* The flags of the ELF header are the version of SBPF. */
static void test_sbf_versions(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    for (uint8_t version = 0; version <= 3; version++) {
        elf[48] = version;
        assert_ok(read_elf(elf, size, &s, err));
        assert_int_equal(s.version, version);
        toll_sbf_symbols_free(&s);
    }
}

static void test_sbf_elfs_that_are_only_a_beginning(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    toll_error e = { TOLL_OK, "" };
    make_elf(elf);
    (void)state;
    assert_int_equal(read_elf(elf, 3, &s, &e), TOLL_E_UNKNOWN_FORMAT);
    assert_non_null(strstr(e.text, "elf: is no ELF file"));
    for (size_t size = 4; size < 64; size += 59) {
        assert_int_equal(read_elf(elf, size, &s, &e), TOLL_E_TRUNCATED);
        assert_string_equal(e.text, "elf: ends in the ELF header; build it again");
    }
    assert_int_equal(read_elf(elf, 64, &s, &e), TOLL_E_TRUNCATED);
    assert_non_null(strstr(e.text, "the section headers are beyond the end of the file"));
}

/* A stripped file names what its .dynsym has, and where it begins; nothing in between. */
static void test_sbf_stripped_elfs(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    put(elf + 64 + 2 * 64 + 4, 11, 4);
    put(elf + 24, TEXT_ADDRESS + 8 * 40, 8);
    assert_ok(read_elf(elf, size, &s, err));
    assert_true(s.is_stripped);
    assert_non_null(strstr(toll_sbf_symbols_find(&s, 14, NULL), "write"));
    assert_string_equal(toll_sbf_symbols_find(&s, 20, NULL), "walk");
    assert_null(toll_sbf_symbols_find(&s, 21, NULL));
    assert_string_equal(toll_sbf_symbols_find(&s, 40, NULL), "entrypoint");
    assert_null(toll_sbf_symbols_find(&s, 41, NULL));
    toll_sbf_symbols_free(&s);
    put(elf + 64 + 2 * 64 + 4, 3, 4); /* not even that */
    assert_ok(read_elf(elf, size, &s, err));
    assert_null(toll_sbf_symbols_find(&s, 20, NULL));
    assert_string_equal(toll_sbf_symbols_find(&s, 40, NULL), "entrypoint");
    toll_sbf_symbols_free(&s);
}

/* SBPF v3 loads segments, and needs no sections: the first is constants, the second code. */
static void test_sbf_segments_without_sections(void **state)
{
    uint8_t elf[64 + 2 * 56 + 24] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    toll_sbf_symbols s, other;
    toll_error e = { TOLL_OK, "" };
    uint8_t *data = elf + 64, *code = elf + 64 + 56;
    (void)state;
    put(elf + 18, 247, 2);
    put(elf + 24, (UINT64_C(1) << 32) + 8, 8);
    put(elf + 32, 64, 8);
    put(elf + 48, 3, 4);
    put(elf + 54, 56, 2);
    put(elf + 56, 2, 2);
    put(data, 1, 4);
    put(data + 4, 4, 4);
    put(data + 8, 64 + 2 * 56, 8);
    put(data + 32, 8, 8);
    put(code, 1, 4);
    put(code + 4, 1, 4);
    put(code + 8, 64 + 2 * 56 + 8, 8);
    put(code + 16, UINT64_C(1) << 32, 8);
    put(code + 32, 16, 8);
    elf[64 + 2 * 56 + 8] = 0x95;
    elf[64 + 2 * 56 + 16] = 0x85;
    assert_ok(read_elf(elf, sizeof elf, &s, err));
    assert_int_equal(s.text.size, 16);
    assert_string_equal(toll_sbf_symbols_find(&s, 1, NULL), "entrypoint");
    assert_null(toll_sbf_symbols_find(&s, 0, NULL));
    put(elf + 56, 0, 2); /* neither segments nor sections */
    assert_int_not_equal(read_elf(elf, sizeof elf, &other, &e), TOLL_OK);
    assert_non_null(strstr(e.text, "section"));
    put(elf + 56, 1, 2); /* the constants alone: bytes behind the table are no segment */
    assert_int_equal(read_elf(elf, sizeof elf, &other, &e), TOLL_E_UNSUPPORTED);
    toll_sbf_symbols_free(&other);
    put(elf + 32, 64 + 56, 8); /* the code alone */
    assert_ok(read_elf(elf, sizeof elf, &other, err));
    assert_true(toll_sbf_symbols_same_code(&s, &other));
    toll_sbf_symbols_free(&other);
    put(elf + 32, 64, 8);
    put(elf + 56, 2, 2);
    elf[64 + 2 * 56 + 20] = 7; /* what a call is to */
    assert_ok(read_elf(elf, sizeof elf, &other, err));
    assert_true(toll_sbf_symbols_same_code(&s, &other));
    toll_sbf_symbols_free(&other);
    elf[64 + 2 * 56 + 8] = 0x9d;
    assert_ok(read_elf(elf, sizeof elf, &other, err));
    assert_false(toll_sbf_symbols_same_code(&s, &other));
    toll_sbf_symbols_free(&other);
    toll_sbf_symbols_free(&s);
    put(code + 32, 17, 8);
    assert_int_equal(read_elf(elf, sizeof elf, &s, &e), TOLL_E_TRUNCATED);
    assert_string_equal(e.text, "elf: at byte 120: segment 1 reaches beyond the end of the file");
    toll_sbf_symbols_free(&s);
    put(code + 32, 16, 8);
    for (size_t field = 8; field <= 32; field += 24) { /* offset, size: the last of their bytes */
        code[field + 7] = 1;
        assert_int_equal(read_elf(elf, sizeof elf, &s, &e), TOLL_E_TRUNCATED);
        toll_sbf_symbols_free(&s);
        code[field + 7] = 0;
    }
    elf[32 + 7] = 1; /* and of the place of the segments */
    assert_int_not_equal(read_elf(elf, sizeof elf, &s, &e), TOLL_OK);
    toll_sbf_symbols_free(&s);
    elf[32 + 7] = 0;
    put(code + 4, 4, 4);
    assert_int_equal(read_elf(elf, sizeof elf, &s, &e), TOLL_E_UNSUPPORTED);
    assert_string_equal(e.text, "elf: has no code (.text); build it again");
    toll_sbf_symbols_free(&s);
}

static void test_sbf_bad_elfs(void **state)
{
    static const struct {
        size_t at;
        uint8_t byte;
        toll_status status;
        const char *error;
    } cases[] = {
        { 1, 'e', TOLL_E_UNKNOWN_FORMAT, "elf: is no ELF file; name the program's unstripped .so" },
        { 4, 1, TOLL_E_UNSUPPORTED,
          "elf: is no 64-bit little-endian ELF file, as programs for SBF are" },
        { 18, 62, TOLL_E_UNSUPPORTED,
          "elf: is built for machine 62, not for BPF (247) or SBF (263)" },
        { 43, 1, TOLL_E_TRUNCATED,
          "elf: at byte 40: the section headers are beyond the end of the file; it is cut off" },
        { 58, 32, TOLL_E_UNSUPPORTED,
          "elf: at byte 58: 5 section headers of 32 bytes; some of 64 are needed for the names" },
        { 60, 0, TOLL_E_UNSUPPORTED,
          "elf: at byte 58: 0 section headers of 64 bytes; some of 64 are needed for the names" },
        { 60, 1, TOLL_E_SYNTAX, "elf: there is no section 4 of 1" },
        { 62, 5, TOLL_E_SYNTAX, "elf: there is no section 5 of 5" },
        { 64 + 2 * 64 + 39, 1, TOLL_E_TRUNCATED,
          "elf: at byte 192: section 2 reaches beyond the end of the file" },
        { 64 + 5 * 64 + 24 + 3, 1, TOLL_E_SYNTAX,
          "elf: at byte 408: a symbol's name is outside of its section; build it again" },
    };
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toll_error e = { TOLL_OK, "" };
        size_t size = make_elf(elf);
        elf[cases[i].at] = cases[i].byte;
        assert_int_equal(read_elf(elf, size, &s, &e), cases[i].status);
        assert_string_equal(e.text, cases[i].error);
        toll_sbf_symbols_free(&s);
    }
}

/* The linker's id tells builds apart; without one, or with a damaged one, the code does. */
static void test_sbf_build_ids(void **state)
{
    static const struct {
        size_t at;
        uint8_t byte;
        bool is_good;
    } cases[] = {
        { 0, 4, true },     /* as it is */
        { 0, 5, false },    /* the size of the name */
        { 4, 0, false },    /* of the id */
        { 4, 2, true },     /* with bytes after it */
        { 4, 4, false },    /* one byte more than there are */
        { 7, 1, false },    /* 16 MB */
        { 8, 1, false },    /* a note of another type */
        { 12, 'X', false }, /* of another owner */
    };
    uint8_t elf[ELF_ID_SIZE];
    char code[TOLL_FINGERPRINT_SIZE];
    toll_sbf_symbols s;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t note, size = make_elf_with_id(elf, &note);
        elf[note + cases[i].at] = cases[i].byte;
        assert_ok(read_elf(elf, size, &s, err));
        toll_fingerprint(s.text.data, s.text.size, code);
        const char *id = cases[i].at == 4 ? "ab01" : "ab01ff";
        assert_string_equal((char *)s.build_id.data, cases[i].is_good ? id : code);
        toll_sbf_symbols_free(&s);
    }
}

/* Of several sections of a kind the first counts. */
static void test_sbf_the_first_section_counts(void **state)
{
    uint8_t elf[ELF_SIZE + 16];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    elf[size] = 0xb7;
    put_section(elf, 1, 1, 1, TEXT_ADDRESS, size, 8, 0);
    put_section(elf, 3, 1, 1, TEXT_ADDRESS + 8, size, 16,
                0); /* .text; still the symbols' strings */
    put(elf + 64 + 3 * 64 + 24, 64 + 5 * 64 + 5 * 24, 8);
    put(elf + 64 + 3 * 64 + 32, 56, 8);
    assert_ok(read_elf(elf, size + 16, &s, err));
    assert_int_equal(s.text.size, 8);
    assert_int_equal(s.text_address, TEXT_ADDRESS);
    assert_string_equal(toll_sbf_symbols_find(&s, 20, NULL), "walk");
    toll_sbf_symbols_free(&s);
}

/* Without code and without a note nothing tells builds apart. */
static void test_sbf_no_build_id(void **state)
{
    uint8_t elf[ELF_SIZE];
    toll_sbf_symbols s;
    size_t size = make_elf(elf);
    (void)state;
    assert_ok(read_elf(elf, size, &s, err));
    assert_string_equal((char *)s.build_id.data, "");
    toll_sbf_symbols_free(&s);
}

/* Cut at any byte, or with any bit flipped, it is read or refused. Sanitizers see reads beyond its
 * end. */
static void test_sbf_damaged_elfs(void **state)
{
    uint8_t elf[ELF_ID_SIZE];
    toll_sbf_symbols s;
    size_t note, size = make_elf_with_id(elf, &note);
    (void)state;
    for (size_t n = 0; n < size; n++) {
        uint8_t *cut = malloc(n + 1);
        assert_non_null(cut);
        memcpy(cut, elf, n);
        assert_int_not_equal(read_elf(cut, n, &s, NULL), TOLL_OK);
        toll_sbf_symbols_free(&s);
        free(cut);
    }
    uint8_t *exact = malloc(size);
    assert_non_null(exact);
    memcpy(exact, elf, size);
    for (size_t n = 0; n < size; n++)
        for (int bit = 0; bit < 8; bit++) {
            exact[n] ^= (uint8_t)(1 << bit);
            if (read_elf(exact, size, &s, NULL) == TOLL_OK)
                toll_sbf_symbols_find(&s, 20, NULL);
            toll_sbf_symbols_free(&s);
            exact[n] ^= (uint8_t)(1 << bit);
        }
    free(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_symbols_cover_their_size),
        cmocka_unit_test(test_sbf_symbols_are_sorted),
        cmocka_unit_test(test_sbf_symbols_at_high_addresses),
        cmocka_unit_test(test_sbf_versions),
        cmocka_unit_test(test_sbf_elfs_that_are_only_a_beginning),
        cmocka_unit_test(test_sbf_stripped_elfs),
        cmocka_unit_test(test_sbf_segments_without_sections),
        cmocka_unit_test(test_sbf_bad_elfs),
        cmocka_unit_test(test_sbf_build_ids),
        cmocka_unit_test(test_sbf_the_first_section_counts),
        cmocka_unit_test(test_sbf_no_build_id),
        cmocka_unit_test(test_sbf_damaged_elfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
