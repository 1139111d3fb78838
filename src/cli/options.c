/* options.c - the table of options, and reading a command line by it (getopt_long). */
#include "command.h"

#include "base/printable.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const toll_option toll_options[TOLL_OPT_COUNT] = {
    [TOLL_OPT_OUTPUT] = { "output", 'o', "FILE",
                          "write to FILE (-: standard output; run: only files)", TOLL_COMPLETE_FILE,
                          NULL },
    [TOLL_OPT_FROM] = { "from", 0, "FORMAT", "the input's format, instead of going by content",
                        TOLL_COMPLETE_FORMAT, NULL },
    [TOLL_OPT_NAMES] = { "names", 0, "FILE", "names of Solana programs: lines ID NAME",
                         TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_CALL_LINES] = { "call-lines", 0, NULL,
                              "logs of games: a frame for the line of each call (default)",
                              TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_NO_CALL_LINES] = { "no-call-lines", 0, NULL,
                                 "logs of games: callees right below their callers",
                                 TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_STRICT] = { "strict", 0, NULL,
                          "logs of games: refuse one with a damaged line of the profiler",
                          TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_TO] = { "to", 0, "FORMAT", "the output's format, instead of going by its name",
                      TOLL_COMPLETE_FORMAT, NULL },
    [TOLL_OPT_ELF] = { "elf", 0, "ID=FILE",
                       "names of program ID's functions: its unstripped ELF (again for more)",
                       TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_LOGS] = { "logs", 0, "FILE",
                        "logs of the transactions whose register traces are read",
                        TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_ONLY] = { "only", 0, "PATTERN", "follow only functions whose name matches",
                        TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_SKIP] = { "skip", 0, "PATTERN",
                        "do not follow functions whose name matches: they are their callers'",
                        TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_NO_TICKS] = { "no-ticks", 0, NULL, "WebAssembly: do not count instructions",
                            TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_INVOKE] = { "invoke", 0, "NAME", "call this export, with the arguments as numbers",
                          TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_DIR] = { "dir", 0, "FOLDER[::GUEST]", "a folder that the program may use",
                       TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_ENV] = { "env", 0, "NAME[=VALUE]", "a variable that the program sees",
                       TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_KERNEL] = { "kernel", 0, NULL, "a smart rollup's kernel: run it over an inbox",
                          TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_INBOX] = { "inbox", 0, "FILE", "the messages of each level, as JSON",
                         TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_PREIMAGES] = { "preimages", 0, "FOLDER", "what the kernel may reveal, by hash",
                             TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_COSTS] = { "costs", 0, "TABLE",
                         "what instructions count: instructions (default), fuel, or a FILE of "
                         "lines NAME COST",
                         TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_DEPTH] = { "depth", 0, "N",
                         "calls deeper than N are charged to their ancestor there (0: no limit)",
                         TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_VALUE] = { "value", 0, "TYPE", "which value: time, calls, inuse_space, ...",
                         TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_FOCUS] = { "focus", 0, "PATTERN",
                         "only stacks with a function (or FILE:LINE) that matches",
                         TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_IGNORE] = { "ignore", 0, "PATTERN", "no stacks with a function that matches",
                          TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_THREAD] = { "thread", 0, "PATTERN", "only threads whose name matches",
                          TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_FOLD_RECURSION] = { "fold-recursion", 0, NULL,
                                  "charge recursive calls to the outermost one", TOLL_COMPLETE_NONE,
                                  NULL },
    [TOLL_OPT_MAX_DEPTH] = { "max-depth", 0, "N",
                             "charge frames deeper than N to their ancestor there (0: no limit)",
                             TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_BY_SITE] = { "by-site", 0, NULL,
                           "sum by call site: the innermost function that is no allocator",
                           TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_SECTIONS] = { "sections", 0, NULL, "only the sections that the program names",
                            TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_FLAMECHART] = { "flamechart", 0, NULL,
                              "folded lines in the order of the run (input with times)",
                              TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_TREE] = { "tree", 0, NULL, "print the calling-context tree", TOLL_COMPLETE_NONE,
                        NULL },
    [TOLL_OPT_DIFFERENCE] = { "difference", 0, NULL, "negative values are fine: toll diff wrote it",
                              TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_JSON] = { "json", 0, NULL, "print JSON for programs", TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_SORT] = { "sort", 0, "KEY", "self (default; --tree: total), total, calls or name",
                        TOLL_COMPLETE_WORDS, "self total calls name" },
    [TOLL_OPT_ROWS] = { "rows", 'n', "N", "print at most N rows (0: all)", TOLL_COMPLETE_NONE,
                        NULL },
    [TOLL_OPT_CLOCK] = { "clock", 0, "CLOCK", "wall (default), cpu (Lua: time of the thread), none",
                         TOLL_COMPLETE_WORDS, "wall cpu none" },
    [TOLL_OPT_TICKS] = { "ticks", 0, NULL, "also count VM instructions (slow)", TOLL_COMPLETE_NONE,
                         NULL },
    [TOLL_OPT_HEAP] = { "heap", 0, NULL, "also count bytes allocated and in use, by stack",
                        TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_JOIN_THREADS] = { "join-threads", 0, NULL,
                                "show coroutines under the function that resumed them",
                                TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_TIMELINE] = { "timeline", 0, "FILE",
                            "also write every call in order: .speedscope.json[.gz] or "
                            ".trace.json[.gz]",
                            TOLL_COMPLETE_FILE, NULL },
    [TOLL_OPT_COLOR] = { "color", 0, "WHEN", "auto (default), always or never", TOLL_COMPLETE_WORDS,
                         "auto always never" },
    [TOLL_OPT_MAX_MEMORY] = { "max-memory", 0, "SIZE", "refuse to use more (default 2G)",
                              TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_QUIET] = { "quiet", 'q', NULL, "no warnings, no summary, no progress",
                         TOLL_COMPLETE_NONE, NULL },
    [TOLL_OPT_HELP] = { "help", 'h', NULL, "print this help", TOLL_COMPLETE_NONE, NULL },
};

