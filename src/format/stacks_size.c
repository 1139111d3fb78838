/* stacks_size.c - about how large the stacks of a profile are as a file. See formats.h. */
#include "format/formats.h"

#include <string.h>

static uint64_t digits(uint64_t number, uint64_t base)
{
    uint64_t n = 1;
    for (; number >= base; number /= base)
        n++;
    return n;
}

/* Bytes of a frame in a stack: its name and a semicolon, a number and a comma, a varint. */
static uint64_t frame_size(const toll_profile *p, toll_frame_id frame, const char *format)
{
    if (strcmp(format, "folded") == 0)
        return strlen(toll_profile_frame(p, frame).name) + 1;
    if (strcmp(format, "pprof") == 0)
        return digits((uint64_t)frame + 1, 128);
    return digits(frame, 10) + 1;
}

uint64_t toll_stacks_size(const toll_profile *p, uint64_t frames, const char *format)
{
    uint64_t sum = 0, nodes = 0;
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (frame == TOLL_NONE)
            continue; /* a thread's root */
        sum += frame_size(p, frame, format);
        nodes++;
    }
    if (!nodes)
        return 0;
    uint64_t per_frame = sum / nodes, rest = sum % nodes;
    uint64_t size = frames * per_frame + frames / nodes * rest;
    /* Speedscope has the stacks once for each value. */
    return strcmp(format, "speedscope") == 0 ? size * toll_profile_column_count(p) : size;
}
