/* test_assembly_sbf.c - the instructions of a Solana program as text: calls have the names of
 * functions, and of what relocations put into them. */
#include "support.h"

#include "debug/assembly_sbf.h"
#include "support_elf.h"

enum {
    TEXT = 1,
    DYNSYM,
    DYNSTR,
    RELOCATIONS,
    SYMTAB,
    STRTAB,
    NAMES,
    SECTIONS,
    SLOT = 8,
    SYMBOL = 24,
    RELOCATION = 16,
    CALL = 10, /* a type of relocations */
    MOST = 4096
};

static const uint8_t code[] = {
    0xb7, 1,    0, 0, 5,    0,    0,    0,    /* 0: entry */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 1: relocated by symbol 1 */
    0x18, 2,    0, 0, 1,    0,    0,    0,    /* 2: of two slots */
    0,    0,    0, 0, 2,    0,    0,    0,    /* 3 */
    0x85, 0x10, 0, 0, 4,    0,    0,    0,    /* 4: to slot 9, a function */
    0x85, 0x10, 0, 0, 4,    0,    0,    0,    /* 5: to slot 10, in it */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 6: relocated by the symbol whose name has no end */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 7: by one without a name */
    0x95, 0,    0, 0, 0,    0,    0,    0,    /* 8 */
    0xbf, 0x16, 0, 0, 0,    0,    0,    0,    /* 9: helper */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 10: relocated by symbol 2, then by symbol 1 */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 11: relocated in another way */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 12: by a symbol that there is not */
    0x85, 0,    0, 0, 0xff, 0xff, 0xff, 0xff, /* 13: by the last relocation, which is cut */
    0x18, 2,    0, 0, 1,    0,    0,    0,    /* 14: the second slot is not there */
};

/* The first byte behind the strings is a name's that has no end within them. */
static const char dyn_strings[] = "\0abort\0sol_log_\0open";
static const char names[] = "\0.text\0.dynsym\0.dynstr\0.rel.dyn\0.symtab\0.strtab\0.shstrtab";
static const char strings[] = "\0entry\0helper";

static const char expected[] = "1000 mov64 r1, 5\n"
                               "1008 syscall abort\n"
                               "1010 lddw r2, 0x200000001\n"
                               "1020 call helper\n"
                               "1028 call fn@10\n"
                               "1030 syscall 0xffffffff\n"
                               "1038 syscall 0xffffffff\n"
                               "1040 exit\n"
                               "1048 mov64 r6, r1\n"
                               "1050 syscall sol_log_\n"
                               "1058 syscall 0xffffffff\n"
                               "1060 syscall 0xffffffff\n"
                               "1068 syscall 0xffffffff\n"
                               "1070 lddw r2, 0x1\n";

static void put_symbol_at(uint8_t *to, unsigned name, uint64_t address, uint64_t size)
{
    put(to, name, 4);
    to[4] = 0x12;
    put(to + 6, size != 0, 2);
    put(to + 8, address, 8);
    put(to + 16, size, 8);
}

static void put_relocation(uint8_t *to, unsigned slot, unsigned type, unsigned symbol)
{
    put(to, TEXT_ADDRESS + slot * SLOT, 8);
    put(to + 8, type, 4);
    put(to + 12, symbol, 4);
}

typedef struct section {
    unsigned name, type;
    const void *data;
    size_t size;
    unsigned link;
} section;

