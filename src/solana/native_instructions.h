/* native_instructions.h - names the instructions of Solana's own programs by the beginning of
 * their data. The programs are System, Stake, Vote, Compute Budget, Address Lookup Table, the
 * loaders, Token, Token-2022, Associated Token, Memo. Names are those of their Rust enums and
 * published clients. */
#ifndef TOLL_SOLANA_NATIVE_INSTRUCTIONS_H
#define TOLL_SOLANA_NATIVE_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

/* A name without a NUL; size 0: not known. */
typedef struct toll_solana_word {
    const char *text;
    size_t size;
} toll_solana_word;

/* The name of the instruction of program id[id_size] with data[size]; its first 8 bytes are
 * enough. */
toll_solana_word toll_native_instruction(const char *id, size_t id_size, const uint8_t *data,
                                         size_t size);

/* The same, from the name type[size] that RPC nodes use (jsonParsed): "transferChecked". */
toll_solana_word toll_native_instruction_of_type(const char *id, size_t id_size, const char *type,
                                                 size_t size);

#endif
