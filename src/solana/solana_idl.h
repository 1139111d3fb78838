/* solana_idl.h - names instructions of programs by their IDLs: the JSON that Anchor writes, before
 * and since version 0.30, and Shank's.
 *
 * Owns: the programs and instructions. Texts are in the strings of the owner of this struct. */
#ifndef TOLL_SOLANA_SOLANA_IDL_H
#define TOLL_SOLANA_SOLANA_IDL_H

#include "base/fail.h"
#include "base/input.h"
#include "base/strtab.h"
#include "format/format_row.h"
#include "solana/native_instructions.h"

#include <toll/solana.h>

enum { SOLANA_DISCRIMINATOR_SIZE = 16 }; /* bytes, at most; Anchor's default is 8 */

typedef struct toll_solana_idl_row {
    uint8_t bytes[SOLANA_DISCRIMINATOR_SIZE];
    uint8_t size;
    uint32_t name; /* string: as Anchor's programs log it */
} toll_solana_idl_row;

typedef struct toll_solana_idl_program {
    uint32_t id, name;   /* strings; name "": the IDL has none */
    const char *path;    /* path of the IDL, for messages; if it is in a folder, the folder's */
    size_t first, count; /* its rows */
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

/* Read one IDL to its end, for program `id`, or if that is NULL for the program that it names.
 * Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX (not an IDL, or without an address),
 * TOLL_E_LIMIT. */
bool toll_solana_idl_read(toll_solana_idls *idls, toll_input *in, const char *id, const char *path,
                          const toll_format_options *options, toll_failure *failure);

/* Read files[count]; of a folder, all its *.json. */
bool toll_solana_idls_read(toll_solana_idls *idls, const toll_program_file *files, size_t count,
                           const toll_format_options *options, toll_failure *failure);

/* The IDL of program id[size], the last one read; NULL: none. */
toll_solana_idl_program *toll_solana_idl_find(const toll_solana_idls *idls, const char *id,
                                              size_t size);

/* The name of the instruction with data[size]; size 0: the IDL does not have it. */
toll_solana_word toll_solana_idl_instruction(const toll_solana_idls *idls,
                                             const toll_solana_idl_program *program,
                                             const uint8_t *data, size_t size);

/* Warn about files whose programs have not run, and about folders with only such files. */
void toll_solana_idls_warn_unused(const toll_solana_idls *idls, const toll_format_options *options);

#endif
