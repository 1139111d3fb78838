/* test_wasm.c - reading WebAssembly: numbers, types, the table of instructions, their immediates.
 * Whole modules are compared with other readers in tests/wasm_code. */
#include "support.h"

#include "wasm/instruction.h"

#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static toll_wasm_cursor over(const uint8_t *data, size_t size)
{
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, data, 0, size);
    return c;
}

/* --- numbers -----------------------------------------------------------------------------------*/

typedef enum number_kind { U32, S32, S33, U64, S64 } number_kind;

static uint64_t take(toll_wasm_cursor *c, number_kind kind)
{
    switch (kind) {
    case U32: return toll_wasm_take_u32(c);
    case S32: return (uint64_t)toll_wasm_take_s32(c);
    case S33: return (uint64_t)toll_wasm_take_s33(c);
    case U64: return toll_wasm_take_u64(c);
    case S64: return (uint64_t)toll_wasm_take_s64(c);
    }
    return 0;
}

#define F4 0xff, 0xff, 0xff, 0xff
#define Z4 0x80, 0x80, 0x80, 0x80

static const struct {
    number_kind kind;
    toll_status status;
    const uint8_t *bytes;
    size_t size;
    uint64_t value;
} numbers[] = {
    { U32, TOLL_OK, BYTES(0x00), 0 },
    { U32, TOLL_OK, BYTES(0x7f), 127 },
    { U32, TOLL_OK, BYTES(0xe5, 0x8e, 0x26), 624485 },
    { U32, TOLL_OK, BYTES(Z4, 0x00), 0 }, /* padded, as linkers do */
    { U32, TOLL_OK, BYTES(F4, 0x0f), UINT32_MAX },
    { U32, TOLL_E_SYNTAX, BYTES(F4, 0x1f), 0 },
    { U32, TOLL_E_SYNTAX, BYTES(F4, 0x10), 0 },
    { U32, TOLL_E_SYNTAX, BYTES(Z4, 0x80, 0x00), 0 },
    { S32, TOLL_OK, BYTES(0x7f), UINT64_MAX },
    { S32, TOLL_OK, BYTES(0xc0, 0xbb, 0x78), (uint64_t)-123456 },
    { S32, TOLL_OK, BYTES(F4, 0x07), INT32_MAX },
    { S32, TOLL_OK, BYTES(Z4, 0x78), (uint64_t)INT32_MIN },
    { S32, TOLL_OK, BYTES(F4, 0x7f), UINT64_MAX },
    { S32, TOLL_E_SYNTAX, BYTES(F4, 0x0f), 0 }, /* 2^32 - 1: not signed 32 bits */
    { S32, TOLL_E_SYNTAX, BYTES(Z4, 0x70), 0 }, /* below -2^31 */
    { S32, TOLL_E_SYNTAX, BYTES(Z4, 0x08), 0 },
    { S32, TOLL_E_SYNTAX, BYTES(F4, 0xff, 0x7f), 0 },
    { S33, TOLL_OK, BYTES(0x40), (uint64_t)-64 },
    { S33, TOLL_OK, BYTES(F4, 0x0f), UINT32_MAX },
    { S33, TOLL_OK, BYTES(Z4, 0x70), (uint64_t)INT64_C(-4294967296) },
    { S33, TOLL_E_SYNTAX, BYTES(F4, 0x1f), 0 },
    { S33, TOLL_E_SYNTAX, BYTES(Z4, 0x60), 0 },
    { U64, TOLL_OK, BYTES(F4, F4, 0xff, 0x01), UINT64_MAX },
    { U64, TOLL_OK, BYTES(Z4, Z4, 0x80, 0x00), 0 },
    { U64, TOLL_E_SYNTAX, BYTES(F4, F4, 0xff, 0x02), 0 },
    { U64, TOLL_E_SYNTAX, BYTES(F4, F4, 0xff, 0x81, 0x00), 0 },
    { S64, TOLL_OK, BYTES(F4, F4, 0xff, 0x00), INT64_MAX },
    { S64, TOLL_OK, BYTES(Z4, Z4, 0x80, 0x7f), (uint64_t)INT64_MIN },
    { S64, TOLL_OK, BYTES(F4, F4, 0xff, 0x7f), UINT64_MAX },
    { S64, TOLL_E_SYNTAX, BYTES(F4, F4, 0xff, 0x01), 0 },
    { S64, TOLL_E_SYNTAX, BYTES(Z4, Z4, 0x80, 0x7e), 0 },
    { S64, TOLL_E_SYNTAX, BYTES(F4, F4, 0xff, 0xff, 0x7f), 0 },
};

