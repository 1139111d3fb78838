/* cmd_doctor.c - toll doctor: prints what works on this machine, what is missing and how to get it.
 * Also the five lines of toll without arguments, and what toll --version says of the build. */
#include "browser.h"
#include "command.h"
#include "confine.h"
#include "run.h"

#include "demangle/cplus_symbol.h"

#include <stdio.h>
#include <string.h>

/* --- what the build has ------------------------------------------------------------------------*/

static bool has_gzip(void)
{
    toll_output *out;
    toll_error err;
    if (toll_output_to_memory(NULL, 1, &out, &err) != TOLL_OK)
        return false;
    toll_output_free(out);
    return true;
}

void toll_print_build(void)
{
    printf("gzip: %s\n", has_gzip() ? "yes" : "no, built without zlib");
    printf("names of C++: %s\n", toll_has_cplus_symbols() ? "yes" : "no, built without libiberty");
#if TOLL_HAVE_SOLANA
    printf("prices of Solana's system calls: %s\n", toll_sbf_runtime());
#else
    printf("Solana: no, left out of this build\n");
#endif
#if !TOLL_HAVE_SUPCOM
    printf("Supreme Commander: no, left out of this build\n");
#endif
    printf("confined: %s\n", toll_confine_text());
}

/* --- what works here ---------------------------------------------------------------------------*/

/* A kind of guest that toll run profiles. */
typedef struct guest {
    const char *name, *command;
    void (*find)(toll_run_need *need);
} guest;

static const guest guests[] = {
    { "Lua", "toll run SCRIPT.lua", toll_run_find_lua },
    { "WebAssembly", "toll run MODULE.wasm", toll_run_find_wasm },
};
enum { GUESTS = sizeof guests / sizeof *guests };

void toll_print_overview(void)
{
    printf(
        "toll - exactly what every call costs, in a program that runs inside a virtual machine\n");
    for (size_t i = 0; i < GUESTS; i++) {
        toll_run_need need;
        guests[i].find(&need);
        printf("  %-21s %s", guests[i].command, guests[i].name);
        if (need.works)
            printf(": every call of a program\n");
        else
            printf(": not yet: %s (%s)\n", need.found, need.get);
    }
    printf("  %-21s what each function cost: profiles, logs and traces of any program\n"
           "toll --help: all commands. toll doctor: what works here, what is missing.\n",
           "toll report FILE");
}

enum { NAME_COLUMN = 18, TEXT_COLUMN = NAME_COLUMN + 6 };

static void print_row(bool works, const char *name, const char *text, const char *get)
{
    printf("%-4s %-*s %s\n", works ? "yes" : "no", NAME_COLUMN, name, text);
    if (!works)
        printf("%-*sto get it: %s\n", TEXT_COLUMN, "", get);
}

static void print_guests(void)
{
    for (size_t i = 0; i < GUESTS; i++) {
        toll_run_need need;
        guests[i].find(&need);
        print_row(need.works, guests[i].name, need.found, need.get);
    }
    print_row(TOLL_HAVE_SOLANA, "Solana",
              TOLL_HAVE_SOLANA ? "reads logs, register traces and the answers of RPC"
                               : "left out of this build",
              "build without -DTOLL_SOLANA=OFF");
    print_row(TOLL_HAVE_SUPCOM, "Supreme Commander",
              TOLL_HAVE_SUPCOM ? "reads the game's log" : "left out of this build",
              "build without -DTOLL_SUPCOM=OFF");
}

static void print_browser(void)
{
    char shown[1024];
    const char *name = toll_browser_name();
    print_row(name, "browser",
              name ? toll_printable(name, shown, sizeof shown)
                   : "no display, or no browser on the PATH",
              "set BROWSER; or write the page to a file: toll view FILE -o PAGE.html");
}

int toll_cmd_doctor(toll_settings *s, int argc, char **argv)
{
    (void)s;
    if (argc > 0)
        return toll_complain(TOLL_EXIT_USAGE, "doctor: takes no operands; it was given %s",
                             argv[0]);
    printf("toll %s\n\n", toll_version());
    print_guests();
    print_browser();
    printf("\n");
    toll_print_build();
    return TOLL_EXIT_OK;
}
