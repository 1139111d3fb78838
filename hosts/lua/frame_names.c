/* frame_names.c - see frame_names.h. */
#include "frame_names.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_LOOKS = 64, MOST_USED = 8 };

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
    }
    free(names->frames);
    *names = (frame_names){ 0 };
}

/* The entry of a name that a call uses, made if need be; NULL: no memory, or there are MOST_USED
 * others already. */
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

/* A call uses `name`. If two names are used equally often, the one that reached that number first
 * is shown. */
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
    toll_recorder_rename_frame(names->recorder, frame, name, NULL); /* failed: keeps the old one */
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
