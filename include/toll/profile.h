/* profile.h - a profile: what every call stack cost.
 *
 * A profile has value types (its columns: "time" in "nanoseconds", "calls" in "count", ...), frames
 * (functions, sections, ...), threads, and for each thread a calling-context tree. A node of the
 * tree is a call stack: the path from its root names the frames, outermost first. A node has *self*
 * values: the cost of exactly that stack, without its callees. A root has what was spent while no
 * frame was open.
 *
 * Ids are small integers in order of creation, valid as long as the profile. The id of a
 * parent is below the ids of its children. Strings that come out are valid UTF-8 without NUL,
 * and live as long as the profile; strings that go in are copied, and what is not valid UTF-8
 * in them is replaced by U+FFFD.
 *
 * Threads: one profile, one thread at a time. No global state.
 *
 * Ids that the profile does not have are refused, as at the top of toll.h: TOLL_E_ARGUMENT in
 * functions that return a status, else TOLL_NONE, 0 or "". */
#ifndef TOLL_PROFILE_H
#define TOLL_PROFILE_H

#include <stdint.h>
#include <toll/error.h>
#include <toll/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_profile toll_profile;
typedef uint32_t toll_frame_id;
typedef uint32_t toll_thread_id;
typedef uint32_t toll_node_id;

#define TOLL_NONE UINT32_MAX /* no frame, no node, no thread, no column */
#define TOLL_MAX_COLUMNS 32

typedef enum toll_frame_kind {
    TOLL_KIND_FUNCTION = 0, /* of the guest language */
    TOLL_KIND_NATIVE = 1,   /* of the host: a C function called by a script */
    TOLL_KIND_SECTION = 2,  /* a named stretch of a run */
    TOLL_KIND_PHASE = 3,    /* a step of the machine itself: decode, link, init */
    TOLL_KIND_INLINED = 4,  /* a function whose code the compiler put into its caller's: its calls
                             * are not counted */
    TOLL_KIND_PROGRAM = 5,  /* a program that the machine runs by its name: a Solana program */
    TOLL_KIND_COUNT
} toll_frame_kind;

/* A frame is a function, and perhaps a *place* within it: the line, or the address, to which its
 * costs belong. Unknown texts are "" (or NULL), unknown numbers 0.
 *
 * Name, file, line and kind identify the function: frames with the same four are of one function.
 * Frames are the same if function and place are the same.
 *
 * The other fields are facts about the function. They do not distinguish frames. If the same frame
 * is given different facts, the least is kept (of system_name; and of module, build_id and address
 * together), so that the result does not depend on the order of merging. */
typedef struct toll_frame {
    const char *name; /* as people write it; never NULL */
    const char *file; /* of its definition */
    uint32_t line;    /* of its definition */
    toll_frame_kind kind;
    const char *system_name; /* as the linker has it, such as _ZN4core3fmtE; "": the same as name */
    const char *module;      /* the file that holds its code, such as app.wasm */
    const char *build_id;    /* which build of the module that is, in hexadecimal digits */
    uint64_t address;        /* where the function's code begins, in the module's own count */
    uint32_t at_line;        /* the place: a line of at_file */
    uint64_t at_address;     /* the place: an address in the module; then module and build_id say
                                frames apart, too */
    const char *at_file;     /* the file of at_line, where it is another than `file`, as with
                                #include within a function; else "" */
} toll_frame;

/* A column: what is measured and in which unit. Units that reports print as people read them:
 * nanoseconds, microseconds, milliseconds, seconds, bytes, count, CU; others are shown as is. */
typedef struct toll_value_type {
    const char *type;
    const char *unit;
} toll_value_type;

/* A new profile with no columns, frames or threads. The caller's to free.
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_create(const toll_allocator *allocator,
                                                         toll_profile **out, toll_error *err);

/* Free a profile, and with it all texts that its functions returned. NULL is fine. Since 0.1. */
TOLL_API void toll_profile_free(toll_profile *profile);