static void test_wasm_numbers_keep_to_the_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        toll_wasm_cursor c = over(numbers[i].bytes, numbers[i].size);
        uint64_t value = take(&c, numbers[i].kind);
        if (c.status != numbers[i].status || value != numbers[i].value)
            fail_msg("number %zu: status %d, value %llx", i, (int)c.status,
                     (unsigned long long)value);
        if (c.status == TOLL_OK)
            assert_int_equal(c.at, numbers[i].size);
    }
}

static void test_wasm_numbers_cut_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (size_t size = 0; size < numbers[i].size && numbers[i].status == TOLL_OK; size++) {
            toll_wasm_cursor c = over(numbers[i].bytes, size);
            assert_int_equal(take(&c, numbers[i].kind), 0);
            assert_int_equal(c.status, TOLL_E_TRUNCATED);
            assert_int_equal(c.failed_at, size);
        }
}

/* --- the cursor --------------------------------------------------------------------------------*/

static void test_wasm_first_failure_sticks(void **state)
{
    (void)state;
    const uint8_t data[] = { 1, 2, 3, 4 };
    toll_error err = { TOLL_OK, "" };
    size_t size;
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, data, 1, 3);
    assert_int_equal(toll_wasm_cursor_check(&c, "m.wasm", &err), TOLL_OK);
    assert_int_equal(toll_wasm_left(&c), 2);
    assert_int_equal(toll_wasm_take_8(&c), 0);
    assert_int_equal(toll_wasm_left(&c), 0);
    assert_int_equal(toll_wasm_take_u8(&c), 0);
    assert_null(toll_wasm_take_name(&c, &size));
    assert_int_equal(size, 0);
    toll_wasm_cursor_fail(&c, TOLL_E_LIMIT, 3, "later");
    assert_int_equal(toll_wasm_cursor_check(&c, "m.wasm", &err), TOLL_E_TRUNCATED);
    assert_string_equal(err.text, "m.wasm: at byte 1: 8 bytes wanted, 2 are left; build or fetch "
                                  "the module again");
}

static void test_wasm_names(void **state)
{
    (void)state;
    const uint8_t good[] = { 4, 'a', 0, 0xc3, 0xa4 }, bad[] = { 3, 'a', 0, 0xc3 };
    size_t size;
    toll_wasm_cursor c = over(good, sizeof good);
    assert_memory_equal(toll_wasm_take_name(&c, &size), good + 1, 4);
    assert_int_equal(size, 4);
    c = over(bad, sizeof bad);
    assert_null(toll_wasm_take_name(&c, &size));
    assert_int_equal(c.status, TOLL_E_SYNTAX);
    assert_int_equal(c.failed_at, 3);
    c = over(good, sizeof good - 1);
    assert_null(toll_wasm_take_name(&c, &size));
    assert_int_equal(c.status, TOLL_E_TRUNCATED);
}

static void test_wasm_counts_are_held_against_the_bytes_left(void **state)
{
    (void)state;
    const uint8_t data[] = { 2, 0, 0 };
    toll_wasm_cursor c = over(data, 3);
    assert_int_equal(toll_wasm_take_count(&c, "labels"), 2);
    c = over(data, 2);
    assert_int_equal(toll_wasm_take_count(&c, "labels"), 0);
    assert_int_equal(c.status, TOLL_E_TRUNCATED);
    assert_string_equal(c.message,
                        "2 labels claimed, 1 bytes are left; build or fetch the module again");
}

