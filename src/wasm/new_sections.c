/* new_sections.c - writes the new module's sections: the old ones with functions renumbered, and
 * the instrumenter's additions, also to sections that the old module lacks. */
#include "base/fail.h"
#include "wasm/branch_hints.h"
#include "wasm/catch_code.h"
#include "wasm/counters.h"
#include "wasm/own_section.h"

#include <string.h>

typedef struct writer {
    toll_wasm_rewrite *w;
    toll_output *out;
    toll_buffer section;  /* the body of the current section */
    toll_wasm_cursor old; /* its old body; at its end if there is none */
} writer;

/* --- what is added -----------------------------------------------------------------------------*/

/* How many of the added globals the module defines and exports. */
static uint32_t own_slots(const toll_wasm_rewrite *w)
{
    return w->options->linked ? 0 : toll_wasm_slot_count(w);
}

/* Read the old section's count, and write the new section's, which is larger by `more`. */
static uint32_t begin_vector(writer *s, uint32_t more)
{
    uint32_t count = toll_wasm_left(&s->old) ? toll_wasm_take_u32(&s->old) : 0;
    toll_wasm_put_u32(&s->section, count + more);
    return count;
}

static void copy_rest(writer *s)
{
    size_t left = toll_wasm_left(&s->old);
    const uint8_t *rest = toll_wasm_take_bytes(&s->old, left);
    toll_wasm_put_bytes(&s->section, (toll_wasm_bytes){ rest, rest ? left : 0 });
}

static void write_types(writer *s)
{
    bool has_lines = s->w->options->lines;
    begin_vector(s, toll_wasm_hook_types(s->w) + (uint32_t)s->w->result_count + has_lines +
                        toll_wasm_helper_count(s->w));
    copy_rest(s);
    toll_wasm_put_hook_types(s->w, &s->section);
    for (size_t i = 0; i < s->w->result_count; i++) {
        toll_buffer_append_byte(&s->section, TOLL_WASM_FUNCTION_TYPE);
        toll_wasm_put_u32(&s->section, 0);
        toll_wasm_put_u32(&s->section, s->w->results[i].count);
        toll_wasm_put_bytes(&s->section, s->w->results[i].types);
    }
    if (has_lines)
        toll_wasm_put_teller_type(&s->section);
    toll_wasm_put_helper_types(s->w, &s->section);
}

static void write_imports(writer *s)
{
    bool is_linked = s->w->options->linked;
    begin_vector(s, s->w->hooks + (is_linked ? toll_wasm_slot_count(s->w) : 0));
    copy_rest(s);
    toll_wasm_put_hooks(s->w, &s->section);
    if (is_linked)
        toll_wasm_put_slot_imports(s->w, &s->section);
}

static void write_functions(writer *s)
{
    bool has_lines = s->w->options->lines;
    uint32_t helpers = toll_wasm_helper_count(s->w);
    begin_vector(s, s->w->caller_count + has_lines + helpers);
    copy_rest(s);
    for (uint32_t f = 0; f < s->w->module->imported_functions; f++)
        if (s->w->callers[f] != UINT32_MAX)
            toll_wasm_put_u32(&s->section, s->w->module->functions[f].type);
    if (has_lines)
        toll_wasm_put_u32(&s->section, toll_wasm_teller_type(s->w));
    for (uint32_t helper = 0; helper < helpers; helper++)
        toll_wasm_put_u32(&s->section, toll_wasm_helper_type(s->w, (toll_wasm_helper)helper));
}

static void write_memories(writer *s)
{
    begin_vector(s, s->w->counts_in_memory);
    copy_rest(s);
    if (s->w->counts_in_memory)
        toll_wasm_put_counter_memory(s->w, &s->section);
}

static void write_code(writer *s)
{
    size_t defined = s->w->module->function_count - s->w->module->imported_functions;
    toll_wasm_put_u32(&s->section, (uint32_t)defined + s->w->caller_count +
                                       (s->w->options->lines != 0) + toll_wasm_helper_count(s->w));
}

/* --- what is renumbered ------------------------------------------------------------------------*/

static void copy_from(writer *s, size_t start)
{
    toll_buffer_append(&s->section, s->old.data + start, s->old.at - start);
}

static void write_globals(writer *s)
{
    uint32_t count = begin_vector(s, own_slots(s->w) + toll_wasm_counter_globals(s->w));
    if (own_slots(s->w))
        toll_wasm_put_slots(s->w, &s->section);
    for (; count > 0 && !s->old.status; count--) {
        size_t start = s->old.at;
        toll_wasm_pass_global_type(&s->old);
        copy_from(s, start);
        toll_wasm_copy_expression(s->w, &s->old, &s->section);
    }
    toll_wasm_put_counter_globals(s->w, &s->section);
}

