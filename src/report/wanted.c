/* wanted.c - finds the functions, or files, that a word on the command line means. See
 * listings.h. */
#include "base/fail.h"
#include "base/nearest.h"
#include "base/text.h"
#include "profile/frame_place.h"
#include "report/listings.h"

#include <string.h>

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Is `what` the whole path, or its end after a separator? */
static bool ends_path(const char *path, const char *what)
{
    size_t n = strlen(path), m = strlen(what);
    return m > 0 && toll_text_ends_with(path, what) &&
           (n == m || is_separator(path[n - m - 1]) || is_separator(*what));
}

bool toll_wanted_is(const toll_wanted *w, const toll_frame *f)
{
    if (!w->what)
        return true;
    switch (w->kind) {
    case TOLL_WANT_NAME: return strcmp(f->name, w->what) == 0;
    case TOLL_WANT_SYSTEM_NAME: return strcmp(f->system_name, w->what) == 0;
    case TOLL_WANT_FILE: return ends_path(toll_frame_place_file(f), w->what);
    case TOLL_WANT_PART: return strstr(f->name, w->what) != NULL;
    default: return false;
    }
}

static bool is_in(const toll_profile *p, const toll_wanted *w)
{
    for (uint32_t i = 0; p && i < toll_profile_frame_count(p); i++) {
        toll_frame f = toll_profile_frame(p, i);
        if (toll_wanted_is(w, &f))
            return true;
    }
    return false;
}

/* Candidates for suggestions: names of functions, then of files without their folders. */
static const char *name_at(const void *user, unsigned i)
{
    const toll_profile *p = user;
    uint32_t count = toll_profile_frame_count(p);
    if (i < count)
        return toll_profile_frame(p, i).name;
    toll_frame frame = toll_profile_frame(p, i - count);
    const char *file = toll_frame_place_file(&frame), *name = file;
    for (; *file; file++)
        if (is_separator(*file))
            name = file + 1;
    return name;
}

toll_status toll_wanted_find(const toll_profile *p, const toll_profile *other, const char *what,
                             toll_wanted *w, toll_error *err)
{
    *w = (toll_wanted){ what, TOLL_WANT_NAME };
    if (!what)
        return TOLL_OK;
    for (int kind = 0; *what && kind < TOLL_WANT_KINDS; kind++) {
        w->kind = (toll_wanted_kind)kind;
        if (is_in(p, w) || is_in(other, w))
            return TOLL_OK;
    }
    uint32_t frames = toll_profile_frame_count(p);
    const char *nearest =
        frames < UINT32_MAX / 2 ? toll_nearest(what, name_at, p, 2 * frames) : NULL;
    return toll_fail(err, TOLL_E_NOT_FOUND,
                     "the profile has no function and no file '%.100s'%s%.100s%s; toll report "
                     "lists the functions",
                     what, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}
