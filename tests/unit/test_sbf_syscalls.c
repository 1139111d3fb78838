/* test_sbf_syscalls.c - the table of Solana's system calls: hashes of names, prices, and what each
 * changes. */
#include "support.h"

#include "sbf/sbf_syscalls.h"

static uint32_t rotate(uint32_t v, int by)
{
    return v << by | v >> (32 - by);
}

/* 32-bit murmur3 with seed 0. */
static uint32_t murmur3(const char *text)
{
    size_t size = strlen(text);
    uint32_t h = 0;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t k = 0;
        for (size_t j = i; j < i + 4 && j < size; j++)
            k |= (uint32_t)(uint8_t)text[j] << 8 * (j - i);
        h ^= rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
        if (i + 4 <= size)
            h = rotate(h, 13) * 5 + 0xe6546b64u;
    }
    h ^= (uint32_t)size;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static void test_sbf_syscalls_are_named_by_their_hash(void **state)
{
    (void)state;
    for (unsigned i = 0; toll_sbf_syscall_at(i); i++) {
        const toll_sbf_syscall *s = toll_sbf_syscall_at(i);
        assert_int_equal(murmur3(s->name), s->hash);
        assert_ptr_equal(toll_sbf_syscall_find(s->hash), s);
    }
    assert_string_equal(toll_sbf_syscall_find(0xd7449092)->name, "sol_invoke_signed_rust");
    assert_non_null(toll_sbf_syscall_at(0)); /* so that the loops look at something */
    assert_null(toll_sbf_syscall_find(0));
    assert_null(toll_sbf_syscall_find(UINT32_MAX));
}

/* What a call costs at least whose arguments are all 0, and which returns 0; '+': it may cost more.
 */
static void test_sbf_syscalls_have_prices(void **state)
{
    static const struct {
        const char *units, *names;
    } prices[] = {
        { "0", "abort sol_panic_ sol_alloc_free_ sol_curve_decompress sol_curve_pairing_map "
               "sol_log_compute_units_start sol_log_compute_units_end" },
        { "10", "sol_memcpy_ sol_memmove_ sol_memset_ sol_memcmp_" },
        { "85", "sol_sha256 sol_sha512 sol_keccak256 sol_blake3" },
        { "100", "sol_log_ sol_log_64_ sol_log_pubkey sol_log_compute_units_ sol_log_data "
                 "sol_get_epoch_stake sol_get_return_data sol_set_return_data "
                 "sol_get_stack_height sol_get_processed_sibling_instruction "
                 "sol_remaining_compute_units" },
        { "108", "sol_get_fees_sysvar sol_get_last_restart_slot" },
        { "110", "sol_get_sysvar" },
        { "124", "sol_get_rent_sysvar" },
        { "130", "sol_alt_bn128_compression" },
        { "140", "sol_get_clock_sysvar sol_get_epoch_schedule_sysvar" },
        { "159", "sol_curve_validate_point" },
        { "196", "sol_get_epoch_rewards_sysvar" },
        { "334", "sol_alt_bn128_group_op" },
        { "422+", "sol_big_mod_exp" },
        { "473", "sol_curve_group_op" },
        { "542", "sol_poseidon" },
        { "946+", "sol_invoke_signed_c sol_invoke_signed_rust" },
        { "1500", "sol_create_program_address" },
        { "1500+", "sol_try_find_program_address" },
        { "2273", "sol_curve_multiscalar_mul" },
        { "25000", "sol_secp256k1_recover" },
    };
    const toll_sbf_args args = { .has_returned = true };
    toll_sbf_costs costs;
    (void)state;
    toll_sbf_costs_set(&costs);
    for (unsigned i = 0; toll_sbf_syscall_at(i); i++) {
        const toll_sbf_syscall *s = toll_sbf_syscall_at(i);
        toll_sbf_price price = s->price(&costs, &args, s->detail);
        char text[32], word[64];
        const char *expected = "nothing";
        snprintf(text, sizeof text, "%u%s", (unsigned)price.units, price.is_open ? "+" : "");
        snprintf(word, sizeof word, " %s ", s->name);
        for (size_t p = 0; p < sizeof prices / sizeof *prices; p++) {
            char names[400];
            snprintf(names, sizeof names, " %s ", prices[p].names);
            if (strstr(names, word))
                expected = prices[p].units;
        }
        if (strcmp(text, expected) != 0)
            fail_msg("%s: %s, not %s", s->name, text, expected);
    }
}

/* --- what they change --------------------------------------------------------------------------*/

enum { SIZE = 16, REGION = 600 }; /* argument 3 is a size, too; more bytes than any call writes */

static const toll_sbf_args places = { .r = { 0x400000400, 0x11000, 0x200ab, SIZE, 0x40000,
                                             0x50000 } };