/* A table may have an initial value: 0x40 0x00, its type, an expression. */
static void write_tables(writer *s)
{
    for (uint32_t count = begin_vector(s, 0); count > 0 && !s->old.status; count--) {
        size_t start = s->old.at;
        bool has_value = s->old.at < s->old.end && s->old.data[s->old.at] == 0x40;
        if (has_value) {
            toll_wasm_take_u8(&s->old);
            toll_wasm_take_u8(&s->old);
        }
        toll_wasm_pass_table_type(&s->old);
        copy_from(s, start);
        if (has_value)
            toll_wasm_copy_expression(s->w, &s->old, &s->section);
    }
}

static void copy_function(writer *s)
{
    uint32_t old = toll_wasm_take_u32(&s->old);
    if (!s->old.status && old >= s->w->module->function_count)
        toll_wasm_cursor_fail(&s->old, TOLL_E_SYNTAX, s->old.at, "function %u of %zu", old,
                              s->w->module->function_count);
    if (!s->old.status)
        toll_wasm_put_u32(&s->section, toll_wasm_new_function(s->w, old));
}

static void write_exports(writer *s)
{
    bool has_lines = s->w->options->lines;
    uint32_t added = own_slots(s->w) + has_lines;
    for (uint32_t count = begin_vector(s, added); count > 0 && !s->old.status; count--) {
        size_t start = s->old.at, size = 0;
        const char *name = toll_wasm_take_name(&s->old, &size);
        if (name && toll_wasm_is_added(name, size)) /* two exports may not have the same name */
            toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start,
                                  "an export is called %.*s already", (int)size, name);
        uint8_t kind = toll_wasm_take_u8(&s->old);
        copy_from(s, start);
        if (kind == TOLL_WASM_KIND_FUNCTION)
            copy_function(s);
        else if (kind == TOLL_WASM_KIND_GLOBAL)
            toll_wasm_put_u32(&s->section, toll_wasm_new_global(s->w, toll_wasm_take_u32(&s->old)));
        else
            toll_wasm_put_u32(&s->section, toll_wasm_take_u32(&s->old));
    }
    if (own_slots(s->w))
        toll_wasm_put_slot_exports(s->w, &s->section);
    if (has_lines) {
        toll_wasm_put_name(&s->section, TOLL_WASM_EXECUTIONS);
        toll_buffer_append_byte(&s->section, 0);
        toll_wasm_put_u32(&s->section, toll_wasm_teller_index(s->w));
    }
}

/* Flags: 1 not active (or, with 2, declared), 2 with an explicit table or kind, 4 expressions. */
static void copy_segment(writer *s)
{
    size_t start = s->old.at;
    uint32_t flags = toll_wasm_take_u32(&s->old);
    if (flags > 7)
        toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start, "elements of kind %u", flags);
    if ((flags & 3) == 2)
        toll_wasm_take_u32(&s->old); /* the table */
    copy_from(s, start);
    if (!(flags & 1))
        toll_wasm_copy_expression(s->w, &s->old, &s->section); /* the offset */
    start = s->old.at;
    if (flags & 3 && flags & 4)
        toll_wasm_take_value_type(&s->old);
    else if (flags & 3)
        toll_wasm_take_u8(&s->old); /* functions */
    uint32_t count = toll_wasm_take_count(&s->old, "elements");
    copy_from(s, start);
    for (; count > 0 && !s->old.status; count--) {
        if (flags & 4)
            toll_wasm_copy_expression(s->w, &s->old, &s->section);
        else
            copy_function(s);
    }
}

static void write_elements(writer *s)
{
    for (uint32_t count = begin_vector(s, 0); count > 0 && !s->old.status; count--)
        copy_segment(s);
}

/* Flags: 1 not active, 2 with an explicit memory. */
static void write_data(writer *s)
{
    for (uint32_t count = begin_vector(s, 0); count > 0 && !s->old.status; count--) {
        size_t start = s->old.at;
        uint32_t flags = toll_wasm_take_u32(&s->old);
        if (flags > 2)
            toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start, "data of kind %u", flags);
        if (flags == 2)
            toll_wasm_take_u32(&s->old);
        copy_from(s, start);
        if (flags != 1)
            toll_wasm_copy_expression(s->w, &s->old, &s->section); /* the offset */
        start = s->old.at;
        toll_wasm_take_bytes(&s->old, toll_wasm_take_u32(&s->old));
        copy_from(s, start);
    }
}

/* --- custom sections ---------------------------------------------------------------------------*/

/* Subsections of the name section that are by function, or by global. */
enum { NAMES_OF_FUNCTIONS = 1, NAMES_OF_LOCALS = 2, NAMES_OF_LABELS = 3, NAMES_OF_GLOBALS = 7 };

