/* frame_names.c - see frame_names.h. */
#include "frame_names.h"

#include <stdlib.h>
#include <string.h>

enum {
    NAME_LOOKS = 64,
    MOST_USED = 8,
    MOST_LINES = 1 << 20 /* of a function; lines farther apart get no frames */
};

static bool grow(frame_names *names, toll_frame_id id)
{
    size_t count = (size_t)id * 2 + 16;
    frame_name *frames = realloc(names->frames, count * sizeof *frames);
    if (!frames)
        return false;
    memset(frames + names->count, 0, (count - names->count) * sizeof *frames);
    names->frames = frames;
    names->count = count;
    return true;
}

toll_frame_id host_frame(frame_names *names, const char *name, const char *file, uint32_t line,
                         toll_frame_kind kind)
{
    toll_frame frame = { .name = name, .file = file, .line = line, .kind = kind };
    toll_frame_id id;
    if (toll_recorder_add_frame(names->recorder, &frame, &id, NULL))
        return 0;
    if (id >= names->count && !grow(names, id))
        return id;
    if (!names->frames[id].first)
        names->frames[id].first = strdup(name);
    return id;
}

const char *host_frame_name(const frame_names *names, toll_frame_id frame)
{
    return frame < names->count ? names->frames[frame].first : NULL;
}

void host_free_frame_names(frame_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        frame_name *n = &names->frames[i];
        for (uint32_t t = 0; t < n->used_count; t++)
            free(n->used[t].name);
        free(n->used);
        free(n->first);
        free(n->line_frames);
    }
    free(names->frames);
    *names = (frame_names){ 0 };
}

/* --- lines -------------------------------------------------------------------------------------*/

/* Make room for `line` in the function's array. False: no memory, or the line is too far from the
 * others. */
static bool grow_lines(frame_name *n, uint32_t line)
{
    uint32_t first = n->line_count && n->first_line < line ? n->first_line : line;
    uint32_t end = n->first_line + n->line_count > line ? n->first_line + n->line_count : line + 1;
    uint32_t count = end - first + 16; /* the next lines are likely to follow */
    if (end - first > MOST_LINES)
        return false;
    toll_frame_id *frames = malloc(count * sizeof *frames);
    if (!frames)
        return false;
    for (uint32_t i = 0; i < count; i++)
        frames[i] = TOLL_NONE;
    if (n->line_count)
        memcpy(frames + (n->first_line - first), n->line_frames, n->line_count * sizeof *frames);
    free(n->line_frames);
    n->line_frames = frames;
    n->first_line = first;
    n->line_count = count;
    return true;
}

toll_frame_id host_add_line_frame(frame_names *names, toll_frame_id function, uint32_t line)
{
    toll_frame frame = toll_recorder_frame(names->recorder, function);
    toll_frame_id id;
    frame.at_line = line;
    if (toll_recorder_add_frame(names->recorder, &frame, &id, NULL) || function >= names->count)
        return id;
    frame_name *n = &names->frames[function];
    if (line - n->first_line < n->line_count || grow_lines(n, line))
        n->line_frames[line - n->first_line] = id;
    return id;
}

/* Rename the frames of the function's lines too: they carry the function's name. */
static void rename_lines(frame_names *names, const frame_name *n, const char *name)
{
    for (uint32_t i = 0; i < n->line_count; i++)
        if (n->line_frames[i] != TOLL_NONE &&
            toll_recorder_rename_frame(names->recorder, n->line_frames[i], name, NULL))
            toll_recorder_note(names->recorder,
                               "lines under a former name of their function for lack of memory", 1,
                               NULL);
}

/* --- names that calls use ----------------------------------------------------------------------*/

/* The entry of a name that a call uses, made if it is new. NULL: no memory, or there are MOST_USED
 * other names already. */
static used_name *find_used(frame_name *n, const char *name)
{
    for (uint32_t t = 0; t < n->used_count; t++)
        if (strcmp(n->used[t].name, name) == 0)
            return &n->used[t];
    if (n->used_count == MOST_USED)
        return NULL;
    if (!n->used)
        n->used = calloc(MOST_USED, sizeof *n->used);
    char *copy = n->used ? strdup(name) : NULL;
    if (!copy)
        return NULL;
    n->used[n->used_count] = (used_name){ copy, 0 };
    return &n->used[n->used_count++];
}

/* Count a call that uses `name`. If two names are used equally often, the frame shows the one that
 * reached that number first. */
static void count_use(frame_names *names, toll_frame_id frame, const char *name)
{
    frame_name *n = &names->frames[frame];
    used_name *u = find_used(n, name);
    if (!u)
        return;
    if (++u->calls <= n->most)
        return;
    n->most = u->calls;
    if (n->shown == u->name)
        return;
    if (!toll_recorder_rename_frame(names->recorder, frame, name, NULL))
        rename_lines(names, n, name); /* else the old name stays */
    n->shown = u->name;
}

toll_frame_id host_frame_of_call(frame_names *names, const char *used, const char *otherwise,
                                 const char *file, uint32_t line, toll_frame_kind kind)
{
    toll_frame_id frame = host_frame(names, *used ? used : otherwise, file, line, kind);
    if (frame == 0 || frame >= names->count)
        return frame;
    if (!names->frames[frame].examined)
        names->frames[frame].looks = NAME_LOOKS;
    names->frames[frame].examined = true;
    if (*used)
        count_use(names, frame, used);
    return frame;
}

bool host_is_open(const frame_names *names, toll_frame_id frame)
{
    return frame < names->count && names->frames[frame].looks > 0;
}

void host_examine_call(frame_names *names, toll_frame_id frame, const char *used)
{
    names->frames[frame].looks--;
    if (*used)
        count_use(names, frame, used);
}
