/* format_row.c - see format_row.h. */
#include "format/format_row.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void toll_format_warn(const toll_format_options *options, const char *format, ...)
{
    char text[512];
    va_list args;
    if (!options->warn)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    options->warn(options->warn_user, text);
}

size_t toll_stack_bytes(const toll_format_options *options)
{
    return options->stack_bytes ? options->stack_bytes : TOLL_STACK_BYTES;
}

void toll_warn_folded(const toll_format_options *options, uint64_t stacks, uint32_t depth,
                      uint64_t bytes)
{
    toll_format_warn(options,
                     "%" PRIu64 " stacks are deeper than %" PRIu32
                     " frames, and charged to their callers there: all frames would take %" PRIu64
                     " MB, uncompressed (--keep-all writes them)",
                     stacks, depth, bytes / 1000000);
}

toll_value_type toll_chosen_axis(const toll_write_job *job, bool *is_second)
{
    toll_value_type second;
    const char *value = job->options->value;
    *is_second = value && toll_timeline_second_axis(job->timeline, &second) &&
                 strcmp(second.type, value) == 0;
    return *is_second ? second : toll_timeline_axis(job->timeline);
}
