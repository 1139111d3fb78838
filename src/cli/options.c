/* options.c - the table of options. See options.h. */
#include "options.h"

#define BIT(command) (1u << TOLL_CMD_##command)
#define READS (BIT(CONVERT) | BIT(REPORT) | BIT(DIFF) | BIT(MERGE)) /* these also select stacks */
#define SHOWS (READS | BIT(ANNOTATE))
#define ALL ((1u << TOLL_CMD_COUNT) - 1)

/* Kind and place of a row. It compiles only if the member has the kind's type. */
#define SETS(type, member)                                                                         \
    .place = _Generic(((toll_settings *)0)->member, type : offsetof(toll_settings, member))
#define FLAG(member) .kind = TOLL_FLAG, SETS(int, member)
#define UNFLAG(member) .kind = TOLL_UNFLAG, SETS(int, member)
#define TEXT(member) .kind = TOLL_TEXT, SETS(const char *, member)
#define FILE_NAME(member) TEXT(member), .is_file = true
#define WORD(member) .kind = TOLL_WORD, SETS(toll_word, member)
#define NUMBER(member) .kind = TOLL_NUMBER, SETS(toll_number, member)
#define LIST(member) .kind = TOLL_LIST, SETS(toll_texts, member)

const toll_option toll_options[] = {
    { "output", "FILE", "write to FILE (-: standard output; run: only files)", FILE_NAME(output),
      .letter = 'o',
      .commands = BIT(RUN) | BIT(CONVERT) | BIT(DIFF) | BIT(MERGE) | BIT(INSTRUMENT) },
    { "from", "FORMAT", "the input's format, instead of going by content", .kind = TOLL_READ_FORMAT,
      SETS(const char *, from), .commands = SHOWS | BIT(CHECK) },
    { "names", "FILE", "names of Solana programs: lines ID NAME", FILE_NAME(format.names),
      .commands = SHOWS },
    { "call-lines", NULL, "logs of games: a frame for the line of each call (default)",
      UNFLAG(format.fold_call_lines), .commands = SHOWS },
    { "no-call-lines", NULL, "logs of games: callees right below their callers",
      FLAG(format.fold_call_lines), .commands = SHOWS },
    { "strict", NULL, "logs of games: refuse one with a damaged line of the profiler",
      FLAG(format.strict), .commands = SHOWS | BIT(CHECK) },
    { "to", "FORMAT", "the output's format, instead of going by its name",
      .kind = TOLL_WRITE_FORMAT, SETS(const char *, to),
      .commands = BIT(RUN) | BIT(CONVERT) | BIT(DIFF) | BIT(MERGE) },
    { "elf", "ID=FILE", "names of program ID's functions: its unstripped ELF (again for more)",
      .kind = TOLL_ELF, SETS(toll_elfs, elfs), .is_file = true, .commands = SHOWS | BIT(CHECK) },
    { "logs", "FILE", "logs of the transactions whose register traces are read", FILE_NAME(logs),
      .commands = BIT(CONVERT) | BIT(REPORT) | BIT(ANNOTATE) | BIT(CHECK) },
    { "only", "PATTERN", "follow only functions whose name matches", TEXT(only),
      .is_wasm_alone = true, .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "skip", "PATTERN", "do not follow functions whose name matches: they are their callers'",
      TEXT(skip), .is_wasm_alone = true, .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "no-ticks", NULL, "WebAssembly: do not count instructions", FLAG(no_ticks),
      .is_wasm_alone = true, .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "lines", NULL, "WebAssembly: also how often each basic block ran, and its ticks", FLAG(lines),
      .is_wasm_alone = true, .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "no-calls", NULL, "with --lines: record nothing else, no calls and no time: much faster",
      FLAG(no_calls), .is_wasm_alone = true, .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "invoke", "NAME", "call this export, with the arguments as numbers", TEXT(invoke),
      .is_wasm_alone = true, .commands = BIT(RUN) },
    { "dir", "FOLDER[::GUEST]", "a folder that the program may use", LIST(dirs), .is_file = true,
      .is_wasm_alone = true, .commands = BIT(RUN) },
    { "env", "NAME[=VALUE]", "a variable that the program sees", LIST(envs), .is_wasm_alone = true,
      .commands = BIT(RUN) },
    { "kernel", NULL, "a smart rollup's kernel: run it over an inbox", FLAG(kernel),
      .is_wasm_alone = true, .commands = BIT(RUN) },
    { "inbox", "FILE", "the messages of each level, as JSON", FILE_NAME(inbox),
      .is_wasm_alone = true, .commands = BIT(RUN) },
    { "preimages", "FOLDER", "what the kernel may reveal, by hash", FILE_NAME(preimages),
      .is_wasm_alone = true, .commands = BIT(RUN) },
    { "costs", "TABLE",
      "what instructions count: instructions (default), fuel, or a FILE of lines NAME COST",
      FILE_NAME(costs), .is_wasm_alone = true, .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "depth", "N", "calls deeper than N are charged to their ancestor there (0: no limit)",
      NUMBER(depth), .commands = BIT(INSTRUMENT) },
    { "value", "TYPE", "which value: time, calls, inuse_space, ...", TEXT(format.value),
      .commands = BIT(RUN) | SHOWS },
    { "focus", "PATTERN", "only stacks with a function (or FILE:LINE) that matches",
      TEXT(filter.focus), .commands = SHOWS },
    { "ignore", "PATTERN", "no stacks with a function that matches", TEXT(filter.ignore),
      .commands = SHOWS },
    { "thread", "PATTERN", "only threads whose name matches", TEXT(filter.thread),
      .commands = SHOWS },
    { "fold-recursion", NULL, "charge recursive calls to the outermost one", FLAG(fold_recursion),
      .commands = READS },
    { "max-depth", "N", "charge frames deeper than N to their ancestor there (0: no limit)",
      NUMBER(max_depth), .commands = BIT(RUN) | READS },
    { "by-site", NULL, "sum by call site: the innermost function that is no allocator",
      FLAG(by_site), .commands = READS },
    { "mangled", NULL, "functions of C++ and Rust by the names that the linker has", FLAG(mangled),
      .commands = SHOWS },
    { "sections", NULL, "only the sections that the program names", FLAG(sections),
      .commands = READS },
    { "flamechart", NULL, "folded lines in the order of the run (input with times)",
      FLAG(format.flamechart), .is_wasm_alone = true, .commands = BIT(RUN) | BIT(CONVERT) },
    { "tree", NULL, "print the calling-context tree", FLAG(tree), .is_wasm_alone = true,
      .commands = BIT(RUN) | BIT(REPORT) },
    { "difference", NULL, "negative values are fine: toll diff wrote it", FLAG(difference),
      .commands = BIT(CHECK) },
    { "json", NULL, "print JSON for programs", FLAG(json),
      .commands = BIT(REPORT) | BIT(ANNOTATE) | BIT(DIFF) },
    { "sort", "KEY", "self (default; --tree: total), total, calls or name", WORD(sort),
      .words = "self total calls name", .commands = BIT(REPORT) },
    { "rows", "N", "print at most N rows, or functions with their lines (0: all)", NUMBER(rows),
      .letter = 'n', .commands = BIT(RUN) | BIT(REPORT) | BIT(ANNOTATE) | BIT(DIFF) },
    { "full", NULL, "also print the lines between those that cost something", FLAG(full),
      .commands = BIT(ANNOTATE) },
    { "source-dir", "FOLDER", "look for source files there first (again for more)",
      LIST(source_dirs), .is_file = true, .commands = BIT(ANNOTATE) },
    { "prefix-map", "FROM=TO", "source files that were in FROM are in TO (again for more)",
      LIST(prefix_maps), .commands = BIT(ANNOTATE) },
    { "clock", "CLOCK", "wall (default), cpu (Lua: time of the thread), none", WORD(clock),
      .words = "wall cpu none", .commands = BIT(RUN) },
    { "ticks", NULL, "also count VM instructions (slow)", FLAG(ticks), .commands = BIT(RUN) },
    { "heap", NULL, "also count bytes allocated and in use, by stack", FLAG(heap),
      .commands = BIT(RUN) | BIT(INSTRUMENT) },
    { "join-threads", NULL, "show coroutines under the function that resumed them",
      FLAG(join_threads), .commands = BIT(RUN) },
    { "timeline", "FILE",
      "also write every call in order: .speedscope.json[.gz] or .trace.json[.gz]",
      FILE_NAME(timeline), .commands = BIT(RUN) },
    { "color", "WHEN", "auto (default), always or never", WORD(color), .words = "auto always never",
      .commands = BIT(REPORT) | BIT(ANNOTATE) | BIT(DIFF) },
    { "max-memory", "SIZE", "refuse to use more (default 2G)", .kind = TOLL_SIZE,
      SETS(uint64_t, max_memory), .commands = ALL & ~BIT(RUN) },
    { "quiet", NULL, "no warnings, no summary, no progress", FLAG(quiet), .letter = 'q',
      .commands = ALL },
    { "help", NULL, "print this help", FLAG(help), .letter = 'h', .commands = ALL },
};

_Static_assert(sizeof toll_options / sizeof *toll_options <= TOLL_MOST_OPTIONS, "raise the limit");
const unsigned toll_option_count = sizeof toll_options / sizeof *toll_options;
