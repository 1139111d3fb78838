/* chrome.h - what the parts of the Chrome trace reader share: chrome_read.c (JSON -> events) and
 * chrome_play.c (events -> profile and timeline). */
#ifndef TOLL_FORMAT_CHROME_H
#define TOLL_FORMAT_CHROME_H

#include "base/buffer.h"
#include "base/json_read.h"
#include "base/strtab.h"
#include "base/u64map.h"
#include "format/format_row.h"

#include <toll/recorder.h>

/* The mark of a trace of ours, in otherData. */
#define TOLL_CHROME_EXPORTER "toll"

typedef struct chrome_event {
    int64_t at, length; /* ns; CHROME_BEGIN: B, CHROME_END: E, else X */
    uint32_t track, function;
    uint64_t place; /* in the file */
} chrome_event;

enum { CHROME_BEGIN = -1, CHROME_END = -2 };

/* What events are of: their name and category. */
typedef struct chrome_function {
    uint32_t name, category; /* strings */
    bool met;                /* the rest is set */
    toll_frame_id frame, on_timeline;
} chrome_function;

typedef struct chrome_reader {
    toll_json j;
    toll_error *err;
    toll_mem mem;
    toll_read_job *job;
    toll_strtab strings; /* names of frames, keys of tracks */
    chrome_event *events;
    size_t count, capacity;
    chrome_function *functions;
    size_t function_count, function_capacity;
    toll_u64map function_index; /* name, category -> function */
    toll_u64map name_index;     /* name of a track (a string) -> the first track that has it */
    bool ours;                  /* a category is FILE:LINE */
    toll_u64map track_index;    /* pid, tid (strings) -> track */
    uint32_t *tracks;           /* string "pid/tid" of each track */
    uint32_t *track_names;
    size_t track_count, track_capacity, track_name_capacity;
    toll_recorder *recorder;
    toll_timeline *timeline;
    int64_t *open; /* ends of the frames that are open: of an X; INT64_MAX of a B, closed by an E */
    size_t depth, open_capacity;
    uint64_t others, fractions, cut, unmatched, left_open;
} chrome_reader;

/* Fail at the place where the reader is; returns false. */
bool toll_chrome_fail(chrome_reader *reader, toll_status status, const char *what);

/* False, and the status kept, if `status` is an error. */
bool toll_chrome_ok(chrome_reader *reader, toll_status status);

/* Sort the events and play them to the recorder and the timeline, track by track. */
bool toll_chrome_play(chrome_reader *reader);

#endif
