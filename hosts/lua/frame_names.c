/* frame_names.c - the recorder's frames by name, and the names that calls tell.
 *
 * How a call names a function that is stored nowhere depends on the caller, so the first calls of
 * each are asked, and the name that most of them tell is shown. The order of calls decides, and
 * nothing else: the same run gives the same names. */
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { NAME_LOOKS = 64, MOST_TOLD = 8 };

static bool grow_names(profiler *p, toll_frame_id id)
{
    size_t count = (size_t)id * 2 + 16;
    frame_name *names = realloc(p->frame_names, count * sizeof *names);
    if (!names)
        return false;
    memset(names + p->frame_name_count, 0, (count - p->frame_name_count) * sizeof *names);
    p->frame_names = names;
    p->frame_name_count = count;
    return true;
}

toll_frame_id host_frame(profiler *p, const char *name, const char *file, uint32_t line,
                         toll_frame_kind kind)
{
    toll_frame frame = { name, file, line, kind };
    toll_frame_id id;
    if (toll_recorder_add_frame(p->recorder, &frame, &id, NULL))
        return 0; /* the frame that is registered first, "(unknown)" */
    if (id >= p->frame_name_count && !grow_names(p, id))
        return id;
    if (!p->frame_names[id].first)
        p->frame_names[id].first = strdup(name);
    return id;
}

const char *host_frame_name(const profiler *p, toll_frame_id frame)
{
    return frame < p->frame_name_count ? p->frame_names[frame].first : NULL;
}

void host_free_frame_names(profiler *p)
{
    for (size_t i = 0; i < p->frame_name_count; i++) {
        frame_name *n = &p->frame_names[i];
        for (uint32_t t = 0; t < n->told_count; t++)
            free(n->told[t].name);
        free(n->told);
        free(n->first);
    }
    free(p->frame_names);
    p->frame_names = NULL;
    p->frame_name_count = 0;
}

/* The entry of a name that calls have told; NULL: there is no room for another. */
static told_name *find_told(frame_name *n, const char *name)
{
    for (uint32_t t = 0; t < n->told_count; t++)
        if (strcmp(n->told[t].name, name) == 0)
            return &n->told[t];
    if (n->told_count == MOST_TOLD)
        return NULL;
    if (!n->told)
        n->told = calloc(MOST_TOLD, sizeof *n->told);
    char *copy = n->told ? strdup(name) : NULL;
    if (!copy)
        return NULL;
    n->told[n->told_count] = (told_name){ copy, 0 };
    return &n->told[n->told_count++];
}

/* A call has told a name. Of those that were told as often, the one that came to it first counts.
 */
void host_count_told(profiler *p, toll_frame_id frame, const char *name)
{
    frame_name *n = &p->frame_names[frame];
    told_name *t = find_told(n, name);
    if (!t)
        return;
    if (++t->calls <= n->most)
        return;
    n->most = t->calls;
    if (n->shown == t->name)
        return;
    toll_recorder_rename_frame(p->recorder, frame, name, NULL); /* failed: the old one is as good */
    n->shown = t->name;
}

/* The frame of a function that is stored nowhere: `name` is what this call has told, if it is not
 * "", and else `otherwise` stands for it. It may be asked again. */
toll_frame_id host_told_frame(profiler *p, const char *name, const char *otherwise,
                              const char *file, uint32_t line, toll_frame_kind kind)
{
    toll_frame_id frame = host_frame(p, *name ? name : otherwise, file, line, kind);
    if (frame == 0 || frame >= p->frame_name_count)
        return frame;
    if (!p->frame_names[frame].asked)
        p->frame_names[frame].looks = NAME_LOOKS;
    p->frame_names[frame].asked = true;
    if (*name)
        host_count_told(p, frame, name);
    return frame;
}

bool host_is_open(const profiler *p, toll_frame_id frame)
{
    return frame < p->frame_name_count && p->frame_names[frame].looks > 0;
}
