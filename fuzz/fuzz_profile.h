/* fuzz_profile.h - makes profiles from any bytes, for targets that write and report: each byte
 * chooses the next step, so that every input is a profile, and a small change of the input is a
 * small change of the profile. Names contain characters that writers must quote. */
#ifndef TOLL_FUZZ_PROFILE_H
#define TOLL_FUZZ_PROFILE_H

#include "fuzz_format.h"

#include "base/json_read.h"

/* The rest of the input. After its end all bytes are 0. */
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

static inline unsigned fuzz_byte(fuzz_bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

/* Part `i` of `count` equal parts of the input. */
static inline fuzz_bytes fuzz_part(const uint8_t *data, size_t size, size_t i, size_t count)
{
    size_t step = size / count;
    return (fuzz_bytes){ data + i * step, i + 1 == count ? data + size : data + (i + 1) * step };
}

static inline const char *fuzz_name(fuzz_bytes *b, char text[16])
{
    static const char turned[] = "\xe2\x80\xae"
                                 "cba";
    static const char *const names[] = { "main",
                                         "f",
                                         "g",
                                         "malloc",
                                         "a;b",
                                         "</script><b>",
                                         "<!--",
                                         "]]>",
                                         "\"'&<>",
                                         "fn=(1) x",
                                         "x\ny",
                                         turned,
                                         "\x1b[31m",
                                         "\xff\xfe",
                                         "ns::f<T,U>",
                                         "operator<",
                                         "\xf0\x9f\x92\xa9",
                                         "|`*_\\" };
    unsigned i = fuzz_byte(b);
    if (i < sizeof names / sizeof *names)
        return names[i];
    size_t size = i % 15 + 1;
    for (size_t k = 0; k < size; k++)
        text[k] = (char)(fuzz_byte(b) | 1); /* no NUL */
    text[size] = 0;
    return text;
}

static inline toll_frame_id fuzz_frame(toll_profile *p, fuzz_bytes *b)
{
    char name[16], file[16];
    toll_frame_id id = TOLL_NONE;
    toll_frame f = { .name = fuzz_name(b, name) };
    unsigned what = fuzz_byte(b);
    if (what & 1)
        f.file = fuzz_name(b, file);
    if (what & 2)
        f.line = fuzz_byte(b);
    if (what & 4)
        f.at_line = fuzz_byte(b);
    if (what & 8) {
        f.module = "app.wasm";
        f.at_address = fuzz_byte(b);
    }
    if (what & 16)
        f.system_name = "_ZN1a1bE";
    f.kind = (toll_frame_kind)((what >> 5) % TOLL_KIND_COUNT);
    toll_profile_add_frame(p, &f, &id, NULL);
    return id;
}

static inline void fuzz_add_columns(toll_profile *p, fuzz_bytes *b)
{
    static const toll_value_type types[] = { { "ticks", "count" },
                                             { "time", "nanoseconds" },
                                             { "calls", "count" },
                                             { "inuse_space", "bytes" },
                                             { "line ticks", "count" },
                                             { "executions", "count" },
                                             { "block executions", "count" },
                                             { "<b>", "\"&" } };
    unsigned wanted = fuzz_byte(b) | 1;
    if (wanted % 8 == 1)
        toll_profile_add_column(p, "compute units", "CU", NULL, NULL);
    for (unsigned i = 0; i < 8; i++)
        if (wanted >> i & 1)
            toll_profile_add_column(p, types[i].type, types[i].unit, NULL, NULL);
    if (wanted >> 3 & wanted >> 4 & 1) /* bytes have blocks beside them */
        toll_profile_add_column(p, "inuse_objects", "count", NULL, NULL);
}

/* Small numbers, and those at which a text changes its width or its unit. */
static inline int64_t fuzz_value(fuzz_bytes *b)
{
    static const int64_t borders[] = {
        999,           1000,      1023,      1024,          9995,       9999,        10000,
        99949,         99950,     99999,     100000,        999499,     999500,      999999,
        1000000,       1048575,   1048576,   999999999,     1000000000, 59999000000, 60000000000,
        3600000000000, 1LL << 40, 1LL << 50, INT64_MAX / 2, INT64_MAX
    };
    enum { COUNT = sizeof borders / sizeof *borders };
    unsigned small = fuzz_byte(b);
    return small < 256 - COUNT ? small : borders[small - (256 - COUNT)];
}

/* A profile with threads, stacks and values; never NULL. If `a` runs out of memory, the profile is
 * smaller. */
static inline toll_profile *fuzz_profile(const toll_allocator *a, fuzz_bytes b)
{
    toll_profile *p;
    toll_thread_id thread;
    char name[16];
    fuzz_require(toll_profile_create(a, &p, NULL) == TOLL_OK, "no profile");
    fuzz_add_columns(p, &b);
    toll_profile_add_thread(p, "", &thread, NULL);
    toll_node_id node = toll_profile_root(p, thread), child;
    for (int steps = 0; b.at < b.end && steps < 2000; steps++) {
        unsigned what = fuzz_byte(&b) % 8;
        if (what == 0 && !toll_profile_add_thread(p, fuzz_name(&b, name), &thread, NULL))
            node = toll_profile_root(p, thread);
        else if (what == 1)
            toll_profile_add_note(p, fuzz_name(&b, name), fuzz_byte(&b), NULL);
        else if (what == 2 && toll_profile_parent(p, node) != TOLL_NONE)
            node = toll_profile_parent(p, node);
        else if (what <= 4 && !toll_profile_add_child(p, node, fuzz_frame(p, &b), &child, NULL))
            node = child;
        else if (what > 4 && toll_profile_column_count(p))
            toll_profile_add_self(p, node, fuzz_byte(&b) % toll_profile_column_count(p),
                                  fuzz_value(&b), NULL);
    }
    return p;
}

/* The sum of a column; it wraps around. */
static inline uint64_t fuzz_sum(const toll_profile *p, uint32_t column)
{
    uint64_t sum = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        sum += (uint64_t)toll_profile_self(p, n, column);
    return sum;
}

/* The content of a complete output in memory. */
static inline const char *fuzz_text(toll_output *out, size_t *size)
{
    fuzz_require(toll_output_commit(out, NULL) == TOLL_OK, "not committed");
    return toll_output_data(out, size);
}

/* How often the text contains `word`. */
static inline size_t fuzz_count(const char *text, size_t size, const char *word)
{
    size_t count = 0, length = strlen(word);
    const char *end = text + size;
    while (text != end && (text = memchr(text, *word, (size_t)(end - text))) != NULL) {
        count += (size_t)(end - text) >= length && strncmp(text, word, length) == 0;
        text++;
    }
    return count;
}

/* Check that the text is one JSON value, and nothing after it. */
static inline void fuzz_require_json(const toll_allocator *a, const char *text, size_t size)
{
    toll_input *in;
    toll_json json;
    toll_failure failure = { .err = NULL };
    fuzz_require(!toll_input_from_memory(a, text, size, "json", &in, NULL), "no input");
    toll_json_begin(&json, in, &failure);
    fuzz_require(toll_json_skip_next(&json), "JSON that cannot be read");
    fuzz_require(toll_json_next(&json) == TOLL_JSON_END, "JSON with more behind it");
    toll_json_free(&json);
    toll_input_free(in);
}

/* Check a text that is printed on a terminal or a page: UTF-8, without control characters except
 * line ends. */
static inline void fuzz_require_printable(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        fuzz_require((c >= 32 && c != 127) || c == '\n', "a control character");
    }
    fuzz_require(fuzz_count(text, size, "\xe2\x80\xae") == 0, "text that turns direction");
}

#endif