/* --- values ------------------------------------------------------------------------------------*/

static bool parse_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || *text == '+' || *text == ' ')
        return false;
    *out = v;
    return true;
}

/* 512M, 2G, 2GiB, 1000000 */
static bool parse_size(const char *text, uint64_t *out)
{
    static const char letters[] = "kmgt";
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || end == text || *text == '-' || *text == '+' || *text == ' ')
        return false;
    unsigned shift = 0;
    if (*end) {
        const char *letter = strchr(letters, *end | 0x20);
        if (!letter)
            return false;
        shift = 10 * (unsigned)(letter - letters + 1);
        end++;
    }
    if (*end && strcmp(end, "B") != 0 && strcmp(end, "iB") != 0)
        return false;
    if (v > UINT64_MAX >> shift)
        return false;
    *out = (uint64_t)v << shift;
    return *out <= SIZE_MAX;
}

/* ID=FILE; the '=' becomes the end of the ID: the command line is ours to change. */
static int take_elf(char *argument, toll_settings *s)
{
    char *equals = strchr(argument, '=');
    if (!equals || equals == argument || !equals[1])
        return toll_complain(TOLL_EXIT_USAGE, "--elf: '%s' is not PROGRAM_ID=FILE", argument);
    if (s->elf_count == TOLL_MOST_ELFS)
        return toll_complain(TOLL_EXIT_USAGE, "--elf: at most %d of them", TOLL_MOST_ELFS);
    *equals = 0;
    s->elfs[s->elf_count++] = (toll_sbf_elf){ argument, equals + 1 };
    return -1;
}

/* Options that may come more than once. */
static int take_one_more(const toll_option *o, const char *argument, const char **list,
                         unsigned *count, unsigned most)
{
    if (*count == most)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: at most %u of them", o->name, most);
    list[(*count)++] = argument;
    return -1;
}

static const char *format_name_at(const void *unused, unsigned i)
{
    (void)unused;
    return toll_format_at(i)->name;
}

static int check_format(const char *option, const char *name, bool to_read)
{
    char names[200] = "";
    size_t used = 0;
    unsigned count = 0;
    const toll_format *format = toll_format_named(name);
    if (format && (to_read ? format->reads : format->writes))
        return -1;
    if (format)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: %s files can only be %s", option, name,
                             to_read ? "written" : "read");
    for (; toll_format_at(count); count++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 toll_format_at(count)->name);
    const char *near = toll_nearest(name, format_name_at, NULL, count);
    if (near)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: no format is called '%s'; did you mean %s?",
                             option, name, near);
    return toll_complain(TOLL_EXIT_USAGE, "--%s: no format is called '%s'; there are %s", option,
                         name, names);
}

