/* sandbox_none.c - implements sandbox.h for systems other than Linux, where a process keeps its
 * rights. */
#include "sandbox.h"

#ifndef __linux__

#include <string.h>

void toll_sandbox_begin(toll_sandbox *sandbox)
{
    *sandbox = (toll_sandbox){ .rules = -1 };
}

void toll_sandbox_allow(toll_sandbox *sandbox, const char *path, unsigned rights)
{
    (void)sandbox;
    (void)path;
    (void)rights;
}

void toll_sandbox_allow_mode(toll_sandbox *sandbox, uint32_t mode)
{
    (void)sandbox;
    (void)mode;
}

void toll_sandbox_enter(toll_sandbox *sandbox)
{
    strcpy(sandbox->text, "no, only on Linux");
}

const char *toll_sandbox_refused(const char *text)
{
    (void)text;
    return "";
}

#endif