static void test_wasm_types(void **state)
{
    (void)state;
    const uint8_t ref[] = { 0x63, 0x85, 0x00 }, cont[] = { 0x68 }, empty[] = { 0x40 };
    const uint8_t wide[] = { 0xff, 0x7f };
    toll_wasm_cursor c = over(ref, sizeof ref);
    toll_wasm_type t = toll_wasm_take_value_type(&c);
    assert_int_equal(c.status, TOLL_OK);
    assert_int_equal(t.code, TOLL_WASM_REF_NULL);
    assert_int_equal(t.heap, TOLL_WASM_INDEX);
    assert_int_equal(t.index, 5);
    c = over(ref + 1, 2);
    assert_int_equal(toll_wasm_take_block_type(&c).index, 5);
    c = over(ref + 1, 2);
    toll_wasm_take_value_type(&c); /* an index is none */
    assert_int_equal(c.status, TOLL_E_SYNTAX);
    c = over(empty, 1);
    assert_int_equal(toll_wasm_take_block_type(&c).code, TOLL_WASM_EMPTY);
    c = over(empty, 1);
    toll_wasm_take_value_type(&c);
    assert_int_equal(c.status, TOLL_E_SYNTAX);
    c = over(wide, 2); /* -1 in two bytes is not i32 */
    toll_wasm_take_value_type(&c);
    assert_int_equal(c.status, TOLL_E_SYNTAX);
    c = over(cont, 1);
    toll_wasm_take_heap_type(&c);
    assert_int_equal(c.status, TOLL_E_UNSUPPORTED);
    assert_non_null(strstr(c.message, "stack switching"));
}

/* --- the table ---------------------------------------------------------------------------------*/

static const uint8_t prefixes[] = { 0, 0xfb, 0xfc, 0xfd, 0xfe };

/* Rows are found under their own code, none has a reserved code, and names are different, except
 * for those that the specification uses twice. */
static void test_wasm_table_is_sound(void **state)
{
    (void)state;
    uint32_t counts[TOLL_WASM_PROPOSALS] = { 0 };
    const toll_wasm_opcode *rows[1024];
    size_t count = 0, twice = 0;
    for (size_t p = 0; p < sizeof prefixes; p++)
        for (uint32_t code = 0; code < 0x10000; code++) {
            const toll_wasm_opcode *row = toll_wasm_opcode_find(prefixes[p], code);
            if (!row)
                continue;
            assert_int_equal(row->prefix, prefixes[p]);
            assert_int_equal(row->code, code);
            assert_true(row->shape < TOLL_WASM_SHAPES && row->flow < TOLL_WASM_FLOWS);
            assert_true(row->proposal < TOLL_WASM_IN_TABLE);
            assert_null(toll_wasm_opcode_proposal(prefixes[p], code));
            counts[row->proposal]++;
            for (size_t i = 0; i < count; i++)
                twice += strcmp(rows[i]->name, row->name) == 0;
            assert_true(count < sizeof rows / sizeof *rows);
            rows[count++] = row;
        }
    assert_int_equal(twice, 3); /* select, ref.test, ref.cast */
    assert_int_equal(count, 575);
    for (int p = 0; p < TOLL_WASM_IN_TABLE; p++) {
        printf("%4u %s\n", counts[p], toll_wasm_proposal_name((toll_wasm_proposal)p));
        assert_true(counts[p] > 0);
    }
    /* The first and the last opcode that proposals have, and those beside them. */
    assert_non_null(toll_wasm_opcode_proposal(0, 0xe0));
    assert_non_null(toll_wasm_opcode_proposal(0, 0xe6));
    assert_null(toll_wasm_opcode_proposal(0, 0xdf));
    assert_null(toll_wasm_opcode_proposal(0, 0xe7));
    assert_non_null(toll_wasm_opcode_proposal(0xfe, 0x4f));
    assert_non_null(toll_wasm_opcode_proposal(0xfe, 0x7f));
    assert_null(toll_wasm_opcode_proposal(0xfe, 0x80));
    assert_null(toll_wasm_opcode_proposal(0xff, 0));
    assert_null(toll_wasm_opcode_find(1, 0));
    assert_null(toll_wasm_opcode_find(0xfd, UINT32_MAX));
}

