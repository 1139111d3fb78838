/* table_types.c - see table_types.h. */
#include "tables/table_types.h"

#define NUMBER "l"
#define COUNT "L"
#define LINE "I"
#define TEXT "u"
#define STRUCT "+s"
#define LIST "+l"
#define MAP "+m"

typedef const toll_arrow_type type;

static type key = { TEXT, "key", { 0 } };
static type label_value = { TEXT, "value", { 0 } }, note_count = { COUNT, "value", { 0 } };
static type label = { STRUCT, "entries", { &key, &label_value } };
static type note = { STRUCT, "entries", { &key, &note_count } };
static type labels = { MAP, "labels", { &label } }, notes = { MAP, "notes", { &note } };

static type profile_name = { TEXT, "profile", { 0 } };
static type start = { NUMBER, "start_ns", { 0 } }, duration = { NUMBER, "duration_ns", { 0 } };
static type profiles = { STRUCT, "", { &profile_name, &labels, &start, &duration, &notes } };

static type stack_id = { NUMBER, "stack_id", { 0 } }, thread = { TEXT, "thread", { 0 } };
static type column = { TEXT, "column", { 0 } }, unit = { TEXT, "unit", { 0 } };
static type value = { NUMBER, "value", { 0 } };
static type samples = { STRUCT,
                        "",
                        { &profile_name, &labels, &stack_id, &thread, &column, &unit, &value } };

static type function_id = { NUMBER, "function_id", { 0 } }, name = { TEXT, "name", { 0 } };
static type file = { TEXT, "file", { 0 } }, line = { LINE, "line", { 0 } };
static type kind = { TEXT, "kind", { 0 } };
static type functions = { STRUCT, "", { &function_id, &name, &file, &line, &kind } };

static type frame = { STRUCT, "element", { &function_id, &name, &file, &line, &kind } };
static type frames = { LIST, "frames", { &frame } };
static type stacks = { STRUCT, "", { &stack_id, &frames } };

const toll_arrow_type *toll_table_type(toll_table table)
{
    static type *const all[TOLL_TABLE_COUNT] = {
        [TOLL_TABLE_PROFILES] = &profiles,
        [TOLL_TABLE_SAMPLES] = &samples,
        [TOLL_TABLE_STACKS] = &stacks,
        [TOLL_TABLE_FUNCTIONS] = &functions,
    };
    return all[table];
}
