/* folded.h - parses lines of folded stacks, `root;child;leaf VALUE`, for their reader and
 * writer, and recognises files. */
#ifndef TOLL_FORMAT_FOLDED_H
#define TOLL_FORMAT_FOLDED_H

#include <stdbool.h>
#include <stddef.h>

/* A parsed line; values are still text. */
typedef struct folded_line {
    const char *stack;
    size_t stack_size;
    const char *value[2];
    size_t value_size[2];
} folded_line;

/* Split a line into the numbers at its end (1 or 2) and the stack before them. A missing part has
 * size 0. */
void toll_folded_split(const char *text, size_t size, int values, folded_line *line);

/* Is it a decimal number? A sign, a fraction and an exponent are allowed. */
bool toll_folded_is_number(const char *text, size_t size);

/* A '#' alone, or followed by a blank, begins a comment. "#<Class:Foo>;new 5" is a stack: Ruby and
 * JavaScript have such names, and their cost must not be lost. */
static inline bool toll_folded_is_comment(const char *text, size_t size)
{
    return size && text[0] == '#' && (size == 1 || text[1] == ' ' || text[1] == '\t');
}

/* Does the line end in two numbers, with something before them? */
bool toll_folded_is_differential(const char *text, size_t size);

/* The name of a frame without a name. */
#define FOLDED_UNNAMED "(unknown)"

#endif
