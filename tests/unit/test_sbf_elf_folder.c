/* test_sbf_elf_folder.c - a folder with programs: warnings name files that cannot be read, but not
 * files that are not programs. */
#include "support_sbf.h"

static const step steps[] = { { 10, OTHER, 0, 0 }, { 11, EXIT, 0, 0 } };
static const toll_program_file folder = { NULL, test_folder };

static unsigned told(const char *text)
{
    unsigned count = 0;
    for (const char *at = warnings; (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* A trace, and a program that can be read. */
static size_t save_program(uint8_t *elf)
{
    size_t size = make_elf(elf);
    SAVE_TRACE("a", TOKEN, steps);
    save("good.so", elf, size);
    return size;
}

static void expect_note(uint64_t count)
{
    toll_profile *p = read_traces(&folder, NULL);
    assert_int_equal(total(p), 2);
    assert_int_equal(test_note(p, "files of folders with programs that cannot be read"), count);
    toll_profile_free(p);
}

static void test_sbf_files_of_a_folder_that_are_no_programs(void **state)
{
    uint8_t elf[ELF_SIZE];
    (void)state;
    size_t size = save_program(elf);
    save_text("keypair.json", "[1,2,3]");
    save_text("empty.d", "");
    put(elf + 18, 62, 2); /* of x86-64 */
    save("host.so", elf, size);
    expect_note(0);
    assert_null(strstr(warnings, "passed over"));
}

static void test_sbf_torn_files_of_a_folder_are_said(void **state)
{
    uint8_t elf[ELF_SIZE];
    (void)state;
    size_t size = save_program(elf);
    save("torn", elf, 200);
    save("header.so", elf, 20);
    save("empty.so", elf, 0);
    put(elf + 64 + 2 * 64 + 32, 1 << 20, 8); /* the symbols are larger than the file */
    save("symbols.so", elf, size);
    expect_note(4);
    assert_int_equal(told("passed over"), 4);
    assert_int_equal(told("/empty.so: is no ELF file; name the program's unstripped .so (it is "
                          "passed over)"),
                     1);
    assert_int_equal(told("/header.so: ends in the ELF header; build it again"), 1);
    assert_int_equal(told("/symbols.so: at byte 192: section 2 reaches beyond the end"), 1);
    assert_int_equal(told("/torn: at byte 40: the section headers are beyond the end"), 1);
    assert_int_equal(told("good.so"), 0);
}

static void test_sbf_many_torn_files_of_a_folder_are_counted(void **state)
{
    char file[32];
    (void)state;
    SAVE_TRACE("a", TOKEN, steps);
    for (int i = 0; i < 20; i++) {
        snprintf(file, sizeof file, "x%02d.so", i);
        save_text(file, "");
    }
    expect_note(20);
    assert_int_equal(told("(it is passed over)"), 8);
    assert_int_equal(told("/x07.so: is no ELF"), 1);
    assert_int_equal(told(": 12 more of its files cannot be read, and are passed over"), 1);
    assert_int_equal(told(": has no program's ELF file"), 1);
}

#ifndef _WIN32
static void test_sbf_files_of_a_folder_that_cannot_be_opened(void **state)
{
    uint8_t elf[ELF_SIZE];
    (void)state;
    save_program(elf);
    assert_int_equal(symlink("nowhere.so", test_path("link.so")), 0);
    expect_note(1);
    assert_int_equal(told("/link.so: cannot open: No such file or directory (it is passed over)"),
                     1);
}
#endif

static toll_status read_all(const toll_allocator *a, void *user)
{
    toll_profile *p;
    (void)user;
    toll_status status = read_with(a, &folder, NULL, &p, NULL);
    toll_profile_free(p);
    return status;
}

static void test_sbf_folder_every_allocation_may_fail(void **state)
{
    uint8_t elf[ELF_SIZE];
    (void)state;
    save_program(elf);
    save("torn.so", elf, 200);
    test_allocations(read_all, NULL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_sbf_files_of_a_folder_that_are_no_programs),
        IN_FOLDER(test_sbf_torn_files_of_a_folder_are_said),
        IN_FOLDER(test_sbf_many_torn_files_of_a_folder_are_counted),
#ifndef _WIN32
        IN_FOLDER(test_sbf_files_of_a_folder_that_cannot_be_opened),
#endif
        IN_FOLDER(test_sbf_folder_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
