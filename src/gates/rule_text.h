/* rule_text.h - splits a line of a budget into words: quotes, comments, operators. For the
 * parser. */
#ifndef TOLL_GATES_RULE_TEXT_H
#define TOLL_GATES_RULE_TEXT_H

#include "gates/rules.h"

enum { TOLL_MOST_WORDS = 256 };

typedef struct toll_word_span {
    size_t at, size; /* including its quotes */
    bool is_quoted;
    bool is_far; /* it begins a field: it is the first word, or two blanks or a tab precede it */
} toll_word_span;

typedef struct toll_words {
    toll_word_span items[TOLL_MOST_WORDS];
    unsigned count;
} toll_words;

/* Split the line text[at..at + size) into words, without its comment. Returns NULL, or what is
 * wrong at *bad. */
const char *toll_words_split(const char *text, size_t at, size_t size, toll_words *out,
                             size_t *bad);

/* Append the content of the quoted text[size]. Returns NULL, or what is wrong at *bad. */
const char *toll_unquote(const char *text, size_t size, toll_buffer *out, size_t *bad);

/* The length of the operator that a word is, or that it begins with before a digit; 0: none. */
size_t toll_rule_operator(const char *word, size_t size, toll_rule_op *op);

/* Does the word look like an operator without being one? */
bool toll_is_false_operator(const char *word, size_t size);

#endif
