/* sbf_costs.h - the costs from which a runtime computes the prices of system calls.
 *
 * Their names are those of the runtime's own table (SVMTransactionExecutionCost of agave's crate
 * solana-program-runtime). sbf_price.c and sbf_price_crypto.c have the formulas. A file can replace
 * figures:
 *
 *     { "runtime": "agave 2.1.0", "costs": { "invoke_units": 1000, "sha256_base_cost": 85 } } */
#ifndef TOLL_SBF_SBF_COSTS_H
#define TOLL_SBF_SBF_COSTS_H

#include "base/fail.h"
#include "base/input.h"

#include <stdint.h>

/* X(figure, value): the built-in table. Two figures have no effect on a price, in the runtime as
 * here, and exist so that a file can contain the runtime's whole table: heap_cost, and
 * get_remaining_compute_units_cost (sol_remaining_compute_units costs syscall_base_cost). */
#define TOLL_SBF_COSTS_RUNTIME "agave 4.3.0"
#define TOLL_SBF_COSTS(X)                                                                          \
    X(log_64_units, 100)                                                                           \
    X(create_program_address_units, 1500)                                                          \
    X(invoke_units, 946)                                                                           \
    X(sha256_base_cost, 85)                                                                        \
    X(sha256_byte_cost, 1)                                                                         \
    X(log_pubkey_units, 100)                                                                       \
    X(cpi_bytes_per_unit, 250)                                                                     \
    X(sysvar_base_cost, 100)                                                                       \
    X(secp256k1_recover_cost, 25000)                                                               \
    X(syscall_base_cost, 100)                                                                      \
    X(curve25519_edwards_validate_point_cost, 159)                                                 \
    X(curve25519_edwards_add_cost, 473)                                                            \
    X(curve25519_edwards_subtract_cost, 475)                                                       \
    X(curve25519_edwards_multiply_cost, 2177)                                                      \
    X(curve25519_edwards_msm_base_cost, 2273)                                                      \
    X(curve25519_edwards_msm_incremental_cost, 758)                                                \
    X(curve25519_ristretto_validate_point_cost, 169)                                               \
    X(curve25519_ristretto_add_cost, 521)                                                          \
    X(curve25519_ristretto_subtract_cost, 519)                                                     \
    X(curve25519_ristretto_multiply_cost, 2208)                                                    \
    X(curve25519_ristretto_msm_base_cost, 2303)                                                    \
    X(curve25519_ristretto_msm_incremental_cost, 788)                                              \
    X(heap_cost, 8)                                                                                \
    X(mem_op_base_cost, 10)                                                                        \
    X(alt_bn128_g1_addition_cost, 334)                                                             \
    X(alt_bn128_g2_addition_cost, 535)                                                             \
    X(alt_bn128_g1_multiplication_cost, 3840)                                                      \
    X(alt_bn128_g2_multiplication_cost, 15670)                                                     \
    X(alt_bn128_pairing_one_pair_cost_first, 36364)                                                \
    X(alt_bn128_pairing_one_pair_cost_other, 12121)                                                \
    X(big_modular_exponentiation_base_cost, 422)                                                   \
    X(big_modular_exponentiation_cost_divisor, 189)                                                \
    X(poseidon_cost_coefficient_a, 61)                                                             \
    X(poseidon_cost_coefficient_c, 542)                                                            \
    X(get_remaining_compute_units_cost, 100)                                                       \
    X(alt_bn128_g1_compress, 30)                                                                   \
    X(alt_bn128_g1_decompress, 398)                                                                \
    X(alt_bn128_g2_compress, 86)                                                                   \
    X(alt_bn128_g2_decompress, 13610)                                                              \
    X(bls12_381_g1_add_cost, 128)                                                                  \
    X(bls12_381_g2_add_cost, 203)                                                                  \
    X(bls12_381_g1_subtract_cost, 129)                                                             \
    X(bls12_381_g2_subtract_cost, 204)                                                             \
    X(bls12_381_g1_multiply_cost, 4627)                                                            \
    X(bls12_381_g2_multiply_cost, 8255)                                                            \
    X(bls12_381_g1_decompress_cost, 2100)                                                          \
    X(bls12_381_g2_decompress_cost, 3050)                                                          \
    X(bls12_381_g1_validate_cost, 1565)                                                            \
    X(bls12_381_g2_validate_cost, 1968)                                                            \
    X(bls12_381_one_pair_cost, 25445)                                                              \
    X(bls12_381_additional_pair_cost, 13023)

enum { TOLL_SBF_RUNTIME_SIZE = 64 };

typedef struct toll_sbf_costs {
    char runtime[TOLL_SBF_RUNTIME_SIZE]; /* name and version, for notes */
#define TOLL_SBF_COST_MEMBER(name, value) uint64_t name;
    TOLL_SBF_COSTS(TOLL_SBF_COST_MEMBER)
#undef TOLL_SBF_COST_MEMBER
} toll_sbf_costs;

/* Set the built-in table. */
void toll_sbf_costs_set(toll_sbf_costs *costs);

/* Read JSON to its end. Figures that it does not name keep their values. Failures: TOLL_E_IO,
 * TOLL_E_NOMEM, TOLL_E_SYNTAX (with the line, and for an unknown figure the nearest name). */
bool toll_sbf_costs_read(toll_sbf_costs *costs, toll_input *in, toll_failure *failure);

#endif
