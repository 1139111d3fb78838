/* arrow_column.c - see arrow_column.h. */
#include "tables/arrow_column.h"

#include "base/fail.h"

#include <string.h>

static bool has_offsets(const toll_arrow_type *type)
{
    return *type->format == 'u' || type->format[1] == 'l' || type->format[1] == 'm';
}

static size_t child_count(const toll_arrow_type *type)
{
    size_t count = 0;
    while (count < TOLL_ARROW_CHILDREN && type->children[count])
        count++;
    return count;
}

static void begin(toll_arrow_column *c)
{
    toll_buffer_init(&c->data, &c->mem);
    toll_buffer_init(&c->offsets, &c->mem);
    c->length = 0;
}

toll_arrow_column *toll_arrow_new(const toll_arrow_type *type, const toll_mem *mem)
{
    toll_arrow_column *c = toll_mem_new(mem, 1, sizeof *c);
    if (!c)
        return NULL;
    c->mem = *mem;
    c->type = type;
    begin(c);
    for (size_t i = 0; i < child_count(type); i++) {
        c->children[i] = toll_arrow_new(type->children[i], mem);
        if (!c->children[i]) {
            toll_arrow_free(c);
            return NULL;
        }
    }
    return c;
}

void toll_arrow_free(toll_arrow_column *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < TOLL_ARROW_CHILDREN; i++)
        toll_arrow_free(c->children[i]);
    toll_buffer_free(&c->data);
    toll_buffer_free(&c->offsets);
    toll_mem mem = c->mem;
    toll_mem_free(&mem, c, 1, sizeof *c);
}

/* --- values ------------------------------------------------------------------------------------*/

/* As toll_buffer_append, without a call if there is room: there are several values for each sample
 * of each profile. An empty buffer gets the `usual` room at once. */
static inline bool append(toll_buffer *buffer, size_t usual, const void *data, size_t size)
{
    if (!buffer->capacity && usual)
        toll_buffer_room(buffer, usual);
    if (size > buffer->capacity - buffer->size || buffer->failed)
        return toll_buffer_append(buffer, data, size);
    if (size)
        memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return true;
}

void toll_arrow_put_i64(toll_arrow_column *c, int64_t value)
{
    c->length += append(&c->data, c->usual_data, &value, sizeof value);
}

void toll_arrow_put_u64(toll_arrow_column *c, uint64_t value)
{
    c->length += append(&c->data, c->usual_data, &value, sizeof value);
}

void toll_arrow_put_u32(toll_arrow_column *c, uint32_t value)
{
    c->length += append(&c->data, c->usual_data, &value, sizeof value);
}

/* The first offset is 0, also if there are no values. */
static bool begin_offsets(toll_arrow_column *c)
{
    const int32_t first = 0;
    return c->offsets.size || append(&c->offsets, c->usual_offsets, &first, sizeof first);
}

static void put_offset(toll_arrow_column *c, size_t end)
{
    int32_t offset = (int32_t)end;
    begin_offsets(c);
    c->is_too_large |= end > INT32_MAX;
    c->length += append(&c->offsets, c->usual_offsets, &offset, sizeof offset);
}

void toll_arrow_put_text(toll_arrow_column *c, const void *text, size_t size)
{
    if (size > INT32_MAX - c->data.size) {
        c->is_too_large = true;
        return;
    }
    append(&c->data, c->usual_data, text, size);
    put_offset(c, c->data.size);
}

void toll_arrow_end(toll_arrow_column *c)
{
    if (has_offsets(c->type))
        put_offset(c, c->children[0]->length);
    else
        c->length++;
}

/* --- arrays of Arrow's -------------------------------------------------------------------------*/

typedef struct given_array {
    toll_mem mem;
    toll_buffer data, offsets;
    const void *buffers[3]; /* the first says which values are null; NULL: none */
    struct ArrowArray children[TOLL_ARROW_CHILDREN], *pointers[TOLL_ARROW_CHILDREN];
} given_array;

