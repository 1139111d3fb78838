/* error.h - defines how a Toll function reports a failure.
 *
 * Every function that can fail returns a toll_status; the details go into a toll_error that the
 * caller owns. A toll_error is a plain struct with room for its text, so that running out of memory
 * can be reported without memory. The library never prints, exits, aborts or jumps. Only embed.h,
 * which may act at the end of a process, prints errors that no caller can receive.
 *
 * The rules for arguments (NULL, ids) are at the top of toll.h. */
#ifndef TOLL_ERROR_H
#define TOLL_ERROR_H

#include <stddef.h>

#if defined(_WIN32) && defined(TOLL_EXPORTS) /* only when libtoll itself is compiled */
#define TOLL_API __declspec(dllexport)
#elif defined(_WIN32) && defined(TOLL_SHARED) /* users of the DLL define it */
#define TOLL_API __declspec(dllimport)
#elif defined(__GNUC__)
#define TOLL_API __attribute__((visibility("default")))
#else
#define TOLL_API
#endif

/* Lets the compiler check the arguments from number `first` on against the printf format that is
 * argument number `format`. */
#if defined(__MINGW32__) && !defined(__clang__)
#define TOLL_PRINTF(format, first) __attribute__((__format__(__gnu_printf__, format, first)))
#elif defined(__GNUC__)
#define TOLL_PRINTF(format, first) __attribute__((__format__(__printf__, format, first)))
#else
#define TOLL_PRINTF(format, first)
#endif

/* Do not ignore the status of a function that makes an object: after a failure there is no object,
 * and functions that need one must not be called. GCC and Clang warn. */
#if defined(__GNUC__)
#define TOLL_MUST_CHECK __attribute__((warn_unused_result))
#else
#define TOLL_MUST_CHECK
#endif

/* The macros TOLL_..._INIT use this: a struct that begins with its size, with all other fields 0.
 * It initialises a variable. Since 0.1. */
#ifdef __cplusplus
#define TOLL_SIZED_INIT(type)                                                                      \
    [] {                                                                                           \
        type sized = {};                                                                           \
        sized.size = sizeof sized;                                                                 \
        return sized;                                                                              \
    }()
#else
#define TOLL_SIZED_INIT(type)                                                                      \
    {                                                                                              \
        .size = sizeof(type)                                                                       \
    }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Codes never change their number; the gaps leave room for related codes. */
typedef enum toll_status {
    TOLL_OK = 0,
    TOLL_E_NOMEM = 1,           /* the allocator refused */
    TOLL_E_LIMIT = 2,           /* a stated limit was reached: memory budget, table size, depth */
    TOLL_E_OVERFLOW = 3,        /* a sum does not fit 64 bits */
    TOLL_E_ARGUMENT = 10,       /* the caller broke the rules of the function */
    TOLL_E_STATE = 11,          /* not now: the object is stopped, or not yet started */
    TOLL_E_NOT_FOUND = 12,      /* no such value type, thread, frame, ... */
    TOLL_E_IO = 20,             /* the operating system refused: open, read, write, rename */
    TOLL_E_UNKNOWN_FORMAT = 30, /* no format of that name, or none recognises the content */
    TOLL_E_UNSUPPORTED = 31,    /* the format cannot do that: write only, needs a timeline, ... */
    TOLL_E_SYNTAX = 40,         /* the input breaks the rules of its format */
    TOLL_E_TRUNCATED = 41,      /* the input ends too early */
    TOLL_E_INVARIANT = 50       /* a profile breaks its own invariants */
} toll_status;

#define TOLL_ERROR_SIZE 512

/* What failed. `text` is one line without a final newline: what is wrong, where, what to do; it
 * starts with "FILE:LINE: " or "FILE: at byte N: " if the failure has a place. Unchanged on
 * success. */
typedef struct toll_error {
    toll_status status;
    char text[TOLL_ERROR_SIZE];
} toll_error;

/* The name of a status, such as "TOLL_E_NOMEM"; "TOLL_E_(unknown)" for a number that is no status.
 * Never NULL, static. Threads: any. Since 0.1. */
TOLL_API const char *toll_status_name(toll_status status);

/* Copy `text` into buffer[size] so that it is safe to print on a terminal: toll_error.text may hold
 * names out of files. Characters that could control a terminal or start a line become escapes, as
 * in toll_output_put_printable. A text that does not fit is cut between characters.
 *   text    NULL: an empty text
 *   buffer  of `size` bytes; ends in a NUL if size is not 0; returned
 * Never allocates. Threads: any. Since 0.1. */
TOLL_API const char *toll_printable(const char *text, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