/* --- columns -----------------------------------------------------------------------------------*/

/* Add a column, only while the profile has no threads.
 *   out  its number, counted from 0
 * Errors: TOLL_E_ARGUMENT (there is a column of that type and unit, or a thread), TOLL_E_LIMIT
 * (there are TOLL_MAX_COLUMNS), TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_profile_add_column(toll_profile *profile, const char *type,
                                             const char *unit, uint32_t *out, toll_error *err);

/* How many columns it has. Since 0.1. */
TOLL_API uint32_t toll_profile_column_count(const toll_profile *profile);

/* The type and unit of a column; "" and "" for one that does not exist. Since 0.1. */
TOLL_API toll_value_type toll_profile_column(const toll_profile *profile, uint32_t column);

/* The first column of that type; TOLL_NONE if there is none. Since 0.1. */
TOLL_API uint32_t toll_profile_find_column(const toll_profile *profile, const char *type);

/* The column of that type and unit; TOLL_NONE if there is none. Since 0.1. */
TOLL_API uint32_t toll_profile_find_value_type(const toll_profile *profile, toll_value_type wanted);

/* The column that is shown unless the user asks for another: the one that was set, else
 * "inuse_space" in "bytes" (the usual question about a heap), else the first that is not "calls",
 * else 0; TOLL_NONE if there are none. If every value in it is 0, reports and formats with one
 * value show the first column that has values, with a message. Since 0.1. */
TOLL_API uint32_t toll_profile_default_column(const toll_profile *profile);

/* Choose the default column; TOLL_NONE: choose none. A column that does not exist changes nothing.
 * Since 0.1. */
TOLL_API void toll_profile_set_default_column(toll_profile *profile, uint32_t column);

/* --- frames, threads, nodes --------------------------------------------------------------------*/

/* Register a frame, or find it: the same function and place have the same id. Strings are copied.
 * Cost: a hash of each string. Errors: TOLL_E_ARGUMENT (no name, or no such kind), TOLL_E_NOMEM,
 * TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_profile_add_frame(toll_profile *profile, const toll_frame *frame,
                                            toll_frame_id *out, toll_error *err);

/* The id of the frame of that function and place; TOLL_NONE if there is none. Since 0.1. */
TOLL_API toll_frame_id toll_profile_find_frame(const toll_profile *profile,
                                               const toll_frame *frame);

/* How many frames are registered: their ids are 0, 1, ... Since 0.1. */
TOLL_API uint32_t toll_profile_frame_count(const toll_profile *profile);

/* The fields of a frame, without NULL; all texts are "" for one that does not exist. Since 0.1. */
TOLL_API toll_frame toll_profile_frame(const toll_profile *profile, toll_frame_id id);

/* Register a thread by name, or find it. A new one has a root node. "" is the name if a source has
 * no threads. Errors: TOLL_E_ARGUMENT (name is NULL), TOLL_E_NOMEM, TOLL_E_LIMIT.
 * Since 0.1. */
TOLL_API toll_status toll_profile_add_thread(toll_profile *profile, const char *name,
                                             toll_thread_id *out, toll_error *err);

/* A label of a run: its host, commit, test, ... */
typedef struct toll_thread_label {
    const char *key;   /* "host", "commit", ...; not "", and not "thread", which is the name */
    const char *value; /* "": there is no such label */
} toll_thread_label;

/* The same for a thread with labels: one of the same name with other labels is another thread.
 *   labels  in any order; the same one twice is one; a key may have several values
 *   count   how many; 0: labels may be NULL
 * Errors: TOLL_E_ARGUMENT (name, labels, a key or a value is NULL; a key is "" or "thread"),
 * TOLL_E_NOMEM, TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_profile_add_labelled_thread(toll_profile *profile, const char *name,
                                                      const toll_thread_label *labels,
                                                      uint32_t count, toll_thread_id *out,
                                                      toll_error *err);

/* How many labels a thread has; 0 for one that does not exist. Since 0.1. */
TOLL_API uint32_t toll_profile_thread_label_count(const toll_profile *profile, toll_thread_id id);