/* --- instructions ------------------------------------------------------------------------------*/

/* Decode all of the bytes as one instruction; each shorter piece must fail as truncated. */
static toll_wasm_instruction decode(const uint8_t *bytes, size_t size, toll_wasm_cursor *c)
{
    toll_wasm_instruction i;
    for (size_t cut = 0; cut < size; cut++) {
        *c = over(bytes, cut);
        assert_false(toll_wasm_next(c, &i));
        if (c->status != TOLL_E_TRUNCATED)
            fail_msg("cut to %zu bytes: %s", cut, c->message);
    }
    *c = over(bytes, size);
    if (!toll_wasm_next(c, &i))
        fail_msg("%s", c->message);
    assert_int_equal(i.span.start, 0);
    assert_int_equal(i.span.end, size);
    assert_int_equal(c->at, size);
    return i;
}

static const struct {
    toll_wasm_shape shape;
    const uint8_t *bytes;
    size_t size;
    uint32_t index[2];
    int64_t value;
} plain[] = {
    { TOLL_WASM_NONE, BYTES(0x45), { 0, 0 }, 0 },
    { TOLL_WASM_NONE, BYTES(0xfd, 0x93, 0x82, 0x00), { 0, 0 }, 0 }, /* 0x113, padded */
    { TOLL_WASM_LABEL, BYTES(0x0c, 0x03), { 3, 0 }, 0 },
    { TOLL_WASM_TYPE, BYTES(0x14, 0x81, 0x01), { 129, 0 }, 0 },
    { TOLL_WASM_TYPE_TABLE, BYTES(0x11, 0x07, 0x02), { 7, 2 }, 0 },
    { TOLL_WASM_TYPE_TYPE, BYTES(0xfb, 0x11, 0x01, 0x02), { 1, 2 }, 0 },
    { TOLL_WASM_TYPE_FIELD, BYTES(0xfb, 0x02, 0x01, 0x80, 0x01), { 1, 128 }, 0 },
    { TOLL_WASM_TYPE_COUNT, BYTES(0xfb, 0x08, 0x01, 0x09), { 1, 9 }, 0 },
    { TOLL_WASM_TYPE_DATA, BYTES(0xfb, 0x09, 0x01, 0x02), { 1, 2 }, 0 },
    { TOLL_WASM_TYPE_ELEMENT, BYTES(0xfb, 0x13, 0x01, 0x02), { 1, 2 }, 0 },
    { TOLL_WASM_TAG, BYTES(0x08, 0x04), { 4, 0 }, 0 },
    { TOLL_WASM_LOCAL, BYTES(0x20, 0x05), { 5, 0 }, 0 },
    { TOLL_WASM_GLOBAL, BYTES(0x24, 0x06), { 6, 0 }, 0 },
    { TOLL_WASM_TABLE, BYTES(0xfc, 0x0f, 0x01), { 1, 0 }, 0 },
    { TOLL_WASM_TABLE_TABLE, BYTES(0xfc, 0x0e, 0x01, 0x02), { 1, 2 }, 0 },
    { TOLL_WASM_ELEMENT_TABLE, BYTES(0xfc, 0x0c, 0x01, 0x02), { 1, 2 }, 0 },
    { TOLL_WASM_ELEMENT, BYTES(0xfc, 0x0d, 0x01), { 1, 0 }, 0 },
    { TOLL_WASM_MEMORY, BYTES(0x3f, 0x00), { 0, 0 }, 0 },
    { TOLL_WASM_MEMORY, BYTES(0xfc, 0x0b, 0x01), { 1, 0 }, 0 },
    { TOLL_WASM_MEMORY_MEMORY, BYTES(0xfc, 0x0a, 0x01, 0x02), { 1, 2 }, 0 },
    { TOLL_WASM_DATA_MEMORY, BYTES(0xfc, 0x08, 0x03, 0x01), { 3, 1 }, 0 },
    { TOLL_WASM_DATA, BYTES(0xfc, 0x09, 0x03), { 3, 0 }, 0 },
    { TOLL_WASM_I32, BYTES(0x41, 0x7f), { 0, 0 }, -1 },
    { TOLL_WASM_I64, BYTES(0x42, Z4, Z4, 0x80, 0x7f), { 0, 0 }, INT64_MIN },
    { TOLL_WASM_F32, BYTES(0x43, 0x00, 0x00, 0x80, 0xbf), { 0, 0 }, 0xbf800000 },
    { TOLL_WASM_F64, BYTES(0x44, 1, 0, 0, 0, 0, 0, 0xf0, 0x3f), { 0, 0 }, 0x3ff0000000000001 },
    { TOLL_WASM_ORDER, BYTES(0xfe, 0x03, 0x00), { 0, 0 }, 0 },
};

