/* json_read.c - see json_read.h. */
#include "base/json_read.h"

#include "base/fail.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { LONG_LINE = 200 }; /* in bytes: in a longer line, the line number alone does not help */

void toll_json_begin(toll_json *j, toll_input *in, toll_failure *failure)
{
    memset(j, 0, sizeof *j);
    j->in = in;
    j->failure = failure;
    j->line = 1;
    j->expect_value = true;
    toll_buffer_init(&j->text, toll_input_mem(in));
}

void toll_json_free(toll_json *j)
{
    toll_buffer_free(&j->text);
}

bool toll_json_fail(toll_json *j, toll_status status, const char *what)
{
    uint64_t offset = toll_input_offset(j->in);
    toll_failure *f = j->failure;
    if (f->status)
        return false;
    if (status == TOLL_E_NOMEM)
        return toll_no_memory(f);
    if (offset - j->line_start < LONG_LINE)
        return toll_ok(f, toll_fail_line(j->in, j->line, f->err, status, "%s", what));
    /* The whole JSON may be one line, so name the byte too. */
    return toll_ok(f, toll_fail_line(j->in, j->line, f->err, status, "%s (before byte %" PRIu64 ")",
                                     what, offset));
}

static toll_json_token fail(toll_json *j, toll_status status, const char *what)
{
    toll_json_fail(j, status, what);
    return TOLL_JSON_ERROR;
}

/* Fail because the input ended early, or could not be read. */
static toll_json_token cut_off(toll_json *j)
{
    toll_ok(j->failure, toll_input_check(j->in, j->failure->err));
    return fail(j, TOLL_E_TRUNCATED, "the JSON text ends too early; fetch the file again");
}

/* The next byte that is not white space, without consuming it; -1 at the end. */
static int peek_token(toll_json *j)
{
    size_t got;
    for (;;) {
        const uint8_t *p = toll_input_peek(j->in, 1, &got);
        size_t i = 0;
        while (i < got && (p[i] == ' ' || p[i] == '\n' || p[i] == '\t' || p[i] == '\r'))
            if (p[i++] == '\n') {
                j->line++;
                j->line_start = toll_input_offset(j->in) + i;
            }
        int c = i < got ? p[i] : -1;
        toll_input_skip(j->in, i);
        if (c >= 0 || got == 0)
            return c;
    }
}

/* --- strings -----------------------------------------------------------------------------------*/

static bool hex4(const uint8_t *p, uint32_t *out)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t c = p[i];
        uint32_t digit = c >= '0' && c <= '9'                     ? (uint32_t)c - '0'
                         : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (uint32_t)(c | 0x20) - 'a' + 10
                                                                  : 99;
        if (digit > 15)
            return false;
        v = v << 4 | digit;
    }
    *out = v;
    return true;
}

enum { REPLACEMENT = 0xfffd };

/* Read \uXXXX, or two of them for one character. The position is at the 'u'. */
static bool unicode_escape(toll_json *j)
{
    size_t got;
    uint32_t c, low;
    const uint8_t *p = toll_input_peek(j->in, 11, &got);
    size_t used = 5;
    if (got < 5 || !hex4(p + 1, &c))
        return false;
    if (c >= 0xd800 && c < 0xdc00) {
        if (got < 11 || p[5] != '\\' || p[6] != 'u' || !hex4(p + 7, &low) || low < 0xdc00 ||
            low > 0xdfff)
            return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        used = 11;
    } else if (c >= 0xdc00 && c < 0xe000) {
        return false;
    } else if (c == 0) {
        if (!j->replaces_nul)
            return false;
        c = REPLACEMENT;
    }
    toll_text_append_char(&j->text, c);
    toll_input_skip(j->in, used);
    return true;
}

