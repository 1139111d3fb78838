/* frame_names.h - the recorder's frames by name, and the frames of a function's lines.
 *
 * A function that is stored in no table has no name of its own; only its callers have a name for
 * it. So Toll examines the first calls of such a function, and its frame gets the name that most of
 * them use. This depends on nothing but the order of calls, so the same run gives the same names.
 */
#ifndef TOLL_LUA_FRAME_NAMES_H
#define TOLL_LUA_FRAME_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <toll/toll.h>

typedef struct used_name {
    char *name;
    uint32_t calls; /* how many of the examined calls have used it */
} used_name;

typedef struct frame_name {
    char *first;       /* the name that the frame was registered with; NULL: no memory */
    const char *shown; /* one of `used`; NULL: `first` */
    used_name *used;   /* names that calls have used; NULL: none so far */
    uint32_t used_count, most;
    bool examined; /* the frame's calls are, or were, examined */
    uint8_t looks; /* how many more calls will be examined */
    /* The frames of the function's lines: line_frames[n] is for line first_line + n; TOLL_NONE:
     * that line has no frame yet. */
    uint32_t first_line, line_count;
    toll_frame_id *line_frames;
} frame_name;

typedef struct frame_names {
    toll_recorder *recorder; /* borrowed */
    frame_name *frames;      /* by frame */
    size_t count;
} frame_names;

void host_free_frame_names(frame_names *names);

/* The frame with this name. The name will not change. If memory is short, the result is frame 0,
 * which was registered first. */
toll_frame_id host_frame(frame_names *names, const char *name, const char *file, uint32_t line,
                         toll_frame_kind kind);

/* The frame of a function that is stored nowhere, at one of its calls. `used` is the name that the
 * call uses. If it uses none (""), the frame is shown as `otherwise`. */
toll_frame_id host_frame_of_call(frame_names *names, const char *used, const char *otherwise,
                                 const char *file, uint32_t line, toll_frame_kind kind);

/* Will further calls of the frame be examined? */
bool host_is_open(const frame_names *names, toll_frame_id frame);

/* Examine one more call; `used` is the name that it uses, or "". host_is_open must be true. */
void host_examine_call(frame_names *names, toll_frame_id frame, const char *used);

/* Make the frame of a line of `function` that has none yet. TOLL_NONE: no memory. */
toll_frame_id host_add_line_frame(frame_names *names, toll_frame_id function, uint32_t line);

/* The frame of any line of `function`, made if it does not exist yet. TOLL_NONE: no memory. */
static inline toll_frame_id host_line_frame(frame_names *names, toll_frame_id function,
                                            uint32_t line)
{
    if (function < names->count) {
        const frame_name *n = &names->frames[function];
        if (line - n->first_line < n->line_count &&
            n->line_frames[line - n->first_line] != TOLL_NONE)
            return n->line_frames[line - n->first_line];
    }
    return host_add_line_frame(names, function, line);
}

/* The name that the frame was registered with; NULL: not known. */
const char *host_frame_name(const frame_names *names, toll_frame_id frame);

#endif
