/* solana.h - what the readers of Solana program logs share.
 *
 * Parsed lines (solana_line.c) from text and JSON (solana_log.c), and names of programs
 * (solana_names.c); and the parts of the format "solana": labels (solana_label.c), sections
 * (solana_sections.c) and invocations (solana_run.c, solana_run_logged.c,
 * solana_run_sections.c). */
#ifndef TOLL_SOLANA_SOLANA_H
#define TOLL_SOLANA_SOLANA_H

#include "base/buffer.h"
#include "base/fail.h"
#include "base/strtab.h"
#include "format/format_row.h"
#include "solana/native_instructions.h"
#include "solana/solana_charge.h"
#include "solana/solana_idl.h"
#include "solana/solana_message.h"

#include <toll/solana.h>

/* --- lines -------------------------------------------------------------------------------------*/

typedef enum toll_solana_kind {
    SOLANA_NOISE,     /* not a line of the runtime */
    SOLANA_INVOKE,    /* Program ID invoke [NUMBER] */
    SOLANA_LOG,       /* Program log: TEXT */
    SOLANA_REMAINING, /* Program consumption: NUMBER units remaining */
    SOLANA_CONSUMED,  /* Program ID consumed NUMBER of BUDGET compute units */
    SOLANA_SUCCESS,   /* Program ID success */
    SOLANA_FAILED,    /* Program ID failed: TEXT */
    SOLANA_TRUNCATED, /* Log truncated */
    SOLANA_SUM,       /* Compute Units Consumed: NUMBER, as `solana confirm -v` prints it */
    SOLANA_SIGNATURE, /* Signature 0: TEXT, as `solana confirm -v` prints it */
    SOLANA_PASSED     /* a line of the runtime without meaning here */
} toll_solana_kind;

/* A parsed line; its parts point into the line. */
typedef struct toll_solana_line {
    toll_solana_kind kind;
    const char *id, *text;
    size_t id_size, text_size;
    int64_t number, budget;
    uint64_t place; /* line number in the file */
} toll_solana_line;

/* No number in a log is larger: a budget has 7 digits. Sums of numbers stay below 2^62. */
#define SOLANA_MAX_UNITS INT64_C(1000000000000000)

/* Parse any text; never fails. The text after `Program log: ` is the program's own and is not
 * parsed. */
void toll_solana_parse(const char *text, size_t size, toll_solana_line *line);

/* Parse digits at *text, at most SOLANA_MAX_UNITS; *text then points after them. */
bool toll_solana_number(const char **text, const char *end, int64_t *out);

/* A transaction whose lines have been read. */
typedef struct toll_solana_transaction {
    int64_t charged;              /* the units that it was charged, or SOLANA_UNLOGGED */
    int64_t failed;               /* index in its message of the instruction that failed;
                                   * SOLANA_NONE_FAILED; or SOLANA_UNLOGGED */
    toll_solana_message *message; /* its name and instructions, as far as the input contains them */
} toll_solana_transaction;

/* What was omitted while a log was read. */
typedef struct toll_solana_log_counts {
    uint64_t errors;  /* answers of an RPC node that report an error */
    uint64_t nulls;   /* answers of null: the node does not know the transaction */
    uint64_t cut_off; /* JSON that ends too early */
} toll_solana_log_counts;

/* Callbacks for a log. Each returns false on a failure, which is then in *failure, and ends the
 * reading. `end` is called after the lines of each transaction. Text without sums and signatures
 * does not show where a transaction ends: there `end` is called after each outermost
 * instruction. */
typedef struct toll_solana_log {
    bool (*line)(void *user, const toll_solana_line *line);
    bool (*end)(void *user, const toll_solana_transaction *transaction);
    void *user;
    toll_failure *failure;
    const toll_format_options *options; /* for warnings */
    toll_solana_log_counts *counts;
} toll_solana_log;

/* Read text or JSON to its end. Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_TRUNCATED, TOLL_E_SYNTAX
 * (bad JSON, or JSON without a log). */
bool toll_solana_read_log(toll_input *in, const toll_solana_log *log);

/* --- names -------------------------------------------------------------------------------------*/

/* Names of programs and instructions: the user's, those of IDLs, and those in known_programs.c and
 * native_instructions.c. */
typedef struct toll_solana_names {
    toll_strtab strings;
    struct toll_solana_name {
        uint32_t id, name;
    } * rows; /* in the order of the file; if an id occurs several times, the last row counts */
    size_t count, capacity;
    toll_solana_idls idls;
} toll_solana_names;

/* The names must not be moved afterwards. */
void toll_solana_names_init(toll_solana_names *names, const toll_mem *mem);
void toll_solana_names_free(toll_solana_names *names);

/* Read what the options name: a file of `ID NAME` lines, with '#' at the start of comment lines,
 * and IDLs; `options` are for warnings. Errors: TOLL_E_IO, TOLL_E_NOMEM, TOLL_E_SYNTAX,
 * TOLL_E_LIMIT. */
bool toll_solana_names_read(toll_solana_names *names, const toll_solana_options *own,
                            const toll_format_options *options, toll_failure *failure);

/* The name of a program: the user's, a well-known one, or its IDL's. NULL: not known. */
const char *toll_solana_name_of(const toll_solana_names *names, const char *id, size_t size);