/* Label i of a thread, 0, 1, ..., in the order of keys, then of values; "" and "" if there is none.
 * Since 0.1. */
TOLL_API toll_thread_label toll_profile_thread_label(const toll_profile *profile, toll_thread_id id,
                                                     uint32_t i);

/* The title of a thread with its labels: its name, "main {commit=3f2a, host=a}", or "host=a" if its
 * name is ""; cut to some 200 bytes. "" for one that does not exist. Since 0.1. */
TOLL_API const char *toll_profile_thread_title(const toll_profile *profile, toll_thread_id id);

/* How many threads it has: their ids are 0, 1, ... Since 0.1. */
TOLL_API uint32_t toll_profile_thread_count(const toll_profile *profile);

/* The name of a thread; "" for one that does not exist. Since 0.1. */
TOLL_API const char *toll_profile_thread_name(const toll_profile *profile, toll_thread_id id);

/* The root node of a thread's tree; TOLL_NONE for a thread that does not exist. Since 0.1. */
TOLL_API toll_node_id toll_profile_root(const toll_profile *profile, toll_thread_id id);

/* Find or make the child of `parent` for `frame`. O(1) however many children there are.
 * Errors: TOLL_E_ARGUMENT (no such node or frame), TOLL_E_NOMEM, TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_profile_add_child(toll_profile *profile, toll_node_id parent,
                                            toll_frame_id frame, toll_node_id *out,
                                            toll_error *err);

/* How many nodes it has, roots included: their ids are 0, 1, ... Since 0.1. */
TOLL_API uint32_t toll_profile_node_count(const toll_profile *profile);

/* The parent of a node; TOLL_NONE for roots, and for a node that does not exist. Since 0.1. */
TOLL_API toll_node_id toll_profile_parent(const toll_profile *profile, toll_node_id node);

/* The frame of a node, the innermost of its stack; TOLL_NONE for roots, which have none, and for a
 * node that does not exist. Since 0.1. */
TOLL_API toll_frame_id toll_profile_node_frame(const toll_profile *profile, toll_node_id node);

/* The self value of a node in a column, in the column's unit; 0 if there is no such node or column.
 * Only differences have negative values. Since 0.1. */
TOLL_API int64_t toll_profile_self(const toll_profile *profile, toll_node_id node, uint32_t column);

/* Add to the self value of a node. Errors: TOLL_E_ARGUMENT (no such node or column),
 * TOLL_E_OVERFLOW (the sum does not fit): the value is then unchanged. Since 0.1. */
TOLL_API toll_status toll_profile_add_self(toll_profile *profile, toll_node_id node,
                                           uint32_t column, int64_t value, toll_error *err);

/* Get all nodes in one call, for programs in which each call is expensive, such as those in other
 * languages. The arrays are the caller's; each may be NULL if it is not needed.
 *   count    toll_profile_node_count: how many nodes the arrays have room for
 *   parents  of each node its parent, as toll_profile_parent: count ids
 *   frames   of each node its frame, as toll_profile_node_frame: count ids
 *   self     its self values, column after column: that of node n in column c, in the column's
 *            unit, is self[c * count + n]; count * toll_profile_column_count values
 * Nothing is allocated. O(nodes * columns). Errors: TOLL_E_ARGUMENT (another count; nothing is
 * written). Since 0.1. */
TOLL_API toll_status toll_profile_nodes(const toll_profile *profile, uint32_t count,
                                        toll_node_id *parents, toll_frame_id *frames, int64_t *self,
                                        toll_error *err);

