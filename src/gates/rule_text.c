/* rule_text.c - see rule_text.h. */
#include "gates/rule_text.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of the quoted text at the start of text[size]; 0: the quote does not end. */
static size_t quoted_size(const char *text, size_t size)
{
    for (size_t i = 1; i < size; i++) {
        if (text[i] == '"')
            return i + 1;
        if (text[i] == '\\')
            i++;
    }
    return 0;
}

static size_t plain_size(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && !is_blank(text[i]))
        i++;
    return i;
}

const char *toll_words_split(const char *text, size_t at, size_t size, toll_words *out, size_t *bad)
{
    size_t end = at + size;
    out->count = 0;
    for (;;) {
        size_t blanks = 0;
        bool has_tab = false;
        for (; at < end && is_blank(text[at]); at++, blanks++)
            has_tab |= text[at] == '\t';
        if (at == end || text[at] == '#')
            return NULL;
        *bad = at;
        if (out->count == TOLL_MOST_WORDS)
            return "too many words in one line; a rule is COLUMN  FUNCTION  < NUMBER";
        toll_word_span w = { .at = at,
                             .is_quoted = text[at] == '"',
                             .is_far = out->count == 0 || blanks > 1 || has_tab };
        w.size = w.is_quoted ? quoted_size(text + at, end - at) : plain_size(text + at, end - at);
        if (!w.size)
            return "the quotes that begin here do not end; a quote within is written \\\"";
        at += w.size;
        *bad = at;
        if (w.is_quoted && at < end && !is_blank(text[at]))
            return "put a blank after the quotes; a quote within a name is written \\\"";
        out->items[out->count++] = w;
    }
}

/* --- quotes ------------------------------------------------------------------------------------*/

static int hex_value(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *d = c ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;
    return d ? (int)(d - digits) : -1;
}

/* The character for an escape sequence of at most `size` bytes after its backslash; *used is its
 * length, 0: it is not an escape. */
static char escaped(const char *text, size_t size, size_t *used)
{
    static const char letters[] = "\"\\tnr", characters[] = "\"\\\t\n\r";
    const char *letter = size && *text ? strchr(letters, *text) : NULL;
    *used = letter ? 1 : 0;
    if (letter)
        return characters[letter - letters];
    if (size < 3 || *text != 'x' || hex_value(text[1]) < 0 || hex_value(text[1]) > 7 ||
        hex_value(text[2]) < 0)
        return 0;
    char c = (char)(hex_value(text[1]) << 4 | hex_value(text[2]));
    *used = c ? 3 : 0;
    return c;
}

const char *toll_unquote(const char *text, size_t size, toll_buffer *out, size_t *bad)
{
    for (size_t i = 1; i + 1 < size; i++) {
        char c = text[i];
        size_t used = 0;
        *bad = i;
        if (c == '\\') {
            c = escaped(text + i + 1, size - i - 2, &used);
            if (!used)
                return "in quotes a backslash begins \\\", \\\\, \\t, \\n, \\r or \\x and two "
                       "digits from 01 to 7f";
        }
        toll_buffer_append_byte(out, (uint8_t)c);
        i += used;
    }
    return NULL;
}

/* Would the parser misread the name without quotes? */
static bool needs_quotes(const char *name)
{
    size_t n = strlen(name);
    toll_words words;
    size_t bad;
    toll_rule_op op;
    if (strncmp(name, "\xef\xbb\xbf", 3) == 0) /* a byte order mark of UTF-8 */
        return true;
    if (!n || is_blank(*name) || is_blank(name[n - 1]) || strchr(name, '*') || *name == '/')
        return true;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || (unsigned char)name[i] == 0x7f)
            return true;
    if (toll_words_split(name, 0, n, &words, &bad) || !words.count)
        return true;
    for (unsigned i = 0; i < words.count; i++) {
        const toll_word_span *w = &words.items[i];
        const char *word = name + w->at;
        bool begins_labels = i && w->size == 5 && memcmp(word, "where", 5) == 0;
        if (w->is_quoted || (i && w->is_far) || begins_labels ||
            toll_rule_operator(word, w->size, &op) || toll_is_false_operator(word, w->size))
            return true;
    }
    const toll_word_span *last = &words.items[words.count - 1];
    return last->at + last->size != n || strncmp(name, "self ", 5) == 0 ||
           strncmp(name, "in ", 3) == 0;
}

static void put_quoted(toll_buffer *out, const char *name)
{
    toll_buffer_append_byte(out, '"');
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '"' || c == '\\')
            toll_buffer_append_byte(out, '\\');
        if (c < ' ' || c == 0x7f)
            toll_buffer_append_format(out, "\\x%02x", c);
        else
            toll_buffer_append_byte(out, c);
    }
    toll_buffer_append_byte(out, '"');
}

void toll_rules_put_name(toll_buffer *out, const char *name)
{
    if (needs_quotes(name))
        put_quoted(out, name);
    else
        toll_buffer_append_text(out, name);
}

void toll_rules_put_label(toll_buffer *out, const char *key, const char *value)
{
    toll_buffer label;
    toll_buffer_init(&label, &out->mem);
    toll_buffer_append_format(&label, "%s=%s", key, value);
    const char *text = toll_buffer_cstr(&label);
    if (text && (strchr(text, ',') || needs_quotes(text)))
        put_quoted(out, text);
    else if (text)
        toll_buffer_append_text(out, text);
    out->failed |= !text;
    toll_buffer_free(&label);
}

/* --- operators ---------------------------------------------------------------------------------*/

size_t toll_rule_operator(const char *word, size_t size, toll_rule_op *op)
{
    static const struct {
        const char *text;
        toll_rule_op op;
    } operators[] = { { "<=", TOLL_RULE_AT_MOST },
                      { "==", TOLL_RULE_EQUAL },
                      { ">=", TOLL_RULE_AT_LEAST },
                      { "<", TOLL_RULE_LESS },
                      { ">", TOLL_RULE_MORE } };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i].text);
        if (size < n || memcmp(word, operators[i].text, n) != 0)
            continue;
        if (size > n && !is_digit(word[n]))
            return 0;
        *op = operators[i].op;
        return n;
    }
    return 0;
}

bool toll_is_false_operator(const char *word, size_t size)
{
    static const char *const texts[] = {
        "=", "!=", "=<", "=>", "<>", "\xe2\x89\xa4", "\xe2\x89\xa5"
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i]) == size && memcmp(word, texts[i], size) == 0)
            return true;
    return false;
}