static void release_array(struct ArrowArray *array)
{
    given_array *given = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        if (given->children[i].release)
            given->children[i].release(&given->children[i]);
    toll_buffer_free(&given->data);
    toll_buffer_free(&given->offsets);
    toll_mem mem = given->mem;
    toll_mem_free(&mem, given, 1, sizeof *given);
    array->release = NULL;
}

static toll_status check(const toll_arrow_column *c, toll_error *err)
{
    toll_status status = TOLL_OK;
    if (c->data.failed || c->offsets.failed)
        return toll_fail_nomem(err);
    if (c->is_too_large)
        return toll_fail(err, TOLL_E_LIMIT,
                         "a row of a table has more than 2 GB in its column %s; leave out the "
                         "profile with the longest names",
                         c->type->name);
    for (size_t i = 0; !status && i < child_count(c->type); i++)
        status = check(c->children[i], err);
    return status;
}

/* The buffers: nulls, offsets (of texts, lists, maps), data (of texts, numbers). */
static void list_buffers(given_array *given, const toll_arrow_type *type, struct ArrowArray *out)
{
    bool is_nested = *type->format == '+';
    out->buffers = given->buffers;
    out->n_buffers = 1;
    if (has_offsets(type))
        given->buffers[out->n_buffers++] = given->offsets.data;
    if (!is_nested)
        given->buffers[out->n_buffers++] = given->data.data;
}

/* After a failure the column has lost what was in it. */
static bool give(toll_arrow_column *c, struct ArrowArray *out)
{
    given_array *given = toll_mem_new(&c->mem, 1, sizeof *given);
    if (!given)
        return false;
    if (has_offsets(c->type) && !begin_offsets(c)) {
        toll_mem_free(&c->mem, given, 1, sizeof *given);
        return false;
    }
    given->mem = c->mem;
    given->data = c->data;
    given->offsets = c->offsets;
    *out = (struct ArrowArray){ .length = (int64_t)c->length,
                                .children = given->pointers,
                                .release = release_array,
                                .private_data = given };
    list_buffers(given, c->type, out);
    begin(c);
    c->usual_data = given->data.size;
    c->usual_offsets = given->offsets.size;
    for (size_t i = 0; i < child_count(c->type); i++) {
        given->pointers[i] = &given->children[i];
        if (!give(c->children[i], &given->children[i])) {
            release_array(out);
            return false;
        }
        out->n_children++;
    }
    return true;
}

toll_status toll_arrow_give(toll_arrow_column *c, struct ArrowArray *out, toll_error *err)
{
    toll_status status = check(c, err);
    if (status)
        return status;
    return give(c, out) ? TOLL_OK : toll_fail_nomem(err);
}

/* --- schemas of Arrow's ------------------------------------------------------------------------*/

typedef struct given_schema {
    toll_mem mem;
    struct ArrowSchema children[TOLL_ARROW_CHILDREN], *pointers[TOLL_ARROW_CHILDREN];
} given_schema;

static void release_schema(struct ArrowSchema *schema)
{
    given_schema *given = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (given->children[i].release)
            given->children[i].release(&given->children[i]);
    toll_mem mem = given->mem;
    toll_mem_free(&mem, given, 1, sizeof *given);
    schema->release = NULL;
}

toll_status toll_arrow_describe(const toll_arrow_type *type, const toll_mem *mem,
                                struct ArrowSchema *out, toll_error *err)
{
    given_schema *given = toll_mem_new(mem, 1, sizeof *given);
    if (!given)
        return toll_fail_nomem(err);
    given->mem = *mem;
    *out = (struct ArrowSchema){ .format = type->format,
                                 .name = type->name,
                                 .children = given->pointers,
                                 .release = release_schema,
                                 .private_data = given };
    for (size_t i = 0; i < child_count(type); i++) {
        given->pointers[i] = &given->children[i];
        toll_status status = toll_arrow_describe(type->children[i], mem, &given->children[i], err);
        if (status) {
            release_schema(out);
            return status;
        }
        out->n_children++;
    }
    return TOLL_OK;
}
