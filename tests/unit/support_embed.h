/* support_embed.h - for tests of toll/embed.h: the file of a recording, and its messages on
 * standard error. */
#ifndef TOLL_TESTS_SUPPORT_EMBED_H
#define TOLL_TESTS_SUPPORT_EMBED_H

#include "support.h"
#include "support_folder.h"

#include <toll/embed.h>

/* Where a path may stay; test_path has room for one. */
static inline const char *test_file(const char *name)
{
    static char paths[64][256];
    static unsigned next;
    char *path = paths[next++ % 64];
    snprintf(path, sizeof paths[0], "%s", test_path(name));
    return path;
}

static inline toll_profile *test_load(const char *path)
{
    toll_profile *p;
    assert_ok(toll_profile_load(NULL, path, NULL, NULL, NULL, &p, err));
    assert_ok(toll_profile_check(p, 0, err));
    return p;
}

static inline bool test_is_there(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info);
}

/* The self value of a stack of the main thread, in the column of that type. */
static inline int64_t test_spent(const toll_profile *p, const char *type, const char *stack)
{
    uint32_t column = toll_profile_find_column(p, type);
    assert_int_not_equal(column, TOLL_NONE);
    return test_self(p, "main", stack, column);
}

/* A function that is called, as a VM has it: with its id. */
typedef struct test_function {
    const char *name;
    toll_embed_id id;
} test_function;

static inline toll_embed_id test_id(toll_embed *e, test_function *f)
{
    if (toll_embed_is_new(e, f->id))
        f->id = toll_embed_add(e, f->name, "guest.vm", 1);
    return f->id;
}

static inline void test_call(toll_embed *e, test_function *f)
{
    toll_embed_call(e, test_id(e, f));
}

#endif
