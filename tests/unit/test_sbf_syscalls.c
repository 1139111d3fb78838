/* test_sbf_syscalls.c - the table of Solana's system calls: hashes of names, and prices. */
#include "support.h"

#include "solana/sbf_syscalls.h"

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

/* The least that a system call costs, of those that cost something else than 100 units. */
static uint32_t least_of(const char *name)
{
    static const struct {
        uint32_t units;
        const char *names;
    } prices[] = {
        { 0, " abort sol_panic_ sol_alloc_free_ sol_poseidon " },
        { 10, " sol_memcpy_ sol_memmove_ sol_memset_ sol_memcmp_ " },
        { 85, " sol_sha256 sol_sha512 sol_keccak256 sol_blake3 " },
        { 946, " sol_invoke_signed_c sol_invoke_signed_rust " },
        { 1500, " sol_create_program_address sol_try_find_program_address " },
        { 25000, " sol_secp256k1_recover " },
    };
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    for (size_t i = 0; i < sizeof prices / sizeof *prices; i++)
        if (strstr(prices[i].names, word))
            return prices[i].units;
    return 100;
}

static void test_sbf_syscalls_have_their_prices(void **state)
{
    (void)state;
    for (unsigned i = 0; toll_sbf_syscall_at(i); i++) {
        const toll_sbf_syscall *s = toll_sbf_syscall_at(i);
        if (s->least != least_of(s->name))
            fail_msg("%s: %u", s->name, (unsigned)s->least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbf_syscalls_are_named_by_their_hash),
        cmocka_unit_test(test_sbf_syscalls_have_their_prices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