static bool escape(toll_json *j)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    size_t got;
    const uint8_t *p = toll_input_peek(j->in, 2, &got);
    if (got < 2)
        return false;
    toll_input_skip(j->in, 1);
    if (p[1] == 'u')
        return unicode_escape(j);
    const char *at = p[1] ? strchr(from, p[1]) : NULL;
    if (!at)
        return false;
    toll_buffer_append_byte(&j->text, (uint8_t)to[at - from]);
    toll_input_skip(j->in, 1);
    return true;
}

/* Read a string into j->text; the next byte is its quote. */
static bool read_string(toll_json *j)
{
    size_t got;
    toll_buffer_clear(&j->text);
    toll_input_skip(j->in, 1);
    for (;;) {
        const uint8_t *p = toll_input_peek(j->in, 1, &got);
        size_t n = 0;
        if (got == 0)
            return cut_off(j), false;
        while (n < got && p[n] >= 0x20 && p[n] != '"' && p[n] != '\\')
            n++;
        toll_buffer_append(&j->text, p, n);
        int c = n < got ? p[n] : -1;
        toll_input_skip(j->in, n);
        if (c == '"')
            break;
        if (c >= 0 && c != '\\')
            return fail(j, TOLL_E_SYNTAX, "a control character in a string"), false;
        if (c == '\\' && !escape(j))
            return fail(j, TOLL_E_SYNTAX,
                        "a bad escape in a string (\\u0000 and half surrogates are bad too)"),
                   false;
    }
    toll_input_skip(j->in, 1);
    if (toll_text_check((const char *)j->text.data, j->text.size) < j->text.size)
        return fail(j, TOLL_E_SYNTAX, "a string is not valid UTF-8; convert the file first"), false;
    if (!toll_buffer_cstr(&j->text))
        return fail(j, TOLL_E_NOMEM, ""), false;
    return true;
}

/* --- the rest ----------------------------------------------------------------------------------*/

