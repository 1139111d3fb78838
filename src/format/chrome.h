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

/* The exporter named in otherData of a trace that Toll wrote. */
#define TOLL_CHROME_EXPORTER "toll"

typedef struct chrome_event {
    int64_t at, length; /* ns; CHROME_BEGIN: B, CHROME_END: E, else X */
    uint32_t track, function;
    uint64_t place; /* in the file */
} chrome_event;

enum { CHROME_BEGIN = -1, CHROME_END = -2 };

/* A function that events name, by its name and category. */
typedef struct chrome_function {
    uint32_t name, category; /* strings */
    bool is_registered;      /* the frames below are set */
    toll_frame_id frame, on_timeline;
} chrome_function;

/* A track's thread, with its names as ids in `strings`. */
typedef struct chrome_track {
    uint32_t numbers; /* "PID/TID" */
    uint32_t name;    /* equal to `numbers` if the file has no name */
} chrome_track;

typedef struct chrome_reader {
    toll_json j;
    toll_failure failure;
    toll_mem mem;
    toll_read_job *job;
    toll_strtab strings; /* names of frames, keys of tracks */
    chrome_event *events;
    size_t count, capacity;
    chrome_function *functions;
    size_t function_count, function_capacity;
    toll_u64map function_index; /* name, category -> function */
    toll_u64map name_index;     /* name of a track (a string) -> the first track that has it */
    bool ours;                  /* Toll wrote the trace: categories are FILE:LINE */
    toll_u64map track_index;    /* pid, tid (strings) -> track */
    chrome_track *tracks;
    size_t track_count, track_capacity;
    toll_recorder *recorder;
    toll_timeline *timeline;
    int64_t *open; /* when each open frame ends, if it is an X; INT64_MAX for a B */
    size_t depth, open_capacity;
    uint64_t others, fractions, cut, unmatched, left_open;
} chrome_reader;

/* Sort the events and play them to the recorder and the timeline, track by track. */
bool toll_chrome_play(chrome_reader *reader);

#endif
