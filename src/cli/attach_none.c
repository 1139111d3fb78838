/* attach_none.c - reports that toll attach needs Linux. Replaces cmd_attach.c and attach_*.c on
 * other systems, and is empty on Linux. */
#include "command.h"

#ifndef __linux__

int toll_cmd_attach(toll_settings *s, int argc, char **argv)
{
    (void)s;
    (void)argc;
    (void)argv;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "attach: samples processes on Linux only, and reads their profiles "
                         "anywhere");
}

#endif
