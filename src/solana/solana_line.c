/* solana_line.c - parses a line of a Solana program log.
 *
 * Other text may precede the line (a time, a module, a quote) and follow it (a quote, a comma). The
 * first `Program ` that begins a known form decides. `Program log:` is such a form: the text that a
 * program logs is never parsed, so it cannot imitate an invocation. */
#include "solana/solana.h"

#include <string.h>

enum {
    ID_LEAST = 32, /* 32 bytes in base58 */
    ID_MOST = 44,
    SIGNATURE_LEAST = 64, /* 64 bytes */
    SIGNATURE_MOST = 88
};

static bool is_base58(char c)
{
    return (c >= '1' && c <= '9') || (c >= 'a' && c <= 'z' && c != 'l') ||
           (c >= 'A' && c <= 'Z' && c != 'I' && c != 'O');
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Does the text begin with `word`? If so, skip it. */
static bool skip_word(const char **text, const char *end, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(end - *text) < n || memcmp(*text, word, n) != 0)
        return false;
    *text += n;
    return true;
}

/* Does the rest contain only what may follow a line: blanks, quotes, commas, or an escape sequence
 * that ends a colour? */
static bool nothing_follows(const char *text, const char *end)
{
    while (text < end && strchr(" \t\r\"',", *text) && *text)
        text++;
    return text == end || *text == '\x1b';
}

static const char *without_tail(const char *text, const char *end)
{
    while (end > text && end[-1] && strchr(" \t\r\"',", end[-1]))
        end--;
    return end;
}

bool toll_solana_number(const char **text, const char *end, int64_t *out)
{
    const char *p = *text;
    int64_t v = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        if ((v = v * 10 + (*p - '0')) > SOLANA_MAX_UNITS)
            return false;
    if (p == *text)
        return false;
    *text = p;
    *out = v;
    return true;
}

/* Parse what follows `Program ID `. */
static bool read_program(const char *p, const char *end, toll_solana_line *line)
{
    if (skip_word(&p, end, "invoke [")) {
        line->kind = SOLANA_INVOKE;
        return toll_solana_number(&p, end, &line->number) && line->number &&
               skip_word(&p, end, "]") && nothing_follows(p, end);
    }
    if (skip_word(&p, end, "consumed ")) {
        line->kind = SOLANA_CONSUMED;
        return toll_solana_number(&p, end, &line->number) && skip_word(&p, end, " of ") &&
               toll_solana_number(&p, end, &line->budget) && skip_word(&p, end, " compute units") &&
               nothing_follows(p, end);
    }
    if (skip_word(&p, end, "success")) {
        line->kind = SOLANA_SUCCESS;
        return nothing_follows(p, end);
    }
    if (skip_word(&p, end, "failed")) {
        line->kind = SOLANA_FAILED;
        skip_word(&p, end, ": ");
        line->text = p;
        line->text_size = (size_t)(without_tail(p, end) - p);
        return true;
    }
    return false;
}

static bool read_remaining(const char *p, const char *end, toll_solana_line *line)
{
    line->kind = SOLANA_REMAINING;
    return skip_word(&p, end, " ") && toll_solana_number(&p, end, &line->number) &&
           skip_word(&p, end, " units remaining") && nothing_follows(p, end);
}

/* Parse what follows `Program `; false: it is not a known form. */
static bool read_form(const char *p, const char *end, toll_solana_line *line)
{
    const char *id = p;
    if (skip_word(&p, end, "log:")) {
        p += p < end && *p == ' ';
        line->kind = SOLANA_LOG;
        line->text = p;
        line->text_size = (size_t)(end - p);
        return true;
    }
    while (p < end && p - id <= ID_MOST && is_base58(*p))
        p++;
    if (p - id >= ID_LEAST && p - id <= ID_MOST && p < end && *p == ' ') {
        line->id = id;
        line->id_size = (size_t)(p - id);
        return read_program(p + 1, end, line);
    }
    p = id;
    if (skip_word(&p, end, "consumption:"))
        return read_remaining(p, end, line);
    line->kind = SOLANA_PASSED;
    return skip_word(&p, end, "data:") || skip_word(&p, end, "return:") ||
           skip_word(&p, end, "failed to complete");
}

static bool is_truncation(const char *text, const char *end)
{
    static const char words[] = "Log truncated";
    size_t n = sizeof words - 1;
    end = without_tail(text, end);
    return (size_t)(end - text) >= n && memcmp(end - n, words, n) == 0 &&
           ((size_t)(end - text) == n || !is_word(end[-(ptrdiff_t)n - 1]));
}

/* Parse `Compute Units Consumed: NUMBER`, alone on its line. */
static bool read_sum(const char *text, const char *end, toll_solana_line *line)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return skip_word(&text, end, "Compute Units Consumed: ") &&
           toll_solana_number(&text, end, &line->number) && nothing_follows(text, end);
}

/* Parse `Signature: TEXT`, or `Signature 0: TEXT` if there are several, alone on its line. */
static bool read_signature(const char *text, const char *end, toll_solana_line *line)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    if (!skip_word(&text, end, "Signature: ") && !skip_word(&text, end, "Signature 0: "))
        return false;
    line->text = text;
    while (text < end && is_base58(*text))
        text++;
    line->text_size = (size_t)(text - line->text);
    return line->text_size >= SIGNATURE_LEAST && line->text_size <= SIGNATURE_MOST &&
           nothing_follows(text, end);
}

void toll_solana_parse(const char *text, size_t size, toll_solana_line *line)
{
    const char *end = text + size, *p = text;
    *line = (toll_solana_line){ 0 };
    while (p < end && (p = memchr(p, 'P', (size_t)(end - p))) != NULL) {
        const char *form = p;
        if ((p == text || !is_word(p[-1])) && skip_word(&form, end, "Program ") &&
            read_form(form, end, line))
            return;
        p++;
    }
    *line = (toll_solana_line){ .kind = SOLANA_NOISE, .text = text, .text_size = size };
    if (is_truncation(text, end))
        line->kind = SOLANA_TRUNCATED;
    else if (read_sum(text, end, line))
        line->kind = SOLANA_SUM;
    else if (read_signature(text, end, line))
        line->kind = SOLANA_SIGNATURE;
    else
        *line = (toll_solana_line){ .kind = SOLANA_NOISE, .text = text, .text_size = size };
}