static void test_wasm_indices_and_constants(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof plain / sizeof *plain; n++) {
        toll_wasm_cursor c;
        toll_wasm_instruction i = decode(plain[n].bytes, plain[n].size, &c);
        assert_int_equal(i.opcode->shape, plain[n].shape);
        assert_int_equal(i.index[0], plain[n].index[0]);
        assert_int_equal(i.index[1], plain[n].index[1]);
        assert_true(i.value == plain[n].value);
        assert_int_equal(i.function.end, 0);
        assert_int_equal(i.count, 0);
    }
}

static void test_wasm_function_indices_tell_their_bytes(void **state)
{
    (void)state;
    const struct {
        const uint8_t *bytes;
        size_t size;
    } cases[] = {
        { BYTES(0x10, 0xb1, 0x80, 0x80, 0x80, 0x00) }, /* call, padded by a linker */
        { BYTES(0x12, 0x31) },                         /* return_call */
        { BYTES(0xd2, 0xb1, 0x00) },                   /* ref.func */
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        toll_wasm_cursor c;
        toll_wasm_instruction i = decode(cases[n].bytes, cases[n].size, &c);
        assert_int_equal(i.opcode->shape, TOLL_WASM_FUNCTION);
        assert_int_equal(i.index[0], 0x31);
        assert_int_equal(i.function.start, 1);
        assert_int_equal(i.function.end, cases[n].size);
    }
}

static void test_wasm_block_types(void **state)
{
    (void)state;
    toll_wasm_cursor c;
    toll_wasm_instruction i = decode(BYTES(0x02, 0x40), &c);
    assert_int_equal(i.opcode->flow, TOLL_WASM_OPENS);
    assert_int_equal(i.type[0].code, TOLL_WASM_EMPTY);
    i = decode(BYTES(0x03, 0x7e), &c);
    assert_int_equal(i.type[0].code, TOLL_WASM_I64_TYPE);
    i = decode(BYTES(0x04, 0xff, 0x00), &c);
    assert_int_equal(i.type[0].code, TOLL_WASM_INDEX);
    assert_int_equal(i.type[0].index, 127);
    i = decode(BYTES(0x06, 0x64, 0x6e), &c);
    assert_int_equal(i.type[0].code, TOLL_WASM_REF);
    assert_int_equal(i.type[0].heap, 0x6e);
}

static void test_wasm_memargs(void **state)
{
    (void)state;
    toll_wasm_cursor c;
    toll_wasm_instruction i = decode(BYTES(0x29, 0x03, 0x88, 0x01), &c);
    assert_int_equal(i.align, 3);
    assert_int_equal(i.index[0], 0);
    assert_int_equal(i.offset, 136);
    i = decode(BYTES(0xfe, 0x48, 0x42, 0x05, F4, F4, 0xff, 0x01), &c); /* memory 5, 64-bit offset */
    assert_int_equal(i.align, 2);
    assert_int_equal(i.index[0], 5);
    assert_true(i.offset == UINT64_MAX);
    i = decode(BYTES(0xfd, 0x54, 0x40, 0x01, 0x09, 0x0f), &c);
    assert_int_equal(i.opcode->shape, TOLL_WASM_MEMARG_LANE);
    assert_int_equal(i.align, 0);
    assert_int_equal(i.index[0], 1);
    assert_int_equal(i.offset, 9);
    assert_int_equal(i.lane, 15);
    i = decode(BYTES(0xfd, 0x15, 0x07), &c);
    assert_int_equal(i.lane, 7);
}

