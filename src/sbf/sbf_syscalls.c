/* sbf_syscalls.c - see sbf_syscalls.h. */
#include "sbf/sbf_syscalls.h"

#include <stddef.h>

#define ROW(hash, kind, result, result_size, price, detail, name)                                  \
    {                                                                                              \
        hash, TOLL_SBF_##kind, result, result_size, toll_sbf_price_##price, detail, name           \
    }

/* Sorted by hash, for a binary search. */
static const toll_sbf_syscall rows[] = {
    ROW(0x080c98b0, OTHER, 3, 192, decompress, 0, "sol_curve_decompress"),
    ROW(0x11f49d86, OTHER, 3, 32, hash, 0, "sol_sha256"),
    ROW(0x13c1b505, OTHER, 2, 0, get_sysvar, 0, "sol_get_sysvar"),
    ROW(0x174c5122, OTHER, 3, 32, hash, 0, "sol_blake3"),
    ROW(0x17e40350, OTHER, 4, 64, recover, 0, "sol_secp256k1_recover"),
    ROW(0x188a0031, OTHER, 1, 8, sysvar, 8, "sol_get_last_restart_slot"),
    ROW(0x207559bd, LOG, 0, 0, log, 0, "sol_log_"),
    ROW(0x23a29a61, OTHER, 1, 40, sysvar, 40, "sol_get_epoch_schedule_sysvar"),
    ROW(0x334fd5ed, OTHER, 4, 128, bn128_size, 0, "sol_alt_bn128_compression"),
    ROW(0x3770fb22, FILL, 0, 0, memory, 0, "sol_memset_"),
    ROW(0x395b3fcb, OTHER, 0, 0, free, 0, "sol_log_compute_units_end"),
    ROW(0x3b97b73c, OTHER, 1, 8, sysvar, 8, "sol_get_fees_sysvar"),
    ROW(0x434371f8, COPY, 0, 0, memory, 0, "sol_memmove_"),
    ROW(0x48504a38, FIND, 4, 32, find, 0, "sol_try_find_program_address"),
    ROW(0x52ba5096, UNITS, 0, 0, base, 0, "sol_log_compute_units_"),
    ROW(0x5be92f4a, OTHER, 0, 0, stake, 0, "sol_get_epoch_stake"),
    ROW(0x5c2a3178, LOG, 0, 0, log_64, 0, "sol_log_64_"),
    ROW(0x5d2245e4, OTHER, 1, 0, get_data, 0, "sol_get_return_data"),
    ROW(0x5fdcde31, OTHER, 4, 4, memory, 0, "sol_memcmp_"),
    ROW(0x60a40880, OTHER, 5, 192, multiply, 0, "sol_curve_multiscalar_mul"),
    ROW(0x686093bb, OTHER, 0, 0, panic, 0, "sol_panic_"),
    ROW(0x717cc4a3, COPY, 0, 0, memory, 0, "sol_memcpy_"),
    ROW(0x7317b434, OTHER, 0, 0, log_data, 0, "sol_log_data"),
    ROW(0x780e4c15, OTHER, 2, 512, mod_exp, 0, "sol_big_mod_exp"),
    ROW(0x7ef088ca, LOG, 0, 0, log_pubkey, 0, "sol_log_pubkey"),
    ROW(0x82816ce7, OTHER, 0, 0, free, 0, "sol_log_compute_units_start"),
    ROW(0x83f00e8f, OTHER, 0, 0, free, 0, "sol_alloc_free_"),
    ROW(0x85532d94, OTHER, 0, 0, base, 0, "sol_get_stack_height"),
    ROW(0x9229cdcc, OTHER, 3, 64, hash, 0, "sol_sha512"),
    ROW(0x9377323c, OTHER, 4, 32, create, 0, "sol_create_program_address"),
    ROW(0xa226d3eb, OTHER, 0, 0, set_data, 0, "sol_set_return_data"),
    ROW(0xa22b9c85, INVOKE, 0, 0, invoke, 0, "sol_invoke_signed_c"),
    ROW(0xaa2607ca, OTHER, 0, 0, point, 0, "sol_curve_validate_point"),
    ROW(0xadb8efc8, OTHER, 2, 0, base, 0, "sol_get_processed_sibling_instruction"),
    ROW(0xae0c318b, OTHER, 4, 128, bn128, 0, "sol_alt_bn128_group_op"),
    ROW(0xb6fc1a11, OTHER, 0, 0, free, 0, "abort"),
    ROW(0xbf7188f6, OTHER, 1, 24, sysvar, 24, "sol_get_rent_sysvar"),
    ROW(0xc4947c21, OTHER, 5, 32, poseidon, 0, "sol_poseidon"),
    ROW(0xd56b5fe9, OTHER, 1, 40, sysvar, 40, "sol_get_clock_sysvar"),
    ROW(0xd7449092, INVOKE, 0, 0, invoke, 1, "sol_invoke_signed_rust"),
    ROW(0xd7793abb, OTHER, 3, 32, hash, 0, "sol_keccak256"),
    ROW(0xdd1c41a6, OTHER, 5, 192, group, 0, "sol_curve_group_op"),
    ROW(0xedef5aee, REMAINING, 0, 0, base, 0, "sol_remaining_compute_units"),
    ROW(0xf111a47e, OTHER, 5, 576, pairing, 0, "sol_curve_pairing_map"),
    ROW(0xfdba2b3b, OTHER, 1, 96, sysvar, 96, "sol_get_epoch_rewards_sysvar"),
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const toll_sbf_syscall *toll_sbf_syscall_at(unsigned i)
{
    return i < ROW_COUNT ? &rows[i] : NULL;
}

const toll_sbf_syscall *toll_sbf_syscall_find(uint32_t hash)
{
    unsigned low = 0, high = ROW_COUNT;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (rows[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ROW_COUNT && rows[low].hash == hash ? &rows[low] : NULL;
}

/* --- memory ------------------------------------------------------------------------------------*/

void toll_sbf_syscall_changes(const toll_sbf_syscall *s, const toll_sbf_args *a,
                              toll_sbf_memory *memory)
{
    toll_sbf_syscall_kind kind = s ? s->kind : TOLL_SBF_OTHER;
    if (!s || (s->result && !s->result_size))
        toll_sbf_memory_forget(memory, 0, UINT64_MAX);
    else if (s->result)
        toll_sbf_memory_forget(memory, a->r[s->result], s->result_size);
    if (kind == TOLL_SBF_FIND)
        toll_sbf_memory_forget(memory, a->r[5], 1);
    else if (kind == TOLL_SBF_INVOKE)
        toll_sbf_memory_forget_accounts(memory);
    else if (kind == TOLL_SBF_COPY)
        toll_sbf_memory_copy(memory, a->r[1], a->r[2], a->r[3]);
    else if (kind == TOLL_SBF_FILL)
        toll_sbf_memory_fill(memory, a->r[1], (uint8_t)a->r[2], a->r[3]);
}
