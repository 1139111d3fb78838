/* pattern_chars.c - see pattern_chars.h. */
#include "base/pattern_chars.h"

#include "base/fail.h"
#include "base/printable.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RANGES_MOST = 100000 };

bool toll_pattern_no_memory(toll_pattern_parser *p)
{
    p->status = toll_fail_nomem(p->err);
    return false;
}

bool toll_pattern_wrong(toll_pattern_parser *p, size_t at, const char *format, ...)
{
    char why[200];
    size_t character = 1;
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    for (size_t i = 0; i < at; i++)
        character += (p->text[i] & 0xc0) != 0x80;
    p->status = toll_fail(p->err, TOLL_E_ARGUMENT, "bad pattern '%.200s': %s (character %zu)",
                          p->text, why, character);
    return false;
}

bool toll_pattern_is_bounded(toll_pattern_parser *p, const toll_char_set *set)
{
    return p->tree->range_count + set->count <= RANGES_MOST ||
           toll_pattern_wrong(p, p->at, "it names more than %d ranges of characters", RANGES_MOST);
}

/* --- characters --------------------------------------------------------------------------------*/

uint32_t toll_pattern_take(toll_pattern_parser *p)
{
    const char *text = p->text + p->at;
    toll_character c = toll_character_at(text, strnlen(text, 4));
    p->at += c.size;
    return c.code == TOLL_NOT_UTF8 ? TOLL_CHAR_BYTES + (uint8_t)*text : c.code;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Read up to `most` hexadecimal digits. Returns their number. */
static size_t read_hex(toll_pattern_parser *p, size_t most, uint32_t *out)
{
    size_t n = 0;
    for (*out = 0; n < most; n++, p->at++) {
        char c = p->text[p->at], lower = (char)(c | 0x20);
        if (!toll_pattern_is_digit(c) && !(lower >= 'a' && lower <= 'f'))
            break;
        *out = *out * 16 + (uint32_t)(toll_pattern_is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return n;
}

/* After \x or \u. */
static bool read_code(toll_pattern_parser *p, char letter, uint32_t *out)
{
    size_t begin = p->at - 2, want = letter == 'x' ? 2 : 4;
    if (letter == 'u' && p->text[p->at] == '{') {
        p->at++;
        if (read_hex(p, 6, out) && p->text[p->at] == '}' && *out <= 0x10ffff) {
            p->at++;
            return true;
        }
    } else if (read_hex(p, want, out) == want) {
        return true;
    }
    return toll_pattern_wrong(p, begin,
                              "write \\xHH, \\uHHHH or \\u{H...} for a character, up to 10ffff");
}

/* After \p or \P. */
static bool read_category(toll_pattern_parser *p, char letter, toll_char_set *set)
{
    const toll_mem *mem = &p->tree->mem;
    toll_char_set own = { 0 };
    const char *name = p->text + p->at + 1;
    size_t size = p->text[p->at] == '{' ? strcspn(name, "}") : 0;
    bool known = false;
    bool good = !size || toll_char_set_add_category(&own, mem, name, size, &known);
    if (good && known && letter == 'P')
        good = toll_char_set_invert(&own, mem);
    good = good && toll_char_set_join(set, mem, &own);
    toll_char_set_free(&own, mem);
    if (!good)
        return toll_pattern_no_memory(p);
    if (!known || name[size] != '}')
        return toll_pattern_wrong(
            p, p->at - 2, "\\%c takes a general category of Unicode: \\%c{L}, \\%c{Lu}, ...",
            letter, letter, letter);
    p->at += size + 2;
    return true;
}

static bool wrong_escape(toll_pattern_parser *p, size_t at, char letter)
{
    if (letter >= '1' && letter <= '9')
        return toll_pattern_wrong(p, at, "'\\%c' is a back reference, which patterns do not have",
                                  letter);
    if (letter == 'k')
        return toll_pattern_wrong(p, at, "'\\k' is a back reference, which patterns do not have");
    if (letter == '<' || letter == '>')
        return toll_pattern_wrong(p, at, "'\\%c' is nothing; the edge of a word is \\b", letter);
    if (!letter)
        return toll_pattern_wrong(p, at, "there is nothing behind the last '\\'");
    return toll_pattern_wrong(p, at, "'\\%c' is nothing that patterns have", letter);
}

bool toll_pattern_read_escape(toll_pattern_parser *p, toll_char_set *set, uint32_t *code)
{
    static const char controls[] = "n\nt\tr\rf\fv\v";
    size_t begin = p->at++;
    char letter = p->text[p->at];
    *code = UINT32_MAX;
    if (!letter || (letter & 0x80))
        return wrong_escape(p, begin, letter & 0x80 ? '?' : 0);
    p->at++;
    for (const char *c = controls; *c; c += 2)
        if (*c == letter) {
            *code = (uint8_t)c[1];
            return true;
        }
    if (strchr("dDwWsS", letter))
        return toll_char_set_add_letter(set, &p->tree->mem, letter) || toll_pattern_no_memory(p);
    if (letter == 'p' || letter == 'P')
        return read_category(p, letter, set);
    if (letter == 'x' || letter == 'u')
        return read_code(p, letter, code);
    if (is_letter(letter) || toll_pattern_is_digit(letter) || letter == '<' || letter == '>')
        return wrong_escape(p, begin, letter);
    *code = (uint8_t)letter;
    return true;
}

/* --- brackets ----------------------------------------------------------------------------------*/

/* Read "[:alpha:]" within brackets. *is: there was one. */
static bool read_posix(toll_pattern_parser *p, toll_char_set *set, bool *is)
{
    const char *begin = p->text + p->at;
    const char *end = begin[0] == '[' && begin[1] ? strchr(begin + 2, ']') : NULL;
    bool known;
    *is = end && begin[1] == ':' && end > begin + 2 && end[-1] == ':';
    if (!*is && end && strchr(".=", begin[1]) && end > begin + 2 && end[-1] == begin[1])
        return toll_pattern_wrong(
            p, p->at, "'[%c' begins a name of a character, which patterns do not have", begin[1]);
    if (!*is)
        return true;
    if (!toll_char_set_add_posix(set, &p->tree->mem, begin + 2, (size_t)(end - begin) - 3, &known))
        return toll_pattern_no_memory(p);
    if (!known)
        return toll_pattern_wrong(p, p->at,
                                  "there is no such class; there are alnum, alpha, blank, cntrl, "
                                  "digit, graph, lower, print, punct, space, upper, xdigit");
    p->at += (size_t)(end - begin) + 1;
    return true;
}

/* Read one character, or a class; *code is UINT32_MAX for a class. */
static bool read_member(toll_pattern_parser *p, toll_char_set *set, uint32_t *code)
{
    bool is_posix;
    if (!read_posix(p, set, &is_posix))
        return false;
    *code = UINT32_MAX;
    if (is_posix)
        return true;
    if (p->text[p->at] == '\\')
        return toll_pattern_read_escape(p, set, code);
    *code = toll_pattern_take(p);
    return true;
}

/* Read a character, a class, or a range of characters. */
static bool read_range(toll_pattern_parser *p, toll_char_set *set)
{
    size_t begin = p->at;
    uint32_t first, last;
    if (!read_member(p, set, &first))
        return false;
    last = first;
    if (p->text[p->at] == '-' && p->text[p->at + 1] && p->text[p->at + 1] != ']') {
        p->at++;
        if (!read_member(p, set, &last))
            return false;
        if (first == UINT32_MAX || last == UINT32_MAX)
            return toll_pattern_wrong(p, begin, "a class is no end of a range; write '-' last");
        if (first > last)
            return toll_pattern_wrong(p, begin, "a range whose end is before its beginning");
    }
    return first == UINT32_MAX || toll_char_set_add(set, &p->tree->mem, first, last) ||
           toll_pattern_no_memory(p);
}

bool toll_pattern_read_brackets(toll_pattern_parser *p, toll_char_set *set)
{
    size_t begin = p->at++;
    bool invert = p->text[p->at] == '^';
    p->at += invert;
    do { /* a ']' that comes first is an ordinary character */
        if (!p->text[p->at])
            return toll_pattern_wrong(p, begin, "'[' is never closed; write \\[ for the character");
        if (!read_range(p, set) || !toll_pattern_is_bounded(p, set))
            return false;
    } while (p->text[p->at] != ']');
    p->at++;
    return !invert || toll_char_set_invert(set, &p->tree->mem) || toll_pattern_no_memory(p);
}