static void test_wasm_br_table_gives_labels(void **state)
{
    (void)state;
    toll_wasm_cursor c;
    toll_wasm_instruction i = decode(BYTES(0x0e, 0x02, 0x05, 0x80, 0x01, 0x06), &c);
    toll_wasm_cursor labels = toll_wasm_vector(&c, &i);
    uint32_t label;
    assert_int_equal(i.count, 3);
    assert_int_equal(i.index[0], 6);
    assert_true(toll_wasm_next_label(&labels, &label));
    assert_int_equal(label, 5);
    assert_true(toll_wasm_next_label(&labels, &label));
    assert_int_equal(label, 128);
    assert_true(toll_wasm_next_label(&labels, &label));
    assert_int_equal(label, 6);
    assert_false(toll_wasm_next_label(&labels, &label));
}

static void test_wasm_try_table_gives_catches(void **state)
{
    (void)state;
    toll_wasm_cursor c;
    toll_wasm_instruction i =
        decode(BYTES(0x1f, 0x7f, 0x04, 0, 9, 1, 1, 8, 2, 2, 3, 3, 0x84, 0x00), &c);
    toll_wasm_cursor catches = toll_wasm_vector(&c, &i);
    static const toll_wasm_catch expected[] = {
        { TOLL_WASM_CATCH_TAG, 9, 1 },
        { TOLL_WASM_CATCH_TAG_REF, 8, 2 },
        { TOLL_WASM_CATCH_ALL, 0, 3 },
        { TOLL_WASM_CATCH_ALL_REF, 0, 4 },
    };
    toll_wasm_catch clause;
    assert_int_equal(i.type[0].code, TOLL_WASM_I32_TYPE);
    assert_int_equal(i.count, 4);
    for (size_t n = 0; n < 4; n++) {
        assert_true(toll_wasm_next_catch(&catches, &clause));
        assert_int_equal(clause.kind, expected[n].kind);
        assert_int_equal(clause.tag, expected[n].tag);
        assert_int_equal(clause.label, expected[n].label);
    }
    assert_false(toll_wasm_next_catch(&catches, &clause));
}

static void test_wasm_select_gives_types(void **state)
{
    (void)state;
    toll_wasm_cursor c;
    toll_wasm_instruction i = decode(BYTES(0x1c, 0x02, 0x7d, 0x63, 0x01), &c);
    toll_wasm_cursor types = toll_wasm_vector(&c, &i);
    toll_wasm_type type;
    assert_int_equal(i.count, 2);
    assert_true(toll_wasm_next_type(&types, &type));
    assert_int_equal(type.code, TOLL_WASM_F32_TYPE);
    assert_true(toll_wasm_next_type(&types, &type));
    assert_int_equal(type.index, 1);
    assert_false(toll_wasm_next_type(&types, &type));
}

static void test_wasm_vectors_of_bytes(void **state)
{
    (void)state;
    static const uint8_t bytes[] = { 0xfd, 0x0c, 1,  2,  3,  4,  5,  6,  7,
                                     8,    9,    10, 11, 12, 13, 14, 15, 16 };
    toll_wasm_cursor c;
    toll_wasm_instruction i = decode(bytes, sizeof bytes, &c);
    assert_int_equal(i.opcode->shape, TOLL_WASM_V128);
    assert_int_equal(i.count, 16);
    assert_int_equal(c.data[i.vector.start], 1);
    assert_int_equal(i.vector.end, 18);
}

