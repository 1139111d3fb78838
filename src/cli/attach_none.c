/* attach_none.c - reports that toll attach and toll control need Linux. Replaces cmd_attach.c,
 * attach_*.c and cmd_control.c on other systems, and is empty on Linux. */
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

int toll_cmd_control(toll_settings *s, int argc, char **argv)
{
    (void)s;
    (void)argc;
    (void)argv;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "control: reaches processes on Linux only");
}

#endif