/* Get all frames in one call: frames[i] is what toll_profile_frame returns for frame i.
 *   count   toll_profile_frame_count: how many the array has room for
 *   frames  the caller's; its texts are the profile's; NULL: not wanted
 * Nothing is allocated. O(frames). Errors: TOLL_E_ARGUMENT (another count; nothing is written).
 * Since 0.1. */
TOLL_API toll_status toll_profile_frames(const toll_profile *profile, uint32_t count,
                                         toll_frame *frames, toll_error *err);

/* --- what else is known of the run -------------------------------------------------------------*/

/* A note counts something that was dropped, clamped, folded or guessed, in words: "returns
 * without a call". Counts of the same text add up, here and when profiles are merged; a count of
 * 0 is not stored. The text is copied. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW,
 * TOLL_E_LIMIT (more than 4096 different ones). Since 0.1. */
TOLL_API toll_status toll_profile_add_note(toll_profile *profile, const char *text, uint64_t count,
                                           toll_error *err);

/* Remove all notes, comments and runs. NULL is fine. Since 0.1. */
TOLL_API void toll_profile_clear_notes(toll_profile *profile);

/* How many notes there are, of different texts. Since 0.1. */
TOLL_API uint32_t toll_profile_note_count(const toll_profile *profile);

/* The text of note i, 0, 1, ..., in the order of the texts, and its count in *count, which may be
 * NULL; "" and 0 if there is none. Since 0.1. */
TOLL_API const char *toll_profile_note(const toll_profile *profile, uint32_t i, uint64_t *count);

/* Add a comment: a line of text, kept once however often it is added; copied. Errors:
 * TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_LIMIT (more than 4096 different ones). Since 0.1. */
TOLL_API toll_status toll_profile_add_comment(toll_profile *profile, const char *text,
                                              toll_error *err);

/* How many comments there are. Since 0.1. */
TOLL_API uint32_t toll_profile_comment_count(const toll_profile *profile);

/* Comment i, 0, 1, ..., in the order of the texts; "" if there is none. Since 0.1. */
TOLL_API const char *toll_profile_comment(const toll_profile *profile, uint32_t i);

/* Say that the profile is also of one more run with these facts: which interpreter it was, which
 * engine, ... That counts once for each list of labels that its threads have now; threads and
 * labels come first. Counts of equal labels and facts add up, here and when profiles are merged.
 * toll_profile_filter keeps the runs with the labels that it keeps.
 *   facts  keys are "interpreter" (by which ticks are counted), "costs" (the table of costs),
 *          "engine", "module" (a hash of its code), "compiler", "toll" (its version), or others;
 *          a fact without a value is none. Profiles that differ in "interpreter" or "costs" are not
 *          comparable. Copied; NULL if count is 0
 * Errors: TOLL_E_ARGUMENT (NULL; a key is "" or has another character than a to z and _),
 * TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API toll_status toll_profile_add_run(toll_profile *profile, const toll_thread_label *facts,
                                          uint32_t count, toll_error *err);

/* How many kinds of runs, of different labels or facts, the profile is the sum of; 0: that is not
 * known. Since 0.1. */
TOLL_API uint32_t toll_profile_run_kind_count(const toll_profile *profile);

/* Kind i of the runs, 0, 1, ..., in the order of the texts, and how many runs these are in *count,
 * which may be NULL: "{commit=3f2a; host=a} interpreter=Lua 5.4.6; toll=0.1.0", labels in braces if
 * there are any, then facts, each in the order of keys. A backslash precedes ; } and \ within a
 * label or fact. "" and 0 if there is none. Since 0.1. */
TOLL_API const char *toll_profile_run_kind(const toll_profile *profile, uint32_t i,
                                           uint64_t *count);

/* 1 if the profile is also the sum of profiles of which no runs are known: the counts are then too
 * small. Since 0.1. */
TOLL_API int toll_profile_has_unknown_runs(const toll_profile *profile);

