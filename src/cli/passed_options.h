/* passed_options.h - the command line of toll run, with the options of it that another command was
 * given. */
#ifndef TOLL_CLI_PASSED_OPTIONS_H
#define TOLL_CLI_PASSED_OPTIONS_H

#include "command.h"

#include "base/strtab.h"

typedef struct toll_passed_options {
    const char *
        *words;        /* "toll run -q -o {} OPTIONS --", NULL-terminated: for recorded_command.h */
    const char *given; /* the name of one of the options; NULL: there are none */
    size_t count, capacity;
    toll_strtab texts;
} toll_passed_options;

void toll_passed_options_init(toll_passed_options *passed, const toll_allocator *mem);
void toll_passed_options_free(toll_passed_options *passed);

/* Make the words, with those options on the command line that `command` has in common with toll
 * run. False: no memory. */
bool toll_passed_options_make(toll_passed_options *passed, toll_command_id command,
                              const toll_settings *settings);

#endif
