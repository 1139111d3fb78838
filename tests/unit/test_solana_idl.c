/* test_solana_idl.c - names of Solana's instructions by IDLs of programs. */
#include "support_solana.h"

#include "support_folder.h"

/* Of a program of before Anchor 0.30, without an address; and of one since. */
static const char old_idl[] =
    "{\"version\":\"0.1.0\",\"name\":\"swap\",\"instructions\":[{\"name\":\"initialize\","
    "\"accounts\":[{\"name\":\"user\"}],\"args\":[]},{\"name\":\"swapBaseIn\"}]}";
static const char new_idl[] =
    "{\"address\":\"" SWAP "\",\"metadata\":{\"name\":\"my_swap\"},\"instructions\":["
    "{\"name\":\"swap_v2\",\"discriminator\":[1,2,3,4,5,6,7,8]},"
    "{\"name\":\"a\",\"discriminator\":[1]}]}";
static const char shank_idl[] =
    "{\"name\":\"s\",\"metadata\":{\"origin\":\"shank\",\"address\":\"" SWAP "\"},"
    "\"instructions\":[{\"name\":\"Go\",\"discriminant\":{\"type\":\"u8\",\"value\":3}}]}";

/* The data 01..08, 01 02, sha256("global:swap_base_in")[..8], 03, an event to itself. */
static const char calls[] = "{\"meta\":{\"logMessages\":[" BEGIN(SWAP, "1")
    END(SWAP, "1") "," BEGIN(SWAP, "1") END(SWAP, "2") "," BEGIN(SWAP, "1")
        END(SWAP, "4") "," BEGIN(SWAP, "1") END(SWAP, "8") "," BEGIN(SWAP, "1") END(
            SWAP, "16") "]},"
                        "\"transaction\":{\"message\":{\"instructions\":["
                        "{\"programId\":\"" SWAP
                        "\",\"data\":\"An6UebxCZd\"},{\"programId\":\"" SWAP "\",\"data\":\"5T\"},"
                        "{\"programId\":\"" SWAP
                        "\",\"data\":\"BeLpbAmA9HJUZyC\"},{\"programId\":\"" SWAP
                        "\",\"data\":\"4\"},"
                        "{\"programId\":\"" SWAP
                        "\",\"data\":\"amY9UJ2PkU3CxZ3AitSjmVLGwjJ2GAHVn4KgQzbhCyL1RxWdFM2X\"}]}}}";

