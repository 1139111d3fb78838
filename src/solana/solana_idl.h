/* solana_idl.h - instructions of programs by their IDLs: the JSON that Anchor writes, of before and
 * since version 0.30, and Shank's.
 *
 * Owns: the programs and instructions; texts are in the strings of whoever holds it. */
#ifndef TOLL_SOLANA_SOLANA_IDL_H
#define TOLL_SOLANA_SOLANA_IDL_H

#include "base/fail.h"
#include "base/input.h"
#include "base/strtab.h"
#include "format/format_row.h"
#include "solana/native_instructions.h"

#include <toll/solana.h>

enum { SOLANA_DISCRIMINATOR_SIZE = 16 }; /* bytes, at most; of Anchor's own 8 */

typedef struct toll_solana_idl_row {
    uint8_t bytes[SOLANA_DISCRIMINATOR_SIZE];
    uint8_t size;
    uint32_t name; /* a string: as Anchor's programs log it */
} toll_solana_idl_row;

typedef struct toll_solana_idl_program {
    uint32_t id, name;   /* strings; name "": the IDL has none */
    const char *path;    /* of the IDL, for messages; of a folder's the folder's */
    size_t first, count; /* of its rows */
    bool is_used;        /* the program has run */
} toll_solana_idl_program;

typedef struct toll_solana_idls {
    toll_strtab *strings;
    toll_solana_idl_program *programs;
    size_t program_count, program_capacity;
    toll_solana_idl_row *rows;
    size_t row_count, row_capacity;
} toll_solana_idls;

void toll_solana_idls_free(toll_solana_idls *idls);

/* Read one IDL to its end, of the program `id`, or if that is NULL of the one that it names.
 * Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX (no IDL, or no address in it), TOLL_E_LIMIT. */
bool toll_solana_idl_read(toll_solana_idls *idls, toll_input *in, const char *id, const char *path,
                          const toll_format_options *options, toll_failure *failure);

/* Read files[count], and all *.json of those that are folders. */
bool toll_solana_idls_read(toll_solana_idls *idls, const toll_program_file *files, size_t count,
                           const toll_format_options *options, toll_failure *failure);

/* The IDL of the program id[size], the last one; NULL: there is none. */
toll_solana_idl_program *toll_solana_idl_find(const toll_solana_idls *idls, const char *id,
                                              size_t size);

/* The name of the instruction with data[size]; size 0: none of the IDL. */
toll_solana_word toll_solana_idl_instruction(const toll_solana_idls *idls,
                                             const toll_solana_idl_program *program,
                                             const uint8_t *data, size_t size);

/* Warn of files whose programs have not run, and of folders with nothing else in them. */
void toll_solana_idls_tell_unused(const toll_solana_idls *idls, const toll_format_options *options);

#endif