static toll_json_token read_number(toll_json *j)
{
    enum { LONGEST = 400 };
    size_t got, n = 0;
    const uint8_t *p = toll_input_peek(j->in, LONGEST + 1, &got);
    int64_t ignored;
    while (n < got && n <= LONGEST &&
           ((p[n] >= '0' && p[n] <= '9') || (p[n] && strchr("+-.eE", p[n]))))
        n++;
    toll_buffer_clear(&j->text);
    toll_buffer_append(&j->text, p, n);
    toll_input_skip(j->in, n);
    const char *text = toll_buffer_cstr(&j->text);
    if (!text)
        return fail(j, TOLL_E_NOMEM, "");
    const char *digits = text + (*text == '-');
    /* This only checks the syntax: with so small a scale every number fits. */
    if (n > LONGEST || (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') ||
        !toll_text_scaled(text, n, -1000000, &ignored, NULL))
        return fail(j, TOLL_E_SYNTAX, "a malformed number");
    return TOLL_JSON_NUMBER;
}

static toll_json_token read_word(toll_json *j, const char *word, toll_json_token token)
{
    size_t got, n = strlen(word);
    const uint8_t *p = toll_input_peek(j->in, n, &got);
    if (got < n)
        return cut_off(j);
    if (memcmp(p, word, n) != 0)
        return fail(j, TOLL_E_SYNTAX, "a word that is not true, false or null");
    toll_input_skip(j->in, n);
    return token;
}

static toll_json_token open_nest(toll_json *j, uint8_t what, toll_json_token token)
{
    if (j->depth == TOLL_JSON_DEPTH)
        return fail(j, TOLL_E_LIMIT, "more than 512 levels of brackets");
    j->nesting[j->depth++] = what;
    j->first = true;
    toll_input_skip(j->in, 1);
    return token;
}

static toll_json_token close_nest(toll_json *j, toll_json_token token)
{
    j->depth--;
    j->first = false;
    toll_input_skip(j->in, 1);
    return token;
}

static toll_json_token read_value(toll_json *j, int c)
{
    j->expect_value = false;
    j->first = false;
    switch (c) {
    case '{': return open_nest(j, '{', TOLL_JSON_OBJECT);
    case '[': return open_nest(j, '[', TOLL_JSON_ARRAY);
    case '"': return read_string(j) ? TOLL_JSON_STRING : TOLL_JSON_ERROR;
    case 't': return read_word(j, "true", TOLL_JSON_TRUE);
    case 'f': return read_word(j, "false", TOLL_JSON_FALSE);
    case 'n': return read_word(j, "null", TOLL_JSON_NULL);
    default:
        if (c == '-' || (c >= '0' && c <= '9'))
            return read_number(j);
        return fail(j, TOLL_E_SYNTAX, "a value was expected here");
    }
}

static toll_json_token read_key(toll_json *j)
{
    if (peek_token(j) != '"')
        return fail(j, TOLL_E_SYNTAX, "a name in quotes was expected here");
    if (!read_string(j))
        return TOLL_JSON_ERROR;
    if (peek_token(j) != ':')
        return fail(j, TOLL_E_SYNTAX, "':' was expected after a name");
    toll_input_skip(j->in, 1);
    j->expect_value = true;
    return TOLL_JSON_KEY;
}

static toll_json_token at_the_end(toll_json *j, int c)
{
    if (c >= 0)
        return fail(j, TOLL_E_SYNTAX, "something follows the end of the JSON text");
    return toll_ok(j->failure, toll_input_check(j->in, j->failure->err)) ? TOLL_JSON_END
                                                                         : TOLL_JSON_ERROR;
}

toll_json_token toll_json_next(toll_json *j)
{
    if (!toll_json_ok(j))
        return TOLL_JSON_ERROR;
    int c = peek_token(j);
    if (j->depth == 0 && !j->expect_value)
        return at_the_end(j, c);
    if (c < 0)
        return cut_off(j);
    if (j->expect_value)
        return read_value(j, c);
    bool object = j->nesting[j->depth - 1] == '{';
    if (c == (object ? '}' : ']'))
        return close_nest(j, object ? TOLL_JSON_OBJECT_END : TOLL_JSON_ARRAY_END);
    if (!j->first) {
        if (c != ',')
            return fail(j, TOLL_E_SYNTAX, "',' or a closing bracket was expected here");
        toll_input_skip(j->in, 1);
        c = peek_token(j);
        if (c < 0)
            return cut_off(j);
    }
    j->first = false;
    return object ? read_key(j) : read_value(j, c);
}

bool toll_json_skip(toll_json *j, toll_json_token token)
{
    unsigned depth = j->depth;
    if (token == TOLL_JSON_OBJECT || token == TOLL_JSON_ARRAY)
        while (j->depth >= depth && toll_json_ok(j))
            toll_json_next(j);
    return toll_json_ok(j);
}

bool toll_json_skip_next(toll_json *j)
{
    return toll_json_skip(j, toll_json_next(j));
}

bool toll_json_is(const toll_json *j, const char *text)
{
    return strcmp(toll_json_text(j), text) == 0;
}

bool toll_json_expect(toll_json *j, toll_json_token token, const char *what)
{
    toll_json_token t = toll_json_next(j);
    if (t == token)
        return true;
    if (t != TOLL_JSON_ERROR)
        toll_json_fail(j, TOLL_E_SYNTAX, what);
    return false;
}

bool toll_json_elements(toll_json *j, toll_json_token first, const char *what,
                        bool (*take)(void *user), void *user)
{
    toll_json_token t;
    while ((t = toll_json_next(j)) == first)
        if (!take(user))
            return false;
    return t == TOLL_JSON_ARRAY_END || toll_json_fail(j, TOLL_E_SYNTAX, what);
}

bool toll_json_array(toll_json *j, toll_json_token first, const char *what,
                     bool (*take)(void *user), void *user)
{
    return toll_json_expect(j, TOLL_JSON_ARRAY, what) &&
           toll_json_elements(j, first, what, take, user);
}
