/* rule_text.h - the words of a line of a budget: quotes, comments, operators. For the parser. */
#ifndef TOLL_GATES_RULE_TEXT_H
#define TOLL_GATES_RULE_TEXT_H

#include "gates/rules.h"

enum { TOLL_MOST_WORDS = 256 };

typedef struct toll_word_span {
    size_t at, size; /* with its quotes */
    bool is_quoted;
    bool is_far; /* it begins a field: two blanks, or a tab, are in front of it, or nothing */
} toll_word_span;

typedef struct toll_words {
    toll_word_span items[TOLL_MOST_WORDS];
    unsigned count;
} toll_words;

/* The words of the line text[at..at + size), without its comment. Returns NULL, or what is wrong at
 * *bad. */
const char *toll_words_split(const char *text, size_t at, size_t size, toll_words *out,
                             size_t *bad);

/* Append what is in the quotes that text[size] is. Returns NULL, or what is wrong at *bad. */
const char *toll_unquote(const char *text, size_t size, toll_buffer *out, size_t *bad);

/* The length of the operator that a word is, or begins with before a digit; 0: none. */
size_t toll_rule_operator(const char *word, size_t size, toll_rule_op *op);

/* Is the word what somebody may take for an operator, and none? */
bool toll_is_false_operator(const char *word, size_t size);

#endif
