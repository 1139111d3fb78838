/* pattern_chars.h - reads characters and sets of characters in the text of a pattern: escapes,
 * classes, brackets; and makes the messages about that text. pattern_parse.c reads the rest. */
#ifndef TOLL_BASE_PATTERN_CHARS_H
#define TOLL_BASE_PATTERN_CHARS_H

#include "base/pattern_tree.h"

typedef struct toll_pattern_parser {
    toll_pattern_tree *tree;
    const char *text;
    size_t at;
    unsigned depth;
    toll_error *err;
    toll_status status; /* the first failure; functions return false from then on */
} toll_pattern_parser;

bool toll_pattern_no_memory(toll_pattern_parser *parser); /* always false */

/* Fail with a message about the text from `at` on. Always false. */
bool toll_pattern_wrong(toll_pattern_parser *parser, size_t at, const char *format, ...)
    TOLL_PRINTF(3, 4);

static inline bool toll_pattern_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read the next character. */
uint32_t toll_pattern_take(toll_pattern_parser *parser);

/* Read a character or a class after a backslash. *code is UINT32_MAX for a class, which is added to
 * the set. */
bool toll_pattern_read_escape(toll_pattern_parser *parser, toll_char_set *set, uint32_t *code);

/* Read a set in brackets. */
bool toll_pattern_read_brackets(toll_pattern_parser *parser, toll_char_set *set);

/* Is the tree still within its limits? A named set may have hundreds of ranges, and be used
 * often. */
bool toll_pattern_is_bounded(toll_pattern_parser *parser, const toll_char_set *set);

#endif
