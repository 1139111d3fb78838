/* sbf_syscalls.c - the table of system calls. See sbf_syscalls.h. */
#include "solana/sbf_syscalls.h"

#include <stddef.h>

/* Sorted by hash, for a binary search. */
static const toll_sbf_syscall rows[] = {
    { 0x080c98b0, TOLL_SBF_OTHER, 100, "sol_curve_decompress" },
    { 0x11f49d86, TOLL_SBF_OTHER, 85, "sol_sha256" },
    { 0x13c1b505, TOLL_SBF_OTHER, 100, "sol_get_sysvar" },
    { 0x174c5122, TOLL_SBF_OTHER, 85, "sol_blake3" },
    { 0x17e40350, TOLL_SBF_OTHER, 25000, "sol_secp256k1_recover" },
    { 0x188a0031, TOLL_SBF_OTHER, 100, "sol_get_last_restart_slot" },
    { 0x207559bd, TOLL_SBF_LOG, 100, "sol_log_" },
    { 0x23a29a61, TOLL_SBF_OTHER, 100, "sol_get_epoch_schedule_sysvar" },
    { 0x334fd5ed, TOLL_SBF_OTHER, 100, "sol_alt_bn128_compression" },
    { 0x3770fb22, TOLL_SBF_OTHER, 10, "sol_memset_" },
    { 0x3b97b73c, TOLL_SBF_OTHER, 100, "sol_get_fees_sysvar" },
    { 0x434371f8, TOLL_SBF_OTHER, 10, "sol_memmove_" },
    { 0x48504a38, TOLL_SBF_OTHER, 1500, "sol_try_find_program_address" },
    { 0x52ba5096, TOLL_SBF_OTHER, 100, "sol_log_compute_units_" },
    { 0x5be92f4a, TOLL_SBF_OTHER, 100, "sol_get_epoch_stake" },
    { 0x5c2a3178, TOLL_SBF_LOG, 100, "sol_log_64_" },
    { 0x5d2245e4, TOLL_SBF_OTHER, 100, "sol_get_return_data" },
    { 0x5fdcde31, TOLL_SBF_OTHER, 10, "sol_memcmp_" },
    { 0x60a40880, TOLL_SBF_OTHER, 100, "sol_curve_multiscalar_mul" },
    { 0x686093bb, TOLL_SBF_OTHER, 0, "sol_panic_" },
    { 0x717cc4a3, TOLL_SBF_OTHER, 10, "sol_memcpy_" },
    { 0x7317b434, TOLL_SBF_OTHER, 100, "sol_log_data" },
    { 0x780e4c15, TOLL_SBF_OTHER, 100, "sol_big_mod_exp" },
    { 0x7ef088ca, TOLL_SBF_LOG, 100, "sol_log_pubkey" },
    { 0x83f00e8f, TOLL_SBF_OTHER, 0, "sol_alloc_free_" },
    { 0x85532d94, TOLL_SBF_OTHER, 100, "sol_get_stack_height" },
    { 0x9229cdcc, TOLL_SBF_OTHER, 85, "sol_sha512" },
    { 0x9377323c, TOLL_SBF_OTHER, 1500, "sol_create_program_address" },
    { 0xa226d3eb, TOLL_SBF_OTHER, 100, "sol_set_return_data" },
    { 0xa22b9c85, TOLL_SBF_INVOKE, 946, "sol_invoke_signed_c" },
    { 0xaa2607ca, TOLL_SBF_OTHER, 100, "sol_curve_validate_point" },
    { 0xadb8efc8, TOLL_SBF_OTHER, 100, "sol_get_processed_sibling_instruction" },
    { 0xae0c318b, TOLL_SBF_OTHER, 100, "sol_alt_bn128_group_op" },
    { 0xb6fc1a11, TOLL_SBF_OTHER, 0, "abort" },
    { 0xbf7188f6, TOLL_SBF_OTHER, 100, "sol_get_rent_sysvar" },
    { 0xc4947c21, TOLL_SBF_OTHER, 0, "sol_poseidon" },
    { 0xd56b5fe9, TOLL_SBF_OTHER, 100, "sol_get_clock_sysvar" },
    { 0xd7449092, TOLL_SBF_INVOKE, 946, "sol_invoke_signed_rust" },
    { 0xd7793abb, TOLL_SBF_OTHER, 85, "sol_keccak256" },
    { 0xdd1c41a6, TOLL_SBF_OTHER, 100, "sol_curve_group_op" },
    { 0xedef5aee, TOLL_SBF_OTHER, 100, "sol_remaining_compute_units" },
    { 0xf111a47e, TOLL_SBF_OTHER, 100, "sol_curve_pairing_map" },
    { 0xfdba2b3b, TOLL_SBF_OTHER, 100, "sol_get_epoch_rewards_sysvar" },
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