static uint32_t new_index_in_names(const toll_wasm_rewrite *w, uint8_t id, uint32_t old)
{
    if (id == NAMES_OF_GLOBALS)
        return toll_wasm_new_global(w, old);
    return old < w->module->imported_functions ? old : old + w->hooks;
}

/* Copy pairs of an index and a name or, of locals and labels, a vector of pairs, with new indices.
 */
static void copy_name_map(writer *s, toll_wasm_cursor *c, toll_buffer *out, uint8_t id)
{
    bool deep = id == NAMES_OF_LOCALS || id == NAMES_OF_LABELS;
    uint32_t count = toll_wasm_take_count(c, "names");
    toll_wasm_put_u32(out, count);
    for (; count > 0 && !c->status; count--) {
        uint32_t old = toll_wasm_take_u32(c);
        size_t start = c->at, size;
        toll_wasm_put_u32(out, new_index_in_names(s->w, id, old));
        for (uint32_t n = deep ? toll_wasm_take_count(c, "names") : 1; n > 0 && !c->status; n--) {
            if (deep)
                toll_wasm_take_u32(c);
            toll_wasm_take_name(c, &size);
        }
        if (!c->status)
            toll_buffer_append(out, c->data + start, c->at - start);
    }
}

/* Other subsections are copied. False: the section is damaged. */
static bool write_names(writer *s)
{
    toll_buffer part;
    toll_buffer_init(&part, &s->w->mem);
    toll_wasm_put_name(&s->section, "name");
    while (toll_wasm_left(&s->old) > 0) {
        uint8_t id = toll_wasm_take_u8(&s->old);
        uint32_t size = toll_wasm_take_u32(&s->old);
        const uint8_t *body = toll_wasm_take_bytes(&s->old, size);
        toll_wasm_cursor c;
        if (!body)
            break;
        toll_wasm_cursor_init(&c, s->old.data, s->old.at - size, s->old.at);
        toll_buffer_clear(&part);
        if ((id >= NAMES_OF_FUNCTIONS && id <= NAMES_OF_LABELS) || id == NAMES_OF_GLOBALS)
            copy_name_map(s, &c, &part, id);
        else
            toll_buffer_append(&part, body, size);
        if (c.status)
            s->old.status = c.status;
        toll_buffer_append_byte(&s->section, id);
        toll_wasm_put_u32(&s->section, (uint32_t)part.size);
        if (part.size)
            toll_buffer_append(&s->section, part.data, part.size);
        s->section.failed |= part.failed; /* clearing it would lose this */
    }
    toll_buffer_free(&part);
    return s->old.status == TOLL_OK;
}

static bool is_named(const toll_wasm_section *section, const char *start, bool whole)
{
    size_t n = strlen(start);
    return section->name.size >= n && (!whole || section->name.size == n) &&
           memcmp(section->name.data, start, n) == 0;
}

/* Does the section contain offsets into the code? */
static bool has_code_offsets(const toll_wasm_section *section)
{
    return is_named(section, ".debug_", false) || is_named(section, "sourceMappingURL", true) ||
           is_named(section, "metadata.code.", false) || is_named(section, "reloc.", false) ||
           is_named(section, "external_debug_info", true);
}

static void warn(const toll_wasm_rewrite *w, const char *what)
{
    if (w->options->warn)
        w->options->warn(w->options->warn_user, what);
}

/* --- all of them -------------------------------------------------------------------------------*/

/* Write a section whose body is s->section and then `rest`. */
static toll_status put_section(writer *s, uint8_t id, const toll_buffer *rest, toll_error *err)
{
    uint8_t head[1 + TOLL_WASM_MOST_U32];
    size_t size = s->section.size + (rest ? rest->size : 0);
    if (s->section.failed)
        return toll_fail_nomem(err);
    if (size > UINT32_MAX)
        return toll_fail(err, TOLL_E_LIMIT, "%s: the new module is too large", s->w->module->path);
    toll_output_write(s->out, head, (size_t)(toll_wasm_add_op(head, id, (uint32_t)size) - head));
    toll_output_write(s->out, s->section.data, s->section.size);
    if (rest)
        toll_output_write(s->out, rest->data, rest->size);
    toll_buffer_clear(&s->section);
    return TOLL_OK;
}

static void set_old(writer *s, const toll_wasm_section *section)
{
    const uint8_t *data = s->w->module->bytes.data;
    size_t start = section ? (size_t)(section->body.data - data) : 0;
    toll_wasm_cursor_init(&s->old, data, start, start + (section ? section->body.size : 0));
    if (section)
        s->old.where = toll_wasm_where(section->id);
}

