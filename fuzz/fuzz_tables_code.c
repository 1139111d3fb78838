/* fuzz_tables_code.c - fuzzes tables of two profiles, in small batches: offsets rise, texts are
 * UTF-8, each stack is there once, and the samples have the sums of the profiles. */
#include "fuzz_profile.h"

#include "base/text.h"
#include "tables/table_types.h"

enum { PROFILES = 2 };

typedef struct seen {
    int64_t sum; /* of all samples; wraps around */
    uint64_t rows[TOLL_TABLE_COUNT];
} seen;

/* The end of value i in the child, or in the bytes of a text. */
static int32_t offset(const struct ArrowArray *array, int64_t i)
{
    return ((const int32_t *)array->buffers[1])[i];
}

static void see_texts(const struct ArrowArray *array)
{
    const char *data = array->buffers[2];
    for (int64_t i = 0; i < array->length; i++) {
        size_t size = (size_t)(offset(array, i + 1) - offset(array, i));
        fuzz_require(offset(array, i) <= offset(array, i + 1), "offsets that fall");
        fuzz_require(!size || toll_text_check(data + offset(array, i), size) == size,
                     "a text that is not UTF-8");
    }
    fuzz_see("texts", data, (size_t)offset(array, array->length));
}

static void see_array(const toll_arrow_type *type, const struct ArrowArray *array)
{
    char kind = type->format[*type->format == '+'];
    bool has_numbers = *type->format != '+' && kind != 'u';
    fuzz_require(!array->offset && !array->null_count && !array->dictionary, "no plain array");
    if (kind == 'u')
        see_texts(array);
    for (int64_t i = 0; i < array->n_children; i++) {
        bool is_struct = kind == 's';
        fuzz_require(array->children[i]->length ==
                         (is_struct ? array->length : offset(array, array->length)),
                     "children of another length");
        see_array(type->children[i], array->children[i]);
    }
    if (has_numbers && array->length)
        fuzz_see("numbers", array->buffers[1],
                 (size_t)array->length * (kind == 'I' ? sizeof(uint32_t) : sizeof(uint64_t)));
}

static int take(void *user, toll_table table, struct ArrowArray *rows)
{
    seen *s = user;
    see_array(toll_table_type(table), rows);
    s->rows[table] += (uint64_t)rows->length;
    if (table == TOLL_TABLE_SAMPLES) {
        const int64_t *values = rows->children[TOLL_SAMPLES_VALUE]->buffers[1];
        for (int64_t i = 0; i < rows->length; i++)
            s->sum = (int64_t)((uint64_t)s->sum + (uint64_t)values[i]);
    }
    rows->release(rows);
    return 0;
}

/* The sum of all values, which wraps around, and how many are not 0. */
static int64_t sum_of(const toll_profile *p, uint64_t *count)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
        for (uint32_t n = 0; n < toll_profile_node_count(p); n++) {
            sum += (uint64_t)toll_profile_self(p, n, c);
            *count += toll_profile_self(p, n, c) != 0;
        }
    return (int64_t)sum;
}

/* Add the profiles, and one that could not be read. A label may be refused; then it is left out. */
static toll_status add_all(toll_tables *tables, toll_profile *const *profiles, fuzz_bytes b)
{
    char key[16], value[16];
    toll_thread_label label = { .key = fuzz_name(&b, key) };
    label.value = fuzz_name(&b, value);
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < PROFILES; i++) {
        status = toll_tables_add(tables, "a", &label, 1, profiles[i], NULL);
        if (status == TOLL_E_ARGUMENT)
            status = toll_tables_add(tables, "a", NULL, 0, profiles[i], NULL);
    }
    if (!status)
        status = toll_tables_add_unread(tables, "b", NULL, 0, "not read", NULL);
    return status ? status : toll_tables_finish(tables, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_profile *profiles[PROFILES];
    toll_tables *tables;
    seen s = { 0 };
    int64_t sum = 0;
    uint64_t count = 0;
    toll_tables_options options = { .size = sizeof options, .take_rows = take, .user = &s };
    options.most_rows = options.most_frames = size ? 1 + data[0] % 16 : 1;
    for (size_t i = 0; i < PROFILES; i++) {
        profiles[i] = fuzz_profile(&a, fuzz_part(data, size, i, PROFILES));
        sum = (int64_t)((uint64_t)sum + (uint64_t)sum_of(profiles[i], &count));
        toll_profile_set_time(profiles[i], (int64_t)size, (int64_t)i);
    }
    if (!toll_tables_create(&a, &options, &tables, NULL)) {
        toll_status status = add_all(tables, profiles, fuzz_part(data, size, 1, 2));
        fuzz_require(!status || status == TOLL_E_NOMEM || status == TOLL_E_OVERFLOW,
                     "tables that fail");
        if (!status) {
            fuzz_require(s.sum == sum, "another sum");
            fuzz_require(s.rows[TOLL_TABLE_SAMPLES] <= count, "more samples");
            fuzz_require(s.rows[TOLL_TABLE_PROFILES] == PROFILES + 1, "other profiles");
        }
        toll_tables_free(tables);
    }
    for (size_t i = 0; i < PROFILES; i++)
        toll_profile_free(profiles[i]);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
