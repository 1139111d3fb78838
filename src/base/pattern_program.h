/* pattern_program.h - compiles a pattern into instructions, and divides characters into classes.
 * Characters of one class are in the same sets of the pattern, so an automaton only needs the class
 * of a character. */
#ifndef TOLL_BASE_PATTERN_PROGRAM_H
#define TOLL_BASE_PATTERN_PROGRAM_H

#include "base/pattern_tree.h"

typedef enum toll_op {
    TOLL_OP_SET,   /* a character of set x; go on with the next instruction */
    TOLL_OP_SPLIT, /* go on with x, and with y */
    TOLL_OP_JUMP,  /* go on with x */
    TOLL_OP_EDGE,  /* continue only at the toll_pattern_edge x */
    TOLL_OP_MATCH
} toll_op;

typedef struct toll_pattern_instruction {
    toll_op op;
    uint32_t x, y;
} toll_pattern_instruction;

typedef struct toll_pattern_program {
    toll_mem mem;
    toll_pattern_instruction *code;
    size_t count, capacity;
    /* Classes. Those of ASCII are in a table; the others are looked up by interval. Interval n goes
     * from bounds[n] to the next bound. */
    uint32_t ascii[128];
    uint32_t *bounds, *classes; /* classes: by interval */
    size_t bound_count, bound_capacity;
    uint32_t class_count;
    uint8_t *members; /* a bit by set and class, in rows of row_size bytes */
    size_t row_size, set_count;
    bool has_words; /* has \b or \B; word_set has the classes of words */
    uint32_t word_set;
} toll_pattern_program;

/* Compile a pattern. The program must be freed also after a failure. Errors: those of
 * toll_pattern_parse. */
toll_status toll_pattern_compile(toll_pattern_program *program, const toll_mem *mem,
                                 const char *text, toll_error *err);
void toll_pattern_program_free(toll_pattern_program *program);

/* The class of a character that is not ASCII. */
uint32_t toll_pattern_class(const toll_pattern_program *program, uint32_t character);

static inline bool toll_pattern_has(const toll_pattern_program *program, uint32_t set,
                                    uint32_t class)
{
    return program->members[set * program->row_size + class / 8] >> class % 8 & 1;
}

#endif
