/* programs.h - names of Solana's well-known programs. */
#ifndef TOLL_BASE_PROGRAMS_H
#define TOLL_BASE_PROGRAMS_H

#include <stddef.h>

/* The name of the program with the address id[size] (base58), or NULL. */
const char *toll_known_program(const char *id, size_t size);

#endif
