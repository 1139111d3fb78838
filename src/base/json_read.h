/* json_read.h - reads JSON as a stream of tokens, one at a time.
 *
 * This is own code, because the available libraries either build a tree (memory proportional to the
 * file) or do not survive a failed allocation, and all turn 64-bit integers into floating point.
 * Strict RFC 8259; strings must be valid UTF-8 without NUL; a byte order mark is skipped. Memory:
 * the longest string, and one byte a level of nesting (at most 512). Errors have line numbers. */
#ifndef TOLL_BASE_JSON_READ_H
#define TOLL_BASE_JSON_READ_H

#include "base/buffer.h"
#include "base/fail.h"
#include "base/input.h"

typedef enum toll_json_token {
    TOLL_JSON_END,   /* of the document */
    TOLL_JSON_ERROR, /* see *failure; the reader cannot be used any more */
    TOLL_JSON_OBJECT,
    TOLL_JSON_OBJECT_END,
    TOLL_JSON_ARRAY,
    TOLL_JSON_ARRAY_END,
    TOLL_JSON_KEY,    /* text */
    TOLL_JSON_STRING, /* text */
    TOLL_JSON_NUMBER, /* text: as written */
    TOLL_JSON_TRUE,
    TOLL_JSON_FALSE,
    TOLL_JSON_NULL
} toll_json_token;

enum { TOLL_JSON_DEPTH = 512 };

typedef struct toll_json {
    toll_input *in;
    toll_failure *failure; /* of the reader that parses this file */
    uint64_t line;
    uint64_t line_start;              /* its offset in the input */
    toll_buffer text;                 /* of the last key, string or number, with a NUL after it */
    uint8_t nesting[TOLL_JSON_DEPTH]; /* '{' or '[' */
    unsigned depth;
    bool replaces_nul; /* by the reader: \u0000 is read as U+FFFD, else it is an error */
    bool expect_value; /* after a key, or at the start */
    bool first;        /* nothing yet in the innermost array or object */
    bool done;
} toll_json;

/* Begin reading. The first failure goes to `failure`, which must stay valid. */
void toll_json_begin(toll_json *json, toll_input *in, toll_failure *failure);
void toll_json_free(toll_json *json);

toll_json_token toll_json_next(toll_json *json);

/* Has nothing failed so far? */
static inline bool toll_json_ok(const toll_json *json)
{
    return !json->failure->status;
}

/* The text of the last key, string or number. */
static inline const char *toll_json_text(const toll_json *json)
{
    return (const char *)json->text.data;
}

/* Is the text of the last token `text`? */
bool toll_json_is(const toll_json *json, const char *text);

/* Skip the value whose token `first` was just read; or skip the next value. False on failure. */
bool toll_json_skip(toll_json *json, toll_json_token first);
bool toll_json_skip_next(toll_json *json);

/* Fail at the current line (in a long line also with the byte offset), unless something has failed
 * already. Always false. */
bool toll_json_fail(toll_json *json, toll_status status, const char *what);

/* Read the next token, which must be this one. Otherwise false, and a failure with the message
 * `what`. */
bool toll_json_expect(toll_json *json, toll_json_token token, const char *what);

/* Read the elements of the array that the last token began, up to its end. Each must begin with the
 * token `first`; `take` reads the rest of it. False on failure; `what` is the message for other
 * elements. */
bool toll_json_elements(toll_json *json, toll_json_token first, const char *what,
                        bool (*take)(void *user), void *user);

/* The same for the next value, which must be an array. */
bool toll_json_array(toll_json *json, toll_json_token first, const char *what,
                     bool (*take)(void *user), void *user);

#endif