static void make_program(uint8_t *elf)
{
    uint8_t dynsym[5 * SYMBOL] = { 0 }, symtab[3 * SYMBOL] = { 0 };
    uint8_t relocations[8 * RELOCATION] = { 0 };
    put_symbol_at(dynsym + SYMBOL, 1, 0, 0);
    put_symbol_at(dynsym + 2 * SYMBOL, 7, 0, 0);
    put_symbol_at(dynsym + 3 * SYMBOL, 16, 0, 0);
    put_symbol_at(dynsym + 4 * SYMBOL, sizeof dyn_strings, 0, 0);
    put_symbol_at(symtab + SYMBOL, 1, TEXT_ADDRESS, 9 * SLOT);
    put_symbol_at(symtab + 2 * SYMBOL, 7, TEXT_ADDRESS + 9 * SLOT, 6 * SLOT);
    static const unsigned all[8][3] = { { 1, CALL, 1 },  { 6, CALL, 3 },  { 7, CALL, 0 },
                                        { 10, CALL, 2 }, { 10, CALL, 1 }, { 11, CALL - 1, 1 },
                                        { 12, CALL, 5 }, { 13, CALL, 1 } };
    for (size_t i = 0; i < 8; i++)
        put_relocation(relocations + i * RELOCATION, all[i][0], all[i][1], all[i][2]);
    const section sections[SECTIONS] = {
        [TEXT] = { 1, 1, code, sizeof code, 0 },
        [DYNSYM] = { 7, 11, dynsym, sizeof dynsym, DYNSTR },
        [DYNSTR] = { 15, 3, dyn_strings, sizeof dyn_strings - 1, 0 },
        [RELOCATIONS] = { 23, 9, relocations, sizeof relocations - 1, DYNSYM },
        [SYMTAB] = { 32, 2, symtab, sizeof symtab, STRTAB },
        [STRTAB] = { 40, 3, strings, sizeof strings, 0 },
        [NAMES] = { 48, 3, names, sizeof names, 0 },
    };
    size_t end = 64 + SECTIONS * 64;
    put_elf_header(elf, MOST, SECTIONS, NAMES);
    for (int i = 1; i < SECTIONS; i++) {
        put_section(elf, i, sections[i].name, sections[i].type, i == TEXT ? TEXT_ADDRESS : 0, end,
                    sections[i].size, sections[i].link);
        memcpy(elf + end, sections[i].data, sections[i].size);
        end += sections[i].size;
    }
    assert_true(end <= MOST);
}

static toll_status append_all(const toll_assembly_sbf *c, toll_buffer *text)
{
    uint64_t at = TEXT_ADDRESS;
    for (uint64_t next; (next = toll_assembly_sbf_next(c, at)) != 0; at = next) {
        toll_buffer_append_format(text, "%x ", (unsigned)at);
        if (!toll_assembly_sbf_append_text(c, at, text) || !toll_buffer_append_text(text, "\n"))
            return TOLL_E_NOMEM;
    }
    assert_int_equal(at, TEXT_ADDRESS + sizeof code);
    return TOLL_OK;
}

static toll_status disassemble(const toll_allocator *a, void *elf)
{
    toll_mem mem = toll_mem_from(a);
    toll_assembly_sbf c = { 0 };
    toll_input *in;
    toll_debug *d;
    toll_buffer text;
    toll_status status = toll_input_from_memory(a, elf, MOST, "program.so", &in, NULL);
    if (status)
        return status;
    status = toll_debug_read(a, in, &d, NULL);
    toll_input_free(in);
    if (status)
        return status;
    toll_buffer_init(&text, &mem);
    status = toll_assembly_sbf_open(&c, &mem, d, NULL);
    if (!status)
        status = append_all(&c, &text);
    if (!status)
        assert_string_equal(toll_buffer_cstr(&text), expected);
    toll_buffer_free(&text);
    toll_assembly_sbf_free(&c);
    toll_debug_free(d);
    return status;
}

static void test_assembly_has_the_names_of_what_is_called(void **state)
{
    uint8_t elf[MOST];
    (void)state;
    make_program(elf);
    assert_ok(disassemble(NULL, elf));
    test_every_allocation(disassemble, elf);
}

/* Only what a slot begins with is an instruction. */
static void test_assembly_of_other_addresses(void **state)
{
    static const uint64_t others[] = { 0, TEXT_ADDRESS - SLOT, TEXT_ADDRESS + 4,
                                       TEXT_ADDRESS + sizeof code, UINT64_MAX };
    uint8_t elf[MOST];
    toll_mem mem = toll_mem_from(NULL);
    toll_assembly_sbf c = { 0 };
    toll_input *in;
    toll_debug *d;
    toll_buffer text;
    (void)state;
    make_program(elf);
    assert_ok(toll_input_from_memory(NULL, elf, MOST, "program.so", &in, err));
    assert_ok(toll_debug_read(NULL, in, &d, err));
    toll_input_free(in);
    toll_buffer_init(&text, &mem);
    assert_ok(toll_assembly_sbf_open(&c, &mem, d, err));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(toll_assembly_sbf_next(&c, others[i]), 0);
        assert_true(toll_assembly_sbf_append_text(&c, others[i], &text));
    }
    assert_string_equal(toll_buffer_cstr(&text), "");
    toll_buffer_free(&text);
    toll_assembly_sbf_free(&c);
    toll_debug_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembly_has_the_names_of_what_is_called),
        cmocka_unit_test(test_assembly_of_other_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
