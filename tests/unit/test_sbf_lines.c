/* test_sbf_lines.c - the cost of each instruction of a register trace, as places by address. */
#include "support_sbf.h"

#include <toll/debug.h>

#include <string.h>

/* 10: main calls 20, which calls itself through a register, and logs; all return. */
static const step recursion[] = {
    { 10, OTHER, 0, 0 }, { 11, CALL, 1, 0 },       { 20, OTHER, 0, 1 }, { 21, CALLX, 0, 1 },
    { 20, OTHER, 0, 2 }, { 25, CALL, SOL_LOG, 2 }, { 26, EXIT, 0, 2 },  { 22, EXIT, 0, 1 },
    { 12, CALL, 9, 0 },  { 13, OTHER, 0, 0 },      { 14, EXIT, 0, 0 },
};

static toll_profile *read_lines(int lines)
{
    uint8_t elf[ELF_SIZE];
    char path[256];
    save("a.so", elf, make_elf(elf));
    strcpy(path, test_path("a.so"));
    const toll_program_file given = { TOKEN, path };
    toll_profile *p;
    want_lines = lines;
    assert_ok(read_with(NULL, &given, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

/* The sum of a column over all stacks whose innermost frame is at that address. */
static int64_t at(const toll_profile *p, uint64_t address, const char *column)
{
    int64_t sum = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame != TOLL_NONE && toll_profile_frame(p, frame).at_address == address)
            sum += toll_profile_self(p, n, toll_profile_find_column(p, column));
    }
    return sum;
}

static void test_sbf_each_instruction_is_a_place(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN, recursion);
    toll_profile *p = read_lines(1);
    const struct {
        uint64_t pc;
        int64_t times;
    } executed[] = { { 10, 1 }, { 11, 1 }, { 12, 1 }, { 13, 1 }, { 14, 1 }, { 20, 2 },
                     { 21, 1 }, { 22, 1 }, { 25, 1 }, { 26, 1 }, { 15, 0 } };
    for (size_t i = 0; i < sizeof executed / sizeof *executed; i++) {
        uint64_t address = TEXT_ADDRESS + executed[i].pc * 8;
        assert_int_equal(at(p, address, "compute units"), executed[i].times);
        assert_int_equal(at(p, address, "executions"), executed[i].times);
    }
    toll_profile_free(p);
}

/* Addresses that no program has are none of its own: not that of the same low bits, and not one
 * around the end of the address space. */
static void test_sbf_addresses_that_no_program_has(void **state)
{
    const uint64_t high = UINT64_C(1) << 32, around = UINT64_C(1) << 61;
    const step beyond[] = {
        { 10, OTHER, 0, 0 },
        { high + 10, OTHER, 0, 0 },
        { around + 10, OTHER, 0, 0 },
        { high + 10, EXIT, 0, 0 },
    };
    (void)state;
    SAVE_TRACE("a", TOKEN, beyond);
    toll_profile *p = read_lines(1);
    assert_int_equal(at(p, TEXT_ADDRESS + 80, "executions"), 1);
    assert_int_equal(at(p, TEXT_ADDRESS + (high + 10) * 8, "executions"), 2);
    assert_int_equal(at(p, UINT64_MAX, "executions"), 1);
    toll_profile_free(p);
}

/* Places added up, the tree is the one without them: each sum and each number of calls. */
static void test_sbf_places_add_up(void **state)
{
    (void)state;
    SAVE_TRACE("a", TOKEN, recursion);
    toll_profile *with = read_lines(1), *plain = read_lines(0), *folded;
    assert_false(toll_profile_has_places(plain));
    assert_ok(toll_profile_fold_places(with, &folded, err));
    static const char *const stacks[] = { "", ";walk", ";walk;walk" };
    char stack[256];
    toll_frame_id main = TOLL_NONE;
    for (toll_frame_id i = 0; i < toll_profile_frame_count(plain); i++)
        if (toll_profile_frame(plain, i).address == TEXT_ADDRESS + 80)
            main = i;
    assert_int_not_equal(main, TOLL_NONE);
    for (int i = 0; i < 3; i++) {
        snprintf(stack, sizeof stack, "Token;%s%s", toll_profile_frame(plain, main).name,
                 stacks[i]);
        for (uint32_t c = 0; c < 2; c++) {
            assert_int_not_equal(test_self(plain, "main", stack, c), 0);
            assert_int_equal(test_self(folded, "main", stack, c),
                             test_self(plain, "main", stack, c));
        }
    }
    assert_int_equal(test_sum(folded, 1), test_sum(plain, 1));
    toll_profile_free(folded);
    toll_profile_free(plain);
    toll_profile_free(with);
}

/* The profile and toll_debug_build_id know the program by one id, so that lines can be found later:
 * the linker's, or that of its code. */
static void test_sbf_profiles_name_the_build_as_debug_information_does(void **state)
{
    static const step ran[] = { { 0, 0xb7, 1, 0 }, { 1, EXIT, 0, 0 } };
    uint8_t elf[ELF_ID_SIZE];
    size_t note, size = make_elf_with_id(elf, &note);
    char path[256];
    toll_debug *debug;
    toll_profile *p;
    (void)state;
    SAVE_TRACE("a", TOKEN, ran);
    for (int has_id = 1; has_id >= 0; has_id--) {
        elf[note + 8] = has_id ? 3 : 1;
        save("a.so", elf, size);
        strcpy(path, test_path("a.so"));
        const toll_program_file given = { TOKEN, path };
        want_lines = 1;
        assert_ok(read_with(NULL, &given, NULL, &p, err));
        assert_ok(toll_debug_open(NULL, path, &debug, err));
        const char *id = toll_debug_build_id(debug);
        assert_int_equal(strcmp(id, "ab01ff") == 0, has_id);
        int places = 0;
        for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++) {
            toll_frame frame = toll_profile_frame(p, i);
            places += frame.at_address != 0;
            if (*frame.module)
                assert_string_equal(frame.build_id, id);
        }
        assert_int_equal(places, 2);
        toll_debug_free(debug);
        toll_profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_each_instruction_is_a_place),
        IN_FOLDER(test_sbf_addresses_that_no_program_has),
        IN_FOLDER(test_sbf_places_add_up),
        IN_FOLDER(test_sbf_profiles_name_the_build_as_debug_information_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
