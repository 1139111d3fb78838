/* rules.h - a parsed budget: a text of rules that people write and review, as docs/gates.md
 * describes.
 *
 *     # what a swap may cost
 *     compute units  swap           < 45,000
 *     ticks          parse_line     <= 1,204,331  +-0
 *     inuse_space    *              == 0          fixed
 *     compute units  "a < b"  in "tx 3"  <= 12,000  optional
 *     compute units  *  where test=swap  <= 45,000
 *     ticks          *  where test=*     <= 1,000    of each test by itself
 *
 * The parser is bounded: by the file's size, the number of rules, and memory in proportion to
 * these. */
#ifndef TOLL_GATES_RULES_H
#define TOLL_GATES_RULES_H

#include "base/buffer.h"
#include "gates/amount.h"

#include <toll/stream.h>

/* The value that `*` without quotes becomes: no label in a budget has that character. */
#define TOLL_EACH_VALUE "\x01"

enum { TOLL_MOST_RULES = 10000, TOLL_RULES_FILE_SIZE = 4 << 20 };

typedef enum toll_rule_op {
    TOLL_RULE_LESS,     /* <  */
    TOLL_RULE_AT_MOST,  /* <= */
    TOLL_RULE_EQUAL,    /* == */
    TOLL_RULE_AT_LEAST, /* >= */
    TOLL_RULE_MORE      /* >  */
} toll_rule_op;

/* How names are given. */
typedef enum toll_names_kind {
    TOLL_NAMES_ALL,  /* *: everything, also costs outside of any function */
    TOLL_NAMES_TEXT, /* a literal name */
    TOLL_NAMES_GLOB, /* with * for any text */
    TOLL_NAMES_REGEX /* /.../: as --focus */
} toll_names_kind;

typedef struct toll_names {
    size_t text; /* in rules->texts */
    toll_names_kind kind;
} toll_names;

/* A part of the file's text. */
typedef struct toll_span {
    size_t at, size;
} toll_span;

typedef struct toll_rule {
    uint32_t line;           /* from 1 */
    uint32_t at_name;        /* the column in the line of the function's name, from 1 */
    toll_span subject;       /* the text before the operator */
    toll_span limit;         /* the operator and what follows, without `optional` and `fixed` */
    toll_span number;        /* the value alone, with its unit */
    size_t column;           /* in rules->texts */
    toll_names names, roots; /* roots: only in stacks with such a thread or outermost function */
    size_t where;            /* labels in rules->texts, one a line: only in threads with these; of
                              * a made rule keys and values in turn, each with its NUL */
    size_t where_at;         /* where the first `where` begins in the file; 0: there is none */
    /* Of a rule that rule_each.h has made for a value of labels: */
    size_t made_subject;  /* in rules->texts, instead of `subject`; 0: it is as written */
    uint32_t made_labels; /* so many are at `where` */
    uint32_t cases;  /* this one and those behind it, so many, were made from one rule; 0: it is not
                      * the first of them */
    bool must_match; /* of the first: one of them must match something */

    bool has_root, has_where, is_self, is_optional, is_fixed;
    bool is_each; /* a value of the labels is TOLL_EACH_VALUE: it is a default for each value */
    toll_rule_op op;
    toll_amount amount;
    toll_allowance tolerance; /* 0 if there is none */
} toll_rule;

typedef struct toll_rules {
    toll_mem mem;
    toll_buffer name;  /* of the file, with a NUL */
    toll_buffer file;  /* the text of the file */
    toll_buffer texts; /* names and columns without quotes and escapes, each with its NUL */
    toll_buffer keys;  /* of the rules' labels, as toll_profile_group_by takes them, with the key of
                        * names: "thread,test"; empty if no rule has labels */
    toll_rule *items;
    size_t count, capacity;
    const toll_allowance *tight; /* a rule fails that allows more than this over the value; NULL:
                                  * none does. Set by the caller. */
    bool is_partial; /* the profile is of a part of the runs: rules without labels, or about labels
                      * that it lacks, are left out. Set by the caller. */
} toll_rules;

/* Read a budget to its end. Free it by toll_rules_free, also after a failure.
 * Errors: TOLL_E_SYNTAX as "FILE:LINE:COLUMN: what is wrong; what to do", TOLL_E_LIMIT, TOLL_E_IO,
 * TOLL_E_NOMEM. */
toll_status toll_rules_read(toll_rules *rules, toll_input *in, toll_error *err);
void toll_rules_free(toll_rules *rules);

static inline const char *toll_rules_text(const toll_rules *rules, size_t text)
{
    return (const char *)rules->texts.data + text;
}

/* The text before the operator, of *size bytes: of a rule that was made for a test, with its
 * labels. */
const char *toll_rule_subject_text(const toll_rules *rules, const toll_rule *rule, size_t *size);

/* Fail with "FILE:LINE: " (or "FILE:LINE:COLUMN: ") before a message about a rule. */
toll_status toll_fail_rule(const toll_rules *rules, uint32_t line, size_t column, toll_error *err,
                           toll_status status, const char *format, ...) TOLL_PRINTF(6, 7);

/* Append a name so that the parser reads back the same name: in quotes where it needs them. */
void toll_rules_put_name(toll_buffer *out, const char *name);

/* The same of a label, KEY=VALUE. */
void toll_rules_put_label(toll_buffer *out, const char *key, const char *value);

#endif