/* Is `word` among `words`? Its place, or -1. */
static int place_among(const char *word, const char *words)
{
    size_t n = strlen(word);
    for (int place = 0; *words; place++) {
        size_t m = strcspn(words, " ");
        if (n == m && strncmp(word, words, n) == 0)
            return place;
        words += m + (words[m] == ' ');
    }
    return -1;
}

static int bad_argument(toll_option_id id, const char *argument)
{
    const toll_option *o = &toll_options[id];
    if (o->words)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not one of: %s", o->name, argument,
                             o->words);
    return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not a %s", o->name, argument,
                         id == TOLL_OPT_MAX_MEMORY ? "size such as 512M or 2G" : "number");
}

/* Take one option into the settings: -1, or an exit status. */
static int take_option(toll_option_id id, char *argument, toll_settings *s)
{
    const toll_option *o = &toll_options[id];
    int place = o->words ? place_among(argument, o->words) : 0;
    if (place < 0)
        return bad_argument(id, argument);
    switch (id) {
    case TOLL_OPT_OUTPUT: s->output = argument; break;
    case TOLL_OPT_FROM: s->from = argument; return check_format(o->name, argument, true);
    case TOLL_OPT_NAMES: s->names = argument; break;
    case TOLL_OPT_CALL_LINES: s->no_call_lines = false; break;
    case TOLL_OPT_NO_CALL_LINES: s->no_call_lines = true; break;
    case TOLL_OPT_STRICT: s->strict = true; break;
    case TOLL_OPT_TO: s->to = argument; return check_format(o->name, argument, false);
    case TOLL_OPT_ELF: return take_elf(argument, s);
    case TOLL_OPT_LOGS: s->logs = argument; break;
    case TOLL_OPT_ONLY: s->only = argument; break;
    case TOLL_OPT_SKIP: s->skip = argument; break;
    case TOLL_OPT_NO_TICKS: s->no_ticks = true; break;
    case TOLL_OPT_INVOKE: s->invoke = argument; break;
    case TOLL_OPT_DIR: return take_one_more(o, argument, s->dirs, &s->dir_count, TOLL_MOST_DIRS);
    case TOLL_OPT_ENV: return take_one_more(o, argument, s->envs, &s->env_count, TOLL_MOST_ENVS);
    case TOLL_OPT_KERNEL: s->kernel = true; break;
    case TOLL_OPT_INBOX: s->inbox = argument; break;
    case TOLL_OPT_PREIMAGES: s->preimages = argument; break;
    case TOLL_OPT_COSTS: s->costs = argument; break;
    case TOLL_OPT_DEPTH:
        return parse_number(argument, &s->depth) && s->depth <= UINT32_MAX
                   ? -1
                   : bad_argument(id, argument);
    case TOLL_OPT_VALUE: s->value = argument; break;
    case TOLL_OPT_FOCUS: s->focus = argument; break;
    case TOLL_OPT_IGNORE: s->ignore = argument; break;
    case TOLL_OPT_THREAD: s->thread = argument; break;
    case TOLL_OPT_FOLD_RECURSION: s->fold_recursion = true; break;
    case TOLL_OPT_MAX_DEPTH:
        s->max_depth_set = true;
        return parse_number(argument, &s->max_depth) && s->max_depth <= UINT32_MAX
                   ? -1
                   : bad_argument(id, argument);
    case TOLL_OPT_BY_SITE: s->by_site = true; break;
    case TOLL_OPT_SECTIONS: s->sections = true; break;
    case TOLL_OPT_FLAMECHART: s->flamechart = true; break;
    case TOLL_OPT_TREE: s->tree = true; break;
    case TOLL_OPT_JSON: s->json = true; break;
    case TOLL_OPT_SORT:
        s->sort = (toll_report_sort)place;
        s->sort_set = true;
        break;
    case TOLL_OPT_ROWS:
        s->rows_set = true;
        return parse_number(argument, &s->rows) && s->rows <= UINT32_MAX
                   ? -1
                   : bad_argument(id, argument);
    case TOLL_OPT_CLOCK: s->clock = argument; break;
    case TOLL_OPT_TICKS: s->ticks = true; break;
    case TOLL_OPT_HEAP: s->heap = true; break;
    case TOLL_OPT_JOIN_THREADS: s->join_threads = true; break;
    case TOLL_OPT_TIMELINE: s->timeline = argument; break;
    case TOLL_OPT_COLOR: s->color = argument; break;
    case TOLL_OPT_MAX_MEMORY:
        return parse_size(argument, &s->max_memory) ? -1 : bad_argument(id, argument);
    case TOLL_OPT_DIFFERENCE: s->difference = true; break;
    case TOLL_OPT_QUIET: s->quiet = true; break;
    case TOLL_OPT_HELP: s->help = true; break;
    case TOLL_OPT_COUNT: break;
    }
    return -1;
}