static bool is_as_filled(const toll_sbf_memory *memory, uint64_t address)
{
    uint64_t value;
    return toll_sbf_memory_read(memory, address, &value) && value == 0xeeeeeeeeeeeeeeee;
}

/* How many bytes a call changes from `at` on; *byte: the first one afterwards, -1: unknown. */
static int changed_from(const toll_sbf_syscall *s, const toll_sbf_args *args, uint64_t at,
                        int *byte)
{
    static toll_sbf_memory memory;
    uint64_t value;
    int size = REGION;
    toll_sbf_memory_clear(&memory);
    toll_sbf_memory_fill(&memory, at - 16, 0xee, REGION + 32);
    toll_sbf_syscall_changes(s, args, &memory);
    while (size > 0 && is_as_filled(&memory, at + (uint64_t)size - 1))
        size--;
    *byte = toll_sbf_memory_read(&memory, at, &value) ? (int)(value & 0xff) : -1;
    if (size < REGION && !is_as_filled(&memory, at - 16))
        fail_msg("%s: changes memory before %llx", s->name, (unsigned long long)at);
    return size;
}

/* Append " ARGUMENT:SIZE" if a call changes memory from there on; "=BYTE" if it is known
 * afterwards. Whole words are forgotten: the size is seen where the last one ends with it. 0 is an
 * account. */
static void append_change(char text[200], const toll_sbf_syscall *s, unsigned argument)
{
    int size = REGION, byte = -1;
    for (uint64_t offset = 0; offset < 8; offset++) {
        toll_sbf_args args = places;
        args.r[argument] += offset;
        int changed = changed_from(s, &args, args.r[argument], &byte);
        size = changed < size ? changed : size;
    }
    size_t used = strlen(text);
    if (size == REGION)
        snprintf(text + used, 200 - used, " %u:all", argument);
    else if (size && byte >= 0)
        snprintf(text + used, 200 - used, " %u:%d=%02x", argument, size, (unsigned)byte);
    else if (size)
        snprintf(text + used, 200 - used, " %u:%d", argument, size);
}

static void test_sbf_syscalls_change_memory(void **state)
{
    static const struct {
        const char *changes, *names;
    } cases[] = {
        { "", "abort sol_panic_ sol_alloc_free_ sol_log_ sol_log_64_ sol_log_pubkey sol_log_data "
              "sol_log_compute_units_ sol_log_compute_units_start sol_log_compute_units_end "
              "sol_get_epoch_stake sol_get_stack_height sol_set_return_data "
              "sol_curve_validate_point sol_remaining_compute_units" },
        { " 1:8", "sol_get_fees_sysvar sol_get_last_restart_slot" },
        { " 1:24", "sol_get_rent_sysvar" },
        { " 1:40", "sol_get_clock_sysvar sol_get_epoch_schedule_sysvar" },
        { " 1:96", "sol_get_epoch_rewards_sysvar" },
        { " 2:512", "sol_big_mod_exp" },
        { " 3:32", "sol_sha256 sol_keccak256 sol_blake3" },
        { " 3:64", "sol_sha512" },
        { " 3:192", "sol_curve_decompress" },
        { " 4:4", "sol_memcmp_" },
        { " 4:32", "sol_create_program_address" },
        { " 4:32 5:1", "sol_try_find_program_address" },
        { " 4:64", "sol_secp256k1_recover" },
        { " 4:128", "sol_alt_bn128_group_op sol_alt_bn128_compression" },
        { " 5:32", "sol_poseidon" },
        { " 5:192", "sol_curve_group_op sol_curve_multiscalar_mul" },
        { " 5:576", "sol_curve_pairing_map" },
        { " 1:16", "sol_memcpy_ sol_memmove_" },
        { " 1:16=ab", "sol_memset_" },
        { " 0:all", "sol_invoke_signed_c sol_invoke_signed_rust" },
        { " 0:all 1:all 2:all 3:all 4:all 5:all",
          "sol_get_return_data sol_get_sysvar sol_get_processed_sibling_instruction" },
    };
    unsigned named = 0;
    (void)state;
    for (unsigned i = 0; toll_sbf_syscall_at(i); i++) {
        const toll_sbf_syscall *s = toll_sbf_syscall_at(i);
        char text[200] = "", word[64];
        snprintf(word, sizeof word, " %s ", s->name);
        for (unsigned r = 0; r <= 5; r++)
            append_change(text, s, r);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            char names[400];
            snprintf(names, sizeof names, " %s ", cases[c].names);
            if (!strstr(names, word))
                continue;
            named++;
            if (strcmp(text, cases[c].changes) != 0)
                fail_msg("%s:%s, not%s", s->name, text, cases[c].changes);
        }
        assert_int_equal(named, i + 1); /* each is in the table once */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_syscalls_are_named_by_their_hash),
        cmocka_unit_test(test_sbf_syscalls_have_prices),
        cmocka_unit_test(test_sbf_syscalls_change_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