/* When a run that begins now began, in nanoseconds since 1970-01-01 UTC: the time of the system's
 * clock, or that of the environment's SOURCE_DATE_EPOCH, in seconds, if it is set and not empty. So
 * two equal runs can have equal files.
 *   out  for toll_profile_set_time and toll_timeline_set_start; 0 after a failure
 * Errors: TOLL_E_ARGUMENT (NULL; the variable is no whole number of seconds, or too large).
 * Threads: any that changes no environment meanwhile. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_start_time(int64_t *out, toll_error *err);

/* Say when the run began, in nanoseconds since 1970-01-01 UTC, and how long it took; 0: not known.
 * Since 0.1. */
TOLL_API void toll_profile_set_time(toll_profile *profile, int64_t start_ns, int64_t duration_ns);

/* When the run began, in nanoseconds since 1970-01-01 UTC; 0 if that is not known. Since 0.1. */
TOLL_API int64_t toll_profile_start_ns(const toll_profile *profile);

/* How long the run took, in nanoseconds; 0 if that is not known. Since 0.1. */
TOLL_API int64_t toll_profile_duration_ns(const toll_profile *profile);

/* --- profiles out of profiles ------------------------------------------------------------------*/

/* Add `source` to `target` (which is unchanged on failure): values by stack and thread, counts of
 * notes, duration; the earlier start. Associative and commutative: no output depends on the order
 * of merging. Both may be the same profile: then all its values double. Columns are matched by type
 * and unit; if the lists differ the result has the union, sorted. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW, TOLL_E_LIMIT. Since 0.1. */
TOLL_API toll_status toll_profile_merge(toll_profile *target, const toll_profile *source,
                                        toll_error *err);

/* The difference after - before, stack by stack: *out, the caller's to free, has the stacks and
 * columns of either; for functions that have moved see toll_profile_align. Errors: TOLL_E_ARGUMENT,
 * TOLL_E_NOMEM, TOLL_E_OVERFLOW, TOLL_E_LIMIT. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_diff(const toll_profile *before,
                                                       const toll_profile *after,
                                                       toll_profile **out, toll_error *err);

/* Prepare the comparison of two profiles between which the code has changed: make a copy of
 * `before`, which the caller frees, in which functions that have moved to another line or file have
 * their position in `after`, and so have their places. A note counts them. *out is NULL if none has
 * moved. docs/semantics.md, "Comparisons", defines how functions are matched. Errors:
 * TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_LIMIT. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_align(const toll_profile *before,
                                                        const toll_profile *after,
                                                        toll_profile **out, toll_error *err);

/* What to keep. Patterns are regular expressions (docs/semantics.md, "Patterns"), found anywhere in
 * frame names and "FILE:LINE". NULL: no condition. */
typedef struct toll_filter {
    size_t size;        /* sizeof(toll_filter), as for all options: see toll.h */
    const char *focus;  /* keep stacks with a frame that matches */
    const char *ignore; /* drop stacks with a frame that matches */
    const char *thread; /* keep threads whose name matches */
    const char *where;  /* keep threads with these labels, written as for toll_profile_with_labels;
                           of several values for one key any; the key "thread" is the name */
} toll_filter;

#define TOLL_FILTER_INIT TOLL_SIZED_INIT(toll_filter)

/* A copy with only the stacks that pass, the caller's to free. filter may be NULL: all pass.
 * Errors: TOLL_E_ARGUMENT (a bad pattern; options), TOLL_E_LIMIT (a pattern that is too large, or
 * takes too many steps), TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_filter(const toll_profile *profile,
                                                         const toll_filter *filter,
                                                         toll_profile **out, toll_error *err);

/* A copy, the caller's to free, in which all threads have these labels. Where a thread has the key
 * already, the new values replace the old; threads that become equal add up.
 *   labels  "KEY=VALUE,KEY=VALUE"; or, if it has the end of a line, one a line, which may then have
 *           commas; a key may come again, with another value; "": a plain copy
 * Errors: TOLL_E_ARGUMENT (labels is NULL, or no such list; the key "thread"), TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_with_labels(const toll_profile *profile,
                                                              const char *labels,
                                                              toll_profile **out, toll_error *err);

/* Are these labels that toll_profile_with_labels accepts? For what is set long before it is used.
 * Errors: TOLL_E_ARGUMENT (labels is NULL, or no such list; the key "thread"), TOLL_E_NOMEM.
 * Since 0.1. */
