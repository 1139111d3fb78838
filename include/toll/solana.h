/* solana.h - options of the readers of Solana's formats: "solana" (logs) and "sbf-trace" (register
 * traces). Pass the struct as options of "solana": see toll_reader_options in format.h.
 *
 * A libtoll built without Solana (-DTOLL_SOLANA=OFF) has neither the formats nor the function here.
 *
 * Experimental: see toll.h. */
#ifndef TOLL_SOLANA_OPTIONS_H
#define TOLL_SOLANA_OPTIONS_H

#include <toll/format.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file about a program on Solana. */
typedef struct toll_program_file {
    const char *program_id; /* base58 */
    const char *path;
} toll_program_file;

typedef struct toll_solana_options {
    size_t size; /* sizeof(toll_solana_options), as for all options: see toll.h */
    /* The name of a file with lines `ID NAME`: names of programs, which take precedence over the
     * built-in ones. '#' begins a comment line. NULL: none. */
    const char *names;
    /* idl_count IDLs (JSON of Anchor or Shank) with names of instructions. With program_id NULL:
     * for the program that the file names, or a folder of such files. */
    const toll_program_file *idls;
    size_t idl_count;
    /* sbf-trace: elf_count ELF files of the build that was traced, unstripped, or stripped if the
     * unstripped one is in target/ beside them; with program_id NULL of the programs whose code
     * they have, or a folder of such. Functions of programs without one are named fn@PC. */
    const toll_program_file *elfs;
    size_t elf_count;
    /* sbf-trace: a folder; builds of programs without an ELF file, and unstripped builds of those
     * whose file is stripped, are looked for in the folder `target` of it and of those around it.
     * NULL: they are not. */
    const char *project;
    /* sbf-trace: the name of a file with the logs of the transactions that were traced, as lines or
     * as JSON with an array of strings "logMessages" or "logs"; NULL: none. */
    const char *logs;
    /* sbf-trace: the name of a JSON file with figures by which the runtime priced system calls
     * (docs/solana.md); NULL: those that are built in. */
    const char *costs;
    /* sbf-trace: 1: the cost of each instruction, as places by address, in programs whose ELF file
     * is given; toll_profile_symbolize turns them into lines. */
    int lines;
    /* 1: each transaction is a separate root, named by its signature or test; 0: transactions are
     * merged by instruction. */
    int by_transaction;
} toll_solana_options;

#define TOLL_SOLANA_OPTIONS_INIT TOLL_SIZED_INIT(toll_solana_options)

/* The runtime whose prices of system calls are used for register traces (sbf-trace) without
 * options->costs, such as "agave 4.3.0". Static. Threads: any. Since 0.1. */
TOLL_API const char *toll_sbf_runtime(void);

#ifdef __cplusplus
}
#endif
#endif
