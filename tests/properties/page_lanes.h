/* page_lanes.h - reads the timeline in a page of toll view, by the description in docs/page.md. */
#ifndef TOLL_TESTS_PAGE_LANES_H
#define TOLL_TESTS_PAGE_LANES_H

#include <stdbool.h>
#include <toll/toll.h>

typedef struct page_event {
    int is_open, is_call;
    uint32_t frame; /* of the page; of an open alone */
    uint64_t at, second;
} page_event;

/* A thread of the timeline. */
typedef struct page_lane {
    char *name;
    uint64_t count, depth, begin, end;
    int64_t thread, block;
    page_event *events;
} page_lane;

typedef struct page_lanes {
    bool is_there, cut;
    uint32_t axis_count;
    char *types[2], *units[2];
    page_lane *lanes;
    uint32_t count;
    char **threads; /* of the profile */
    uint32_t thread_count;
    toll_frame *frames; /* of the page: name, file, line, kind, module, line of a place */
    uint32_t frame_count;
    char **strings;
    uint32_t string_count;
} page_lanes;

/* Whatever of it cannot be read ends the program with a message. */
void page_lanes_read(page_lanes *page, const char *text, size_t size);
void page_lanes_free(page_lanes *page);

#endif
