/* printable.h - makes text from files safe to print.
 *
 * Names come from files. A character is printed as an escape if it could control a terminal,
 * imitate a line, change the order in which text is shown, or make different names look equal. C0
 * and C1 controls, DEL and bytes that are not UTF-8 become \xNN. Characters that set the direction
 * of text, Unicode's own line ends and invisible characters (without width, or blank letters)
 * become an escape like \u202e. Everything that Toll prints is escaped here; the rest of the
 * library and adapters call toll_output_put_printable and toll_printable. */
#ifndef TOLL_BASE_PRINTABLE_H
#define TOLL_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct toll_character {
    uint32_t code; /* TOLL_NOT_UTF8: one byte that is not UTF-8 */
    uint8_t size;  /* in bytes */
    bool is_printable;
    bool is_control; /* it controls a terminal, ends a line or turns text around */
} toll_character;

#define TOLL_NOT_UTF8 UINT32_MAX

/* The first character of text[size]; size > 0. */
toll_character toll_character_at(const char *text, size_t size);

/* The size of the first character of `text` (valid UTF-8 with a NUL) if it is a control; 0 if it is
 * not, or `text` begins in the middle of a character. Files keep characters that are only
 * invisible: names that differ in them are two names, and emoji are made of them. */
static inline size_t toll_control_size(const char *text)
{
    uint8_t c = (uint8_t)*text;
    if ((c >= 0x20 && c < 0x7f) || (c & 0xc0) == 0x80)
        return 0;
    toll_character first = toll_character_at(text, strnlen(text, 4));
    return first.is_control ? first.size : 0;
}

/* Pass text[size] to `put` in pieces, all of them printable. An escape is a piece of its own. */
typedef void (*toll_put_fn)(void *user, const char *text, size_t size);
void toll_put_printable(const char *text, size_t size, toll_put_fn put, void *user);

/* The number of columns that the escaped text occupies: one for each character or byte of an
 * escape.
 */
size_t toll_printable_width(const char *text);

#endif