static void test_wasm_heap_types_and_casts(void **state)
{
    (void)state;
    toll_wasm_cursor c;
    toll_wasm_instruction i = decode(BYTES(0xd0, 0x70), &c);
    assert_int_equal(i.type[0].code, 0x70);
    i = decode(BYTES(0xfb, 0x15, 0x07), &c);
    assert_string_equal(i.opcode->name, "ref.test");
    assert_int_equal(i.type[0].index, 7);
    i = decode(BYTES(0xfb, 0x18, 0x01, 0x02, 0x6e, 0x03), &c);
    assert_int_equal(i.opcode->flow, TOLL_WASM_BRANCH);
    assert_int_equal(i.flags, 1);
    assert_int_equal(i.index[0], 2);
    assert_int_equal(i.type[0].code, 0x6e);
    assert_int_equal(i.type[1].code, TOLL_WASM_INDEX);
    assert_int_equal(i.type[1].index, 3);
}

/* --- failures ----------------------------------------------------------------------------------*/

static const struct {
    const uint8_t *bytes;
    size_t size;
    toll_status status;
    size_t at;
    const char *message;
} bad[] = {
    { BYTES(0xe3), TOLL_E_UNSUPPORTED, 0,
      "opcode 0xe3 is of the proposal stack switching, which is not known here; build the module "
      "without it" },
    { BYTES(0xff), TOLL_E_UNSUPPORTED, 0,
      "opcode 0xff is unknown; build the module without the feature that needs it" },
    { BYTES(0xfb, 0x80, 0x01), TOLL_E_UNSUPPORTED, 0, "opcode 0xfb 0x80 is of the proposal" },
    { BYTES(0xfe, 0xff, 0xff, 0x03), TOLL_E_UNSUPPORTED, 0, "opcode 0xfe 0xffff is unknown" },
    { BYTES(0xfc, 0x12), TOLL_E_UNSUPPORTED, 0, "memory control" },
    { BYTES(0xfd, 0xa0, 0x02), TOLL_E_UNSUPPORTED, 0, "half precision" },
    { BYTES(0xfe, 0x03, 0x01), TOLL_E_UNSUPPORTED, 2, "0x01 is not an order" },
    { BYTES(0x28, 0x80, 0x01, 0x00), TOLL_E_SYNTAX, 1, "0x80 is not an alignment" },
    { BYTES(0xfe, 0x10, 0x12, 0x00, 0x00), TOLL_E_UNSUPPORTED, 2, "acquire-release atomics" },
    { BYTES(0x28, 0x22, 0x00, 0x00), TOLL_E_UNSUPPORTED, 1, "multibyte array access" },
    { BYTES(0x02, 0x41), TOLL_E_SYNTAX, 1, "0x41 is not a block type" },
    { BYTES(0x02, 0x65, 0x6e), TOLL_E_UNSUPPORTED, 1, "shared-everything threads" },
    { BYTES(0x02, 0x64, 0x7f), TOLL_E_SYNTAX, 2, "0x7f is not a heap type" },
    { BYTES(0x1c, 0x01, 0x01), TOLL_E_SYNTAX, 2, "0x01 is not a value type" },
    { BYTES(0x1f, 0x40, 0x01, 0x04), TOLL_E_SYNTAX, 3, "0x04 is not a kind of catch" },
    { BYTES(0xfb, 0x18, 0x04, 0x00), TOLL_E_SYNTAX, 2, "0x04 are not the flags of a cast" },
    { BYTES(0x0e, F4, 0x0f, 0x00), TOLL_E_TRUNCATED, 1, "4294967295 labels claimed, 1 bytes" },
    { BYTES(0x10, F4, 0x7f), TOLL_E_SYNTAX, 1, "larger than 32 bits" },
};

static void test_wasm_failures_name_place_and_way_out(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        toll_wasm_cursor c = over(bad[n].bytes, bad[n].size);
        toll_wasm_instruction i;
        assert_false(toll_wasm_next(&c, &i));
        assert_int_equal(c.status, bad[n].status);
        assert_int_equal(c.failed_at, bad[n].at);
        if (!strstr(c.message, bad[n].message) || !strchr(c.message, ';'))
            fail_msg("case %zu: %s", n, c.message);
        assert_false(toll_wasm_next(&c, &i)); /* and all further calls fail */
        assert_int_equal(c.failed_at, bad[n].at);
    }
}

