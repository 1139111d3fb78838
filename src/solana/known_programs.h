/* known_programs.h - names of Solana's well-known programs, and prices of the built-in ones. */
#ifndef TOLL_SOLANA_KNOWN_PROGRAMS_H
#define TOLL_SOLANA_KNOWN_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

/* The name of the program with the address id[size] (base58), or NULL. */
const char *toll_known_program(const char *id, size_t size);

/* The address of program 0, 1, ..., with its name in *name; NULL after the last one. */
const char *toll_known_program_at(unsigned i, const char **name);

/* The compute units that the runtime charges for an instruction of a built-in program, which no
 * line of the log shows; 0: it is not built in, or its price is not known. */
uint64_t toll_program_price(const char *id, size_t size);

#endif