/* --- the command line --------------------------------------------------------------------------*/

enum { FIRST_CODE = 256 }; /* of options in getopt_long's results */

/* The options of the command; others have a name that is near to nothing. */
static const char *option_name_at(const void *command, unsigned i)
{
    const toll_command *c = command;
    return c->options >> i & 1 ? toll_options[i].name : "";
}

/* An option that getopt refused: there is none of that name, or it was given a value and takes
 * none. */
static int refused_option(const toll_command *c, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (unsigned id = 0; id < TOLL_OPT_COUNT && strncmp(name, "--", 2) == 0; id++)
        if (strcmp(option_name_at(c, id), name + 2) == 0)
            return toll_complain(TOLL_EXIT_USAGE, "%s: %s takes no value", c->name, name);
    const char *near = strncmp(name, "--", 2) == 0
                           ? toll_nearest(name + 2, option_name_at, c, TOLL_OPT_COUNT)
                           : NULL;
    if (near)
        return toll_complain(TOLL_EXIT_USAGE, "%s: no option %s; did you mean --%s?", c->name, name,
                             near);
    return toll_complain(TOLL_EXIT_USAGE, "%s: no option %s; see toll %s --help", c->name, name,
                         c->name);
}

static void fill_tables(const toll_command *c, struct option *longs, char *shorts)
{
    if (c->stops_at_operand)
        *shorts++ = '+';
    *shorts++ = ':';
    for (int id = 0; id < TOLL_OPT_COUNT; id++) {
        const toll_option *o = &toll_options[id];
        if (!(c->options >> id & 1))
            continue;
        *longs++ = (struct option){ o->name, o->argument ? required_argument : no_argument, NULL,
                                    FIRST_CODE + id };
        if (o->letter)
            *shorts++ = o->letter;
        if (o->letter && o->argument)
            *shorts++ = ':';
    }
    *longs = (struct option){ 0 };
    *shorts = 0;
}

static toll_option_id id_of_letter(int letter)
{
    for (int id = 0; id < TOLL_OPT_COUNT; id++)
        if (toll_options[id].letter == letter)
            return (toll_option_id)id;
    return TOLL_OPT_COUNT;
}

int toll_parse_options(const toll_command *c, int argc, char **argv, toll_settings *s, int *first)
{
    struct option longs[TOLL_OPT_COUNT + 1];
    char shorts[3 * TOLL_OPT_COUNT + 3];
    int code, status = -1;
    fill_tables(c, longs, shorts);
    opterr = 0;
    optind = 1;
    while (status < 0) {
        int at = optind;
        code = getopt_long(argc, argv, shorts, longs, NULL);
        if (code == -1)
            break;
        if (code == '?')
            return refused_option(c, argv[at < argc ? optind - 1 > at ? optind - 1 : at : at]);
        if (code == ':')
            return toll_complain(TOLL_EXIT_USAGE, "%s: %s needs a value", c->name,
                                 argv[optind - 1]);
        status = take_option(code >= FIRST_CODE ? (toll_option_id)(code - FIRST_CODE)
                                                : id_of_letter(code),
                             optarg, s);
    }
    *first = optind;
    return status;
}

int toll_complain(int status, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    toll_tell("", text);
    return status;
}

static void put_stderr(void *unused, const char *text, size_t size)
{
    (void)unused;
    fwrite(text, 1, size, stderr);
}

void toll_tell(const char *prefix, const char *text)
{
    toll_progress_clear();
    fprintf(stderr, "toll: %s", prefix);
    toll_put_printable(text, strlen(text), put_stderr, NULL);
    fputc('\n', stderr);
}
