/* places.c FILE - prints what Toll's debug information says of addresses: for each line of standard
 * input, an address in hexadecimal, the places innermost first, as llvm-symbolizer prints them: a
 * line with the linker's name, a line FILE:LINE:COLUMN, and an empty line at the end. places FILE
 * --functions prints a line "BEGIN END NAME" for each function that addresses from standard input
 * belong to; places FILE --definitions a line "FILE:LINE" for each place, where its function is
 * defined, and an empty line at the end of each address. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <toll/debug.h>

enum { MOST_PLACES = 256 };

static const char *or_unknown(const char *text)
{
    return *text ? text : "??";
}

static void print_places(const toll_debug *debug, uint64_t address)
{
    toll_debug_place places[MOST_PLACES];
    uint32_t count = toll_debug_places(debug, address, places, MOST_PLACES);
    for (uint32_t i = 0; i < count && i < MOST_PLACES; i++) {
        const toll_debug_place *p = &places[i];
        /* Where no row holds, llvm-symbolizer prints the line of the function's definition. */
        bool has_row = *p->at_file;
        printf("%s\n%s:%" PRIu32 ":%" PRIu32 "\n",
               or_unknown(*p->system_name ? p->system_name : p->name),
               or_unknown(has_row ? p->at_file : p->file), has_row ? p->at_line : p->line,
               p->at_column);
    }
    if (count == 0)
        printf("??\n??:0:0\n");
    printf("\n");
}

static void print_definitions(const toll_debug *debug, uint64_t address)
{
    toll_debug_place places[MOST_PLACES];
    uint32_t count = toll_debug_places(debug, address, places, MOST_PLACES);
    for (uint32_t i = 0; i < count && i < MOST_PLACES; i++)
        printf("%s:%" PRIu32 "\n", places[i].file, places[i].line);
    printf("\n");
}

static void print_function(const toll_debug *debug, uint64_t address)
{
    toll_debug_function f;
    toll_debug_find_function(debug, address, &f);
    printf("%" PRIx64 " %" PRIx64 " %s\n", f.begin, f.end, or_unknown(f.name));
}

int main(int argc, char **argv)
{
    toll_debug *debug;
    toll_error err;
    uint64_t address;
    if (argc < 2 || toll_debug_open(NULL, argv[1], &debug, &err)) {
        fprintf(stderr, "places: %s\n", argc < 2 ? "which file?" : err.text);
        return 1;
    }
    const char *what = argc > 2 ? argv[2] : "";
    while (scanf("%" SCNx64, &address) == 1)
        if (strcmp(what, "--functions") == 0)
            print_function(debug, address);
        else if (strcmp(what, "--definitions") == 0)
            print_definitions(debug, address);
        else
            print_places(debug, address);
    toll_debug_free(debug);
    return 0;
}
