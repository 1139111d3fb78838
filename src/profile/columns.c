/* columns.c - makes new profiles with the columns of others. See graft.h. */
#include "base/fail.h"
#include "profile/graft.h"

#include <string.h>

static toll_status add_columns(toll_profile *p, const toll_value_type *types, uint32_t count,
                               toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < count; i++)
        status = toll_profile_add_column(p, types[i].type, types[i].unit, NULL, err);
    return status;
}

static toll_status create_with(const toll_mem *mem, const toll_value_type *types, uint32_t count,
                               toll_profile **out, toll_error *err)
{
    toll_profile *p;
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = toll_profile_create(mem, &p, err);
    *out = NULL;
    if (status)
        return status;
    status = add_columns(p, types, count, err);
    if (status) {
        toll_profile_free(p);
        return status;
    }
    *out = p;
    return TOLL_OK;
}

toll_status toll_profile_like(const toll_mem *mem, const toll_profile *source, toll_profile **out,
                              toll_error *err)
{
    toll_value_type types[TOLL_MAX_COLUMNS];
    for (uint32_t i = 0; i < source->column_count; i++)
        types[i] = toll_profile_column(source, i);
    toll_status status = create_with(mem, types, source->column_count, out, err);
    if (!status)
        (*out)->default_column = source->default_column;
    return status;
}

bool toll_profile_same_columns(const toll_profile *a, const toll_profile *b)
{
    if (a->column_count != b->column_count)
        return false;
    for (uint32_t i = 0; i < a->column_count; i++) {
        toll_value_type x = toll_profile_column(a, i), y = toll_profile_column(b, i);
        if (strcmp(x.type, y.type) != 0 || strcmp(x.unit, y.unit) != 0)
            return false;
    }
    return true;
}

static int compare_types(toll_value_type a, toll_value_type b)
{
    int by = strcmp(a.type, b.type);
    return by ? by : strcmp(a.unit, b.unit);
}

bool toll_profile_covers_columns(const toll_profile *a, const toll_profile *b)
{
    for (uint32_t i = 1; i < a->column_count; i++)
        if (compare_types(toll_profile_column(a, i - 1), toll_profile_column(a, i)) >= 0)
            return false;
    for (uint32_t i = 0; i < b->column_count; i++)
        if (toll_profile_find_value_type(a, toll_profile_column(b, i)) == TOLL_NONE)
            return false;
    return true;
}

/* Insert the type in order, unless it is there already. */
static uint32_t insert_type(toll_value_type *types, uint32_t count, toll_value_type new_type)
{
    uint32_t i = 0;
    while (i < count && compare_types(types[i], new_type) < 0)
        i++;
    if (i < count && compare_types(types[i], new_type) == 0)
        return count;
    memmove(types + i + 1, types + i, (count - i) * sizeof *types);
    types[i] = new_type;
    return count + 1;
}

/* The default column of the result: that of both if they agree, else the first by name, so that the
 * choice does not depend on the order of merging. */
void toll_profile_choose_default(toll_profile *p, const toll_profile *a, const toll_profile *b)
{
    uint32_t of_a = toll_profile_default_column(a), of_b = toll_profile_default_column(b);
    if (of_a == TOLL_NONE && of_b == TOLL_NONE)
        return;
    toll_value_type shown =
        toll_profile_column(of_a == TOLL_NONE ? b : a, of_a == TOLL_NONE ? of_b : of_a);
    if (of_a != TOLL_NONE && of_b != TOLL_NONE &&
        compare_types(toll_profile_column(b, of_b), shown) < 0)
        shown = toll_profile_column(b, of_b);
    p->default_column = toll_profile_find_value_type(p, shown);
}

toll_status toll_profile_like_both(const toll_profile *a, const toll_profile *b, toll_profile **out,
                                   toll_error *err)
{
    toll_value_type types[2 * TOLL_MAX_COLUMNS];
    uint32_t count = 0;
    toll_status status;
    if (toll_profile_same_columns(a, b)) {
        status = toll_profile_like(&a->mem, a, out, err);
    } else {
        for (uint32_t i = 0; i < a->column_count; i++)
            count = insert_type(types, count, toll_profile_column(a, i));
        for (uint32_t i = 0; i < b->column_count; i++)
            count = insert_type(types, count, toll_profile_column(b, i));
        status = create_with(&a->mem, types, count, out, err);
    }
    if (!status)
        toll_profile_choose_default(*out, a, b);
    return status;
}
