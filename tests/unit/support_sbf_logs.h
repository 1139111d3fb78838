/* support_sbf_logs.h - register traces of two programs, one of which invokes the other, and the log
 * of that. */
#ifndef TOLL_TESTS_SUPPORT_SBF_LOGS_H
#define TOLL_TESTS_SUPPORT_SBF_LOGS_H

#include "support_sbf.h"

/* Programs without traces, and the log of an invocation. */
#define A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
#define RUN(id, units)                                                                             \
    "Program " id " invoke [1]\nProgram " id " consumed " units                                    \
    " of 100 compute units\nProgram " id " success\n"

/* CALLER logs and invokes SYSTEM and TOKEN: 8 instructions. */
static const step caller_steps[] = {
    { 5, CALL, SOL_LOG, 0 }, { 6, CALL, 99, 0 },          { 50, CALL, SOL_INVOKE, 1 },
    { 51, OTHER, 0, 1 },     { 52, CALL, SOL_INVOKE, 1 }, { 53, EXIT, 0, 1 },
    { 7, OTHER, 0, 0 },      { 8, EXIT, 0, 0 },
};

/* TOKEN, invoked twice with the same trace. */
static const step token_steps[] = { { 3, OTHER, 0, 0 }, { 4, OTHER, 0, 0 }, { 5, EXIT, 0, 0 } };

static const char nested_logs[] = "[log] Program " CALLER " invoke [1]\n"
                                  "Program log: Program " TOKEN " invoke [7]\n"
                                  "Program " SYSTEM " invoke [2]\r\n"
                                  "Program " SYSTEM " success\n"
                                  "Program " TOKEN " invoke [2]\n"
                                  "Program " TOKEN " consumed 3 of 7000 compute units\n"
                                  "Program return: " TOKEN " pQAAAAAAAAA=\n"
                                  "Program " TOKEN " success\n"
                                  "Program " CALLER " consumed 2511 of 10000 compute units\n"
                                  "Program " CALLER " success\n"
                                  "anything else\n"
                                  "Program " TOKEN " invoke [1]\n"
                                  "Program " TOKEN " consumed 3 of 7000 compute units\n"
                                  "Program " TOKEN " failed: custom program error: 0x1";

static inline void save_nested(void)
{
    SAVE_TRACE("b", CALLER, caller_steps);
    SAVE_TRACE("a", TOKEN, token_steps);
    save_text("logs", nested_logs);
}

#endif
