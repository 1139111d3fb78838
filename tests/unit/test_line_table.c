/* test_line_table.c - dwarf/dwarf_line_table.h: the rows that each instruction of a line table's
 * program makes. test_debug_info.c reads tables that compilers have written. */
#include "support.h"

#include "dwarf/dwarf_line_table.h"

enum { BASE = 13, RANGE = 14, LINE_BASE = -5 };
/* The names are those of the DWARF standard. */
enum {
    EXTENDED = 0,
    COPY = 1,
    ADVANCE_PC = 2,
    ADVANCE_LINE = 3,
    SET_FILE = 4,
    SET_COLUMN = 5,
    NEGATE = 6,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC = 9,
    ISA = 12
};
#define END EXTENDED, 1, 1

typedef struct rows {
    char text[400]; /* "ADDRESS:FILE:LINE:COLUMN ", and "end" where one ends */
    int most;
} rows;

static bool add(void *user, const toll_dwarf_row *row)
{
    rows *r = user;
    size_t used = strlen(r->text);
    snprintf(r->text + used, sizeof r->text - used, "%llx:%u:%u:%u%s ",
             (unsigned long long)row->address, (unsigned)row->file, (unsigned)row->line,
             (unsigned)row->column, row->is_end ? " end" : "");
    return --r->most > 0;
}

/* Run a program with so much work allowed; the rows that it makes. */
static void expect_with(const uint8_t *program, size_t size, uint8_t least, uint8_t operations,
                        uint64_t work, int most, bool is_good, const char *expected)
{
    static const uint8_t lengths[BASE] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
    toll_dwarf_info info = { .work_left = &work };
    rows r = { .most = most };
    toll_dwarf_line_table t = { .program = { program, program + size, false },
                                .opcode_lengths = lengths,
                                .version = 4,
                                .address_size = 4,
                                .least_instruction = least,
                                .most_operations = operations,
                                .opcode_base = BASE,
                                .line_range = RANGE,
                                .line_base = LINE_BASE };
    assert_int_equal(toll_dwarf_line_table_run(&info, &t, add, &r), is_good);
    assert_string_equal(r.text, expected);
}

#define EXPECT(least, operations, expected, ...)                                                   \
    expect_with((uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }), least, operations, \
                1000, 100, true, expected)

static void test_special_instructions(void **state)
{
    (void)state;
    EXPECT(1, 1, "0:1:6:0 ", ADVANCE_LINE, 10, BASE); /* the first: 0 further, 5 lines back */
    EXPECT(1, 1, "0:1:9:0 ", BASE + RANGE - 1);
    EXPECT(1, 1, "1:1:1:0 ", BASE + RANGE + 5);
    EXPECT(1, 1, "11:1:0:0 ", 255); /* 17 further, 4 lines on, of which 5 are taken back */
    EXPECT(4, 1, "4:1:1:0 44:1:1:0 ", BASE + RANGE + 5, BASE + 16 * RANGE + 5);
}

static void test_standard_instructions(void **state)
{
    (void)state;
    EXPECT(1, 1, "0:1:1:0 ", COPY);
    EXPECT(1, 1, "85:1:1:0 ", ADVANCE_PC, 0x85, 1, COPY);
    EXPECT(2, 1, "a:1:1:0 ", ADVANCE_PC, 5, COPY);
    EXPECT(1, 1, "0:1:65:0 0:1:1:0 ", ADVANCE_LINE, 0xc0, 0, COPY, ADVANCE_LINE, 0x40, COPY);
    EXPECT(1, 1, "0:7:1:9 ", SET_FILE, 7, SET_COLUMN, 9, COPY);
    EXPECT(2, 1, "22:1:1:0 ", CONST_ADD_PC, COPY);            /* as 255 */
    EXPECT(2, 1, "201:1:1:0 ", FIXED_ADVANCE_PC, 1, 2, COPY); /* in bytes */
    EXPECT(1, 1, "0:1:1:0 ", NEGATE, COPY);                   /* it has no operand */
    EXPECT(1, 1, "0:1:1:0 ", ISA, 0x81, 1, COPY);             /* it has one */
}

static void test_extended_instructions(void **state)
{
    (void)state;
    EXPECT(1, 1, "1234:1:1:0 ", EXTENDED, 5, 2, 0x34, 0x12, 0, 0, COPY);
    EXPECT(1, 1, "3412:1:1:0 ", EXTENDED, 3, 2, 0x12, 0x34, COPY);
    EXPECT(1, 1, "12:1:1:0 ", EXTENDED, 10, 2, 0x12, 0, 0, 0, 0, 0, 0, 0, 9, COPY);
    EXPECT(1, 1, "7060504030201:1:1:0 ", EXTENDED, 8, 2, 1, 2, 3, 4, 5, 6, 7, COPY);
    EXPECT(1, 1, "807060504030201:1:1:0 ", EXTENDED, 9, 2, 1, 2, 3, 4, 5, 6, 7, 8, COPY);
    EXPECT(1, 1, "807060504030201:1:1:0 ", EXTENDED, 10, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, COPY);
    EXPECT(1, 1, "0:1:1:0 ", EXTENDED, 3, 4, 0x12, 0x34, COPY); /* another one: passed over */
    EXPECT(1, 1, "0:1:1:0 ", EXTENDED, 0, COPY);
    EXPECT(1, 1, "5:3:1:0 end 0:1:1:0 ", SET_FILE, 3, ADVANCE_PC, 5, END, COPY);
    EXPECT(1, 1, "", EXTENDED, 9, 2, 1); /* longer than the program */
}

/* Several operations in an instruction, of which an address counts whole ones. */
static void test_operations(void **state)
{
    (void)state;
    EXPECT(4, 3, "0:1:1:0 4:1:1:0 8:1:1:0 ", ADVANCE_PC, 2, COPY, ADVANCE_PC, 1, COPY, ADVANCE_PC,
           4, COPY);
    EXPECT(4, 3, "c:1:1:0 ", ADVANCE_PC, 11, COPY);
    EXPECT(4, 3, "c:1:1:0 1:1:1:0 ", ADVANCE_PC, 11, COPY, EXTENDED, 2, 2, 1, ADVANCE_PC, 2, COPY);
    EXPECT(4, 3, "c:1:1:0 d:1:1:0 ", ADVANCE_PC, 11, COPY, FIXED_ADVANCE_PC, 1, 0, ADVANCE_PC, 2,
           COPY);
    EXPECT(4, 3, "c:1:1:0 end 0:1:1:0 ", ADVANCE_PC, 11, END, ADVANCE_PC, 2, COPY);
}

/* Work is the bytes of the program, and its rows. */
static void test_limits(void **state)
{
    (void)state;
    static const uint8_t program[] = { COPY, NEGATE, COPY };
    expect_with(program, 3, 1, 1, 5, 9, true, "0:1:1:0 0:1:1:0 ");
    expect_with(program, 3, 1, 1, 4, 9, false, "0:1:1:0 ");
    expect_with(program, 3, 1, 1, 3, 9, false, "");
    expect_with(program, 3, 1, 1, 2, 9, false, "");
    expect_with(program, 3, 1, 1, 9, 1, false, "0:1:1:0 "); /* the caller has enough */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_instructions),
        cmocka_unit_test(test_standard_instructions),
        cmocka_unit_test(test_extended_instructions),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
