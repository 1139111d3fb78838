/* complain.c - see complain.h. */
#include "complain.h"

#include "base/printable.h"
#include "progress.h"
#include "sandbox.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char complained[1024];

void toll_keep_complaint(const char *text)
{
    snprintf(complained, sizeof complained, "%s", text);
}

int toll_complain(int status, const char *format, ...)
{
    char text[sizeof complained]; /* the last text may be an argument */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    toll_keep_complaint(text);
    toll_tell("", text);
    return status;
}

const char *toll_complained(void)
{
    return complained;
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
    fputs(toll_sandbox_refused(text), stderr);
    fputc('\n', stderr);
}