static const char *write_file(const char *name, const char *text)
{
    const char *path = test_path(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
    return path;
}

static toll_profile *read_with_idl(const char *id, const char *idl, warnings *w)
{
    const toll_program_file file = { id, write_file("idl.json", idl) };
    const toll_solana_options solana = { .size = sizeof solana, .idls = &file, .idl_count = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = {
        .size = sizeof options, .warn = warn, .warn_user = w, .readers = &reader, .reader_count = 1
    };
    return read_log(calls, &options);
}

static void test_idls_name_instructions(void **state)
{
    warnings w = { 0 };
    (void)state;
    toll_profile *p = read_with_idl(NULL, new_idl, &w);
    assert_int_equal(test_self(p, "", "my_swap: SwapV2", 1), 1);
    assert_int_equal(test_self(p, "", "my_swap: A", 1), 2);
    assert_int_equal(test_self(p, "", "my_swap", 1), 4 + 8);
    assert_int_equal(test_self(p, "", "my_swap: EmitCpi", 1), 16);
    toll_profile_free(p);
    p = read_with_idl(SWAP, old_idl, &w);
    assert_int_equal(test_self(p, "", "swap: SwapBaseIn", 1), 4);
    assert_int_equal(test_self(p, "", "swap", 1), 1 + 2 + 8);
    toll_profile_free(p);
    p = read_with_idl(NULL, shank_idl, &w);
    assert_int_equal(test_self(p, "", "s: Go", 1), 8);
    toll_profile_free(p);
    assert_int_equal(w.count, 0);
}

static void test_idls_of_other_programs_are_told(void **state)
{
    warnings w = { 0 };
    (void)state;
    toll_profile *p = read_with_idl(TOKEN, old_idl, &w);
    assert_int_equal(test_self(p, "", FSWAP, 1), 1 + 2 + 4 + 8);
    toll_profile_free(p);
    assert_int_equal(w.count, 1);
    assert_non_null(strstr(w.last, "idl.json: is the IDL of " TOKEN
                                   ", which does not run here; it is not used"));
    p = read_with_idl(SWAP, "{\"address\":\"" TOKEN "\",\"instructions\":[]}", &w);
    toll_profile_free(p);
    assert_int_equal(w.count, 2);
    assert_non_null(
        strstr(w.last, "idl.json: says that it is the IDL of " TOKEN "; it is used for " SWAP));
}

static void test_bad_idls(void **state)
{
    static const struct {
        const char *idl, *error;
    } cases[] = {
        { "[]", "an IDL is an object" },
        { "{\"kind\":\"rootNode\"}", "has no \"instructions\"; is this the IDL that anchor build" },
        { "{\"instructions\":[]}", "does not say of which program it is; say --idl ID=" },
        { "{\"address\":\"short\",\"instructions\":[]}", "does not say of which program it is" },
        { "{\"instructions\":5}", "an instruction is an object" },
        { "{\"instructions\":[{\"name\":\"a\",\"discriminator\":[300]}]}",
          "a discriminator is an array of at most 16 bytes" },
        { "{\"instructions\":[{\"name\":\"a\",\"discriminator\":[1.5]}]}",
          "a discriminator is an array of at most 16 bytes" },
        { "{\"instructions\":[{\"name\":\"a\",\"discriminator\":[\"x\"]}]}",
          "a discriminator is an array of at most 16 bytes" },
        { "{\"instructions\":[", "the JSON text ends too early" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const toll_program_file file = { NULL, write_file("idl.json", cases[i].idl) };
        const toll_solana_options solana = { .size = sizeof solana, .idls = &file, .idl_count = 1 };
        const toll_reader_options reader = { "solana", &solana, NULL };
        const toll_format_options options = { .size = sizeof options,
                                              .readers = &reader,
                                              .reader_count = 1 };
        toll_error err = { TOLL_OK, "" };
        toll_profile *p;
        assert_int_not_equal(read_with(NULL, calls, &options, &p, &err), TOLL_OK);
        assert_non_null(strstr(err.text, "idl.json"));
        if (!strstr(err.text, cases[i].error))
            fail_msg("'%s' has no '%s'", err.text, cases[i].error);
    }
}

static void test_a_folder_of_idls(void **state)
{
    warnings w = { 0 };
    const toll_program_file folder = { NULL, test_folder };
    const toll_solana_options solana = { .size = sizeof solana, .idls = &folder, .idl_count = 1 };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = {
        .size = sizeof options, .warn = warn, .warn_user = &w, .readers = &reader, .reader_count = 1
    };
    (void)state;
    write_file("idl.json", new_idl);
    write_file("other.json", "{\"address\":\"" TOKEN "\",\"instructions\":[]}");
    write_file("z.json", "{}");
    toll_profile *p = read_log(calls, &options);
    assert_int_equal(test_self(p, "", "my_swap: SwapV2", 1), 1);
    assert_int_equal(w.count, 1);
    assert_non_null(strstr(w.last, "z.json: has no \"instructions\""));
    toll_profile_free(p);
    write_file("idl.json", "{\"address\":\"" TOKEN "\",\"instructions\":[]}");
    toll_profile_free(read_log(calls, &options));
    assert_int_equal(w.count, 3);
    assert_non_null(strstr(w.last, ": none of its 2 IDLs is of a program that runs here"));
}

static toll_status read_all(const toll_allocator *a, void *user)
{
    const char *texts[] = { whole, bytes, calls };
    const toll_program_file files[] = { { NULL, user }, { NULL, test_folder } };
    const toll_solana_options solana = {
        .size = sizeof solana, .idls = files, .idl_count = 2, .by_transaction = 1
    };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < 3; i++) {
        toll_profile *p;
        status = read_with(a, texts[i], &options, &p, NULL);
        toll_profile_free(p);
    }
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    char path[300];
    (void)state;
    snprintf(path, sizeof path, "%s", write_file("idl.json", old_idl + 0));
    write_file("idl.json", new_idl);
    write_file("other.json", shank_idl);
    test_every_allocation(read_all, path);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, test_make_folder, test_remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_idls_name_instructions),
        IN_FOLDER(test_idls_of_other_programs_are_told),
        IN_FOLDER(test_bad_idls),
        IN_FOLDER(test_a_folder_of_idls),
        IN_FOLDER(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