static toll_status write_custom(writer *s, const toll_wasm_section *section, bool *dropped,
                                toll_error *err)
{
    if (section == toll_wasm_find_custom(s->w->module, TOLL_WASM_BRANCH_HINTS) &&
        toll_wasm_put_hints(s->w, &s->section)) {
        if (toll_wasm_loses_hints(s->w))
            warn(s->w, "branch hints that are for no if or br_if are left out");
        return put_section(s, TOLL_WASM_CUSTOM, NULL, err);
    }
    if (has_code_offsets(section)) {
        *dropped = true;
        return TOLL_OK;
    }
    if (!is_named(section, "name", true)) {
        toll_output_write(s->out, section->whole.data, section->whole.size);
        return TOLL_OK;
    }
    set_old(s, section);
    if (write_names(s))
        return put_section(s, TOLL_WASM_CUSTOM, NULL, err);
    warn(s->w, "the name section is damaged: left out");
    toll_buffer_clear(&s->section);
    return TOLL_OK;
}

/* Write a section. `section` is the old one, NULL if the old module has none. */
static toll_status write_section(writer *s, uint8_t id, const toll_wasm_section *section,
                                 toll_error *err)
{
    set_old(s, section);
    switch (id) {
    case TOLL_WASM_TYPES: write_types(s); break;
    case TOLL_WASM_IMPORTS: write_imports(s); break;
    case TOLL_WASM_FUNCTIONS: write_functions(s); break;
    case TOLL_WASM_TABLES: write_tables(s); break;
    case TOLL_WASM_MEMORIES: write_memories(s); break;
    case TOLL_WASM_GLOBALS: write_globals(s); break;
    case TOLL_WASM_EXPORTS: write_exports(s); break;
    case TOLL_WASM_START: copy_function(s); break;
    case TOLL_WASM_ELEMENTS: write_elements(s); break;
    case TOLL_WASM_CODE: write_code(s); break;
    case TOLL_WASM_DATA_SEGMENTS: write_data(s); break;
    default: copy_rest(s); break;
    }
    if (id != TOLL_WASM_CODE && toll_wasm_left(&s->old) > 0)
        toll_wasm_cursor_fail(&s->old, TOLL_E_SYNTAX, s->old.at, "bytes behind a section's last");
    if (s->old.status)
        return toll_wasm_cursor_check(&s->old, s->w->module->path, err);
    return put_section(s, id, id == TOLL_WASM_CODE ? &s->w->code : NULL, err);
}

/* Does the new module need the section, even if the old one lacks it? */
static bool is_made(const toll_wasm_rewrite *w, uint8_t id)
{
    bool defines = w->module->function_count > w->module->imported_functions || w->caller_count ||
                   w->options->lines || toll_wasm_helper_count(w);
    return id == TOLL_WASM_TYPES || id == TOLL_WASM_IMPORTS || id == TOLL_WASM_GLOBALS ||
           id == TOLL_WASM_EXPORTS || (id == TOLL_WASM_MEMORIES && w->counts_in_memory) ||
           ((id == TOLL_WASM_FUNCTIONS || id == TOLL_WASM_CODE) && defines);
}

/* Write all sections up to and including `id` that have not been written; 0: all. */
static toll_status write_up_to(writer *s, uint32_t *done, uint8_t id, toll_error *err)
{
    toll_status status = TOLL_OK;
    while (!status && *done < TOLL_WASM_ORDERED) {
        uint8_t next = toll_wasm_section_order[(*done)++];
        const toll_wasm_section *section = toll_wasm_find_section(s->w->module, next);
        if (section || is_made(s->w, next))
            status = write_section(s, next, section, err);
        if (next == id)
            break;
    }
    return status;
}

toll_status toll_wasm_rewrite_sections(toll_wasm_rewrite *w, toll_output *out, toll_error *err)
{
    static const uint8_t header[8] = { 0, 'a', 's', 'm', 1, 0, 0, 0 };
    writer s = { .w = w, .out = out };
    toll_status status = TOLL_OK;
    uint32_t done = 0;
    bool dropped = false;
    toll_buffer_init(&s.section, &w->mem);
    toll_output_write(out, header, sizeof header);
    for (size_t i = 0; !status && i < w->module->section_count; i++) {
        const toll_wasm_section *section = &w->module->sections[i];
        status = section->id == TOLL_WASM_CUSTOM ? write_custom(&s, section, &dropped, err)
                                                 : write_up_to(&s, &done, section->id, err);
    }
    if (!status)
        status = write_up_to(&s, &done, 0, err);
    if (!status)
        status = toll_wasm_put_own_section(w, &s.section, err);
    if (!status)
        status = put_section(&s, TOLL_WASM_CUSTOM, NULL, err);
    if (!status && dropped)
        warn(w, "sections that tell of places in the code are left out: DWARF, source map");
    toll_buffer_free(&s.section);
    return status;
}