TOLL_API toll_status toll_labels_check(const char *labels, toll_error *err);

/* A copy, the caller's to free, in which threads have only the labels of these keys; threads that
 * become equal add up.
 *   keys  "host", or several: "host,commit"; the key "thread" is the name: without it, threads of
 *         all names are one; "thread" alone drops all labels. The key "root" is a stack's outermost
 *         function, which becomes a label of that key, unless the profile has such labels already
 * Errors: TOLL_E_ARGUMENT (keys is NULL), TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_group_by(const toll_profile *profile,
                                                           const char *keys, toll_profile **out,
                                                           toll_error *err);

/* A copy, the caller's to free, without recursion: a call of a function that is already on the
 * stack is charged to the stack up to that frame, so a;b;a;c becomes a;c. The sums of columns are
 * the same. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_fold_recursion(const toll_profile *profile,
                                                                 toll_profile **out,
                                                                 toll_error *err);

/* A copy, the caller's to free, in which sections (TOLL_KIND_SECTION) are the only frames:
 * everything else is charged to the section around it, or to the root. A section's self value is
 * then its net: what it took while no later section was open in it. The sums of columns are the
 * same, except for "calls", which counts sections alone. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_fold_sections(const toll_profile *profile,
                                                                toll_profile **out,
                                                                toll_error *err);

/* A copy, the caller's to free, in which frames deeper than `depth` (1 = outermost) are charged to
 * their ancestor at that depth; 0: to the thread's root. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_fold_depth(const toll_profile *profile,
                                                             uint32_t depth, toll_profile **out,
                                                             toll_error *err);

/* Does any frame have a place within its function: a line, or an address? 1 or 0; O(frames).
 * Since 0.1. */
TOLL_API int toll_profile_has_places(const toll_profile *profile);

/* A copy, the caller's to free, without places: each function is one frame, and what its lines cost
 * adds up. The sums of columns are the same. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_fold_places(const toll_profile *profile,
                                                              toll_profile **out, toll_error *err);

/* A copy, the caller's to free, in which functions are called as the linker has them (system_name),
 * where that is known. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_use_system_names(const toll_profile *profile,
                                                                   toll_profile **out,
                                                                   toll_error *err);

/* A copy, the caller's to free, without inlined functions (TOLL_KIND_INLINED): their costs are the
 * caller's, at the place where they were called. The sums of columns are the same. Errors:
 * TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_fold_inlined(const toll_profile *profile,
                                                               toll_profile **out, toll_error *err);

/* Subtract the profiler's own cost of calls from the column "time" (or "cpu") of each stack:
 * received_ps picoseconds for each call of its innermost frame, made_ps for each call that this
 * frame made, but at most the value itself. *off, which may be NULL, becomes the sum in
 * nanoseconds. Without the columns "time" and "calls" nothing changes. Errors: TOLL_E_ARGUMENT,
 * TOLL_E_NOMEM: the profile holds the same, or has lost part of it. Since 0.1. */
TOLL_API toll_status toll_profile_take_call_costs(toll_profile *profile, uint64_t received_ps,
                                                  uint64_t made_ps, uint64_t *off, toll_error *err);

/* The note with the number of nanoseconds of a profile's time that were spent on reading the clock
 * at each call and return. */
#define TOLL_NOTE_CLOCK "nanoseconds of the time, about, that reading the clock took"

/* The beginning of the notes with the number of nanoseconds of a profile's time that recording
 * took, and their ends: in the called functions and their callers, for functions of the guest and
 * native ones (TOLL_KIND_NATIVE), and for lines. */