/* Record that the program has run, so that its IDL counts as used. */
void toll_solana_names_use(toll_solana_names *names, const char *id, size_t size);

/* The instruction that a program logs in text[size] as `Instruction: NAME`; size 0: none. */
toll_solana_word toll_solana_logged_instruction(const char *text, size_t size);

/* Append the name of the message's instruction, which belongs to program id[size]; nothing if it is
 * not known. False: no memory. */
bool toll_solana_append_instruction(toll_buffer *out, const toll_solana_names *names,
                                    const toll_solana_message *message,
                                    const toll_solana_instruction *instruction, const char *id,
                                    size_t size);

/* Make the name of an invocation's frame in `out`: `NAME: INSTRUCTION (failed)`. Without a name
 * `program ID`; without an instruction (NULL or "") only the program. NULL: no memory. */
const char *toll_solana_frame_name(toll_buffer *out, const toll_solana_names *names, const char *id,
                                   size_t size, const char *instruction, bool has_failed);

/* --- labels ------------------------------------------------------------------------------------*/

enum { SOLANA_LABEL_CUT = 64, SOLANA_LABEL_SIZE = SOLANA_LABEL_CUT + 44 };

/* How many bytes of a text are kept as a label: SOLANA_LABEL_CUT, or more if that would cut an
 * address; less than SOLANA_LABEL_SIZE. */
size_t toll_solana_label_cut(const char *text, size_t size);

/* Make the name of a stretch from a text: its first line, with numbers as N, so that different
 * numbers do not make different names, and with addresses unchanged. Returns the size, which is at
 * most the text's; there is no NUL. */
size_t toll_solana_label(char *out, const char *text, size_t size);

/* --- sections ----------------------------------------------------------------------------------*/

typedef struct toll_solana_section {
    uint32_t name;   /* in the run's strings */
    uint32_t parent; /* a later section of the same invocation, or TOLL_NONE */
    int64_t total, net;
    int64_t heap_total, heap_net; /* bytes; both 0 without a heap line */
    int64_t deep;                 /* its total plus the totals of all sections under it */
    bool placed;                  /* false: it crosses others */
    bool differs;                 /* the printed net differs from the recomputed one */
} toll_solana_section;

/* The forms of section lines. */
typedef enum toll_solana_section_kind {
    SECTION_NONE,
    SECTION_WHOLE, /* CU log: NN ID consumed T CU (net N CU) */
    SECTION_NAME,  /* # NN ID */
    SECTION_UNITS, /* CU ... consumed T (net N) of M CU */
    SECTION_HEAP,  /* HEAP, either form */
    SECTION_OPEN   /* CU log: ID was not ended, T CU so far */
} toll_solana_section_kind;

/* A parsed section line; the name points into the line. */
typedef struct toll_solana_section_line {
    toll_solana_section_kind kind;
    const char *name;
    size_t name_size;
    int64_t total, net;
} toll_solana_section_line;

/* Parse any text; never fails. */
void toll_solana_section_parse(const char *text, size_t size, toll_solana_section_line *line);

/* Nest the sections of one invocation, in the order in which they ended. */
void toll_solana_place(toll_solana_section *sections, size_t count, uint32_t *open);

/* --- the run -----------------------------------------------------------------------------------*/

typedef struct toll_solana_run toll_solana_run;

/* `names` and `failure` are borrowed. by_transaction: each transaction is a root. NULL on failure.
 * The caller frees the run; the profile belongs to the run until toll_solana_run_take. */
toll_solana_run *toll_solana_run_create(const toll_mem *mem, toll_solana_names *names,
                                        bool by_transaction, toll_failure *failure);
void toll_solana_run_free(toll_solana_run *run);

/* One line of log. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW, TOLL_E_LIMIT. */
bool toll_solana_run_line(toll_solana_run *run, const toll_solana_line *line);

/* The transaction ends: open invocations are closed as unfinished. */
bool toll_solana_run_end(toll_solana_run *run, const toll_solana_transaction *transaction);

/* Take the profile with its notes out of the run; NULL in *out if there was no invocation. The run
 * must not be used afterwards. */
bool toll_solana_run_take(toll_solana_run *run, const toll_solana_log_counts *counts,
                          toll_profile **out);

/* Notes that all readers of logs share. */
#define SOLANA_TEXT_ERRORS "answers of the RPC node that are errors, left out"
#define SOLANA_TEXT_NULLS "transactions that the RPC node knows nothing of, left out"
#define SOLANA_TEXT_UNFINISHED "invocations without an end in the log (is it cut off?)"
#define SOLANA_TEXT_CUT_OFF "files of JSON that end too early"
#define SOLANA_TEXT_UNFIT                                                                          \
    "invocations that are no instruction of their transaction, named by their log alone"

/* --- the format -------------------------------------------------------------------------------*/

toll_sniff toll_solana_sniff(const uint8_t *data, size_t size);
toll_status toll_solana_read(toll_read_job *job, toll_error *err);

/* The format "sbf-trace" (sbf_read.c). A folder that cannot be read to its end is accepted, so that
 * the reader reports why. */
bool toll_sbf_sniff_folder(const char *path);
toll_status toll_sbf_read(toll_read_job *job, toll_error *err);

#endif
