/* solana_label.c - makes the name of a stretch from the text that a program logs. It is the text's
 * first line, in which numbers are replaced, so that different numbers do not make different names;
 * addresses are kept. See solana.h. */
#include "solana/solana.h"

#include <string.h>

enum { SHORTEST_ADDRESS = 32, LONGEST_ADDRESS = 44, SHORTEST_PIECE = 8 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(char c)
{
    return is_digit(c) || is_small(c) || is_capital(c);
}

/* The end of the word that contains text[at]. */
static size_t word_end(const char *text, size_t size, size_t at)
{
    while (at < size && is_word(text[at]))
        at++;
    return at;
}

/* Does `...` or an ellipsis follow, as after an abbreviated address? */
static bool is_cut_off(const char *behind, size_t size)
{
    return (size >= 2 && memcmp(behind, "..", 2) == 0) ||
           (size >= 3 && memcmp(behind, "\xe2\x80\xa6", 3) == 0);
}

/* Is the word an address in base58, or the beginning of one? */
static bool is_address(const char *word, size_t size, const char *end)
{
    bool small = false, capital = false;
    for (size_t i = 0; i < size; i++) {
        if (word[i] == '0' || word[i] == 'O' || word[i] == 'I' || word[i] == 'l')
            return false;
        small |= is_small(word[i]);
        capital |= is_capital(word[i]);
    }
    if (size >= SHORTEST_ADDRESS)
        return size <= LONGEST_ADDRESS;
    return size >= SHORTEST_PIECE && small && capital &&
           is_cut_off(word + size, (size_t)(end - word) - size);
}

/* The cut is not inside a character or an address. */
size_t toll_solana_label_cut(const char *text, size_t size)
{
    size_t cut = SOLANA_LABEL_CUT, begin = cut;
    if (size <= SOLANA_LABEL_CUT)
        return size;
    while (begin > 0 && is_word(text[begin - 1]))
        begin--;
    size_t end = word_end(text, size, begin);
    if (begin < cut && end - begin >= SHORTEST_ADDRESS && end - begin <= LONGEST_ADDRESS)
        return end;
    while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80)
        cut--;
    return cut;
}

/* Copy a word with each run of digits replaced by N. */
static size_t fold_digits(char *out, const char *word, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        if (!is_digit(word[i]))
            out[n++] = word[i];
        else if (i == 0 || !is_digit(word[i - 1]))
            out[n++] = 'N';
    return n;
}

size_t toll_solana_label(char *out, const char *text, size_t size)
{
    const char *line_end = memchr(text, '\n', size);
    size_t n = 0, i = 0, end;
    if (line_end)
        size = (size_t)(line_end - text);
    for (; i < size; i = end) {
        end = word_end(text, size, i);
        if (end == i) {
            out[n++] = text[end++];
        } else if (is_address(text + i, end - i, text + size)) {
            memcpy(out + n, text + i, end - i);
            n += end - i;
        } else {
            n += fold_digits(out + n, text + i, end - i);
        }
    }
    while (n && out[n - 1] && strchr(" \t\r\"',", out[n - 1]))
        n--;
    return n;
}