#define TOLL_NOTE_RECORDING "nanoseconds of the time, about, that recording took: "
#define TOLL_RECORDING_CALLED "called functions"
#define TOLL_RECORDING_CALLED_NATIVE "called native functions"
#define TOLL_RECORDING_CALLERS "callers"
#define TOLL_RECORDING_CALLERS_OF_NATIVE "callers of native functions"
#define TOLL_RECORDING_LINES "lines"

/* The note of a profile whose time is already without what the profiler itself took, or without a
 * part of that. */
#define TOLL_NOTE_NOT_IN_TIME "nanoseconds that the profiler took, about; not in the time"

/* Notes of profiles in which the column "time" alone is made of samples: how many there are, by who
 * takes them, and what they represent together. */
#define TOLL_NOTE_TIME_BY_ENGINE "samples: the engine's own sampler measured the time"
#define TOLL_NOTE_TIME_SECOND_RUN                                                                  \
    "samples: the engine's own sampler measured the time, in a second run of the module as it is"
#define TOLL_NOTE_TIME_WINDOWS                                                                     \
    "readings of the clock at events: the time between two is of one of the stacks that ran"
#define TOLL_NOTE_TIME_SAMPLED "nanoseconds that the samples represent"

/* A copy, the caller's to free, whose time ("time", or "cpu") is without what notes say that the
 * profiler took. TOLL_NOTE_CLOCK: for each call and each return the same amount is subtracted from
 * the frame that was innermost until then. TOLL_NOTE_RECORDING: for each call the same amount of
 * its kind from the callee, and from the caller; and for each time that a line has run. A note has
 * the sum. With TOLL_NOTE_NOT_IN_TIME it is a plain copy. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM,
 * TOLL_E_UNSUPPORTED: the profile has no such note. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_without_overhead(const toll_profile *profile,
                                                                   toll_profile **out,
                                                                   toll_error *err);

/* A copy, the caller's to free, without stacks, frames and threads that have no value: the part
 * that a file can store. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_prune(const toll_profile *profile,
                                                        toll_profile **out, toll_error *err);

/* A copy, the caller's to free, without small stacks. A stack is small if its total is under
 * `share` (from 0 to below 1, in steps of 2^-32) of the whole in every column, where totals are
 * sums of absolute values. What it spent is charged to its caller, so that the sums of columns are
 * the same, except for "calls": its calls are not the caller's. Two notes count both. Frames
 * without a caller stay. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_prune_share(const toll_profile *profile,
                                                              double share, toll_profile **out,
                                                              toll_error *err);

/* A copy, the caller's to free, with all threads added up as one, named "". Errors:
 * TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_fold_threads(const toll_profile *profile,
                                                               toll_profile **out, toll_error *err);

/* Allocation sites added up: a copy, the caller's to free, with stacks of one frame, thread by
 * thread. Each stack is charged to its *call-site key*, the name of its innermost frame that is not
 * an allocator; if all are, of the innermost frame; "unknown" if there is no frame. Allocators are
 * malloc and the like (the list is in docs/semantics.md).
 *   more  names of further allocators, NULL-terminated; or NULL
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_OVERFLOW. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_by_call_site(const toll_profile *profile,
                                                               const char *const *more,
                                                               toll_profile **out, toll_error *err);

/* A copy, the caller's to free. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_profile_copy(const toll_profile *profile,
                                                       toll_profile **out, toll_error *err);

/* Check the profile's invariants: parents before children, no stack twice, ids in range, valid
 * UTF-8, the sum of every column within 64 bits, no negative count of calls.
 *   negative_ok  1: it is a difference, which may have negative counts
 * Errors: TOLL_E_INVARIANT with the first one that does not hold, TOLL_E_NOMEM. Since 0.1. */
TOLL_API toll_status toll_profile_check(const toll_profile *profile, int negative_ok,
                                        toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