/* No other instruction contains an index that changes when functions are inserted. */
static void test_wasm_three_instructions_name_functions(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t p = 0; p < sizeof prefixes; p++)
        for (uint32_t code = 0; code < 0x200; code++) {
            const toll_wasm_opcode *row = toll_wasm_opcode_find(prefixes[p], code);
            count += row && row->shape == TOLL_WASM_FUNCTION;
        }
    assert_int_equal(count, 3);
    assert_int_equal(toll_wasm_opcode_find(0, TOLL_WASM_OP_CALL)->shape, TOLL_WASM_FUNCTION);
    assert_int_equal(toll_wasm_opcode_find(0, TOLL_WASM_OP_RETURN_CALL)->shape, TOLL_WASM_FUNCTION);
    assert_int_equal(toll_wasm_opcode_find(0, TOLL_WASM_OP_REF_FUNC)->shape, TOLL_WASM_FUNCTION);
}

/* What an instruction does to control, for every one that has an effect on it. */
static void test_wasm_flow(void **state)
{
    (void)state;
    static const struct {
        toll_wasm_flow flow;
        const char *names;
    } cases[] = {
        { TOLL_WASM_OPENS, " block loop if try try_table " },
        { TOLL_WASM_ELSE, " else " },
        { TOLL_WASM_CATCH, " catch catch_all " },
        { TOLL_WASM_END, " end " },
        { TOLL_WASM_DELEGATE, " delegate " },
        { TOLL_WASM_BRANCH,
          " br br_if br_table br_on_null br_on_non_null br_on_cast br_on_cast_fail " },
        { TOLL_WASM_RETURN, " return " },
        { TOLL_WASM_CALL, " call call_indirect call_ref " },
        { TOLL_WASM_TAIL_CALL, " return_call return_call_indirect return_call_ref " },
        { TOLL_WASM_STOP, " unreachable throw rethrow throw_ref " },
    };
    for (size_t p = 0; p < sizeof prefixes; p++)
        for (uint32_t code = 0; code < 0x200; code++) {
            const toll_wasm_opcode *row = toll_wasm_opcode_find(prefixes[p], code);
            toll_wasm_flow flow = TOLL_WASM_PLAIN;
            char word[64];
            snprintf(word, sizeof word, " %s ", row ? row->name : "");
            for (size_t i = 0; row && i < sizeof cases / sizeof *cases; i++)
                if (strstr(cases[i].names, word))
                    flow = cases[i].flow;
            if (row)
                assert_int_equal(row->flow, flow);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wasm_numbers_keep_to_the_limits),
        cmocka_unit_test(test_wasm_numbers_cut_off),
        cmocka_unit_test(test_wasm_first_failure_sticks),
        cmocka_unit_test(test_wasm_names),
        cmocka_unit_test(test_wasm_counts_are_held_against_the_bytes_left),
        cmocka_unit_test(test_wasm_types),
        cmocka_unit_test(test_wasm_table_is_sound),
        cmocka_unit_test(test_wasm_indices_and_constants),
        cmocka_unit_test(test_wasm_function_indices_tell_their_bytes),
        cmocka_unit_test(test_wasm_block_types),
        cmocka_unit_test(test_wasm_memargs),
        cmocka_unit_test(test_wasm_br_table_gives_labels),
        cmocka_unit_test(test_wasm_try_table_gives_catches),
        cmocka_unit_test(test_wasm_select_gives_types),
        cmocka_unit_test(test_wasm_vectors_of_bytes),
        cmocka_unit_test(test_wasm_heap_types_and_casts),
        cmocka_unit_test(test_wasm_failures_name_place_and_way_out),
        cmocka_unit_test(test_wasm_three_instructions_name_functions),
        cmocka_unit_test(test_wasm_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
