/* dwarf_line_table.c - see dwarf_line_table.h. Files that programs define while they run
 * (DW_LNE_define_file) are not read: no compiler writes them. */
#include "dwarf/dwarf_line_table.h"

#include "base/array.h"
#include "dwarf/dwarf_names.h"
#include "dwarf/dwarf_value.h"

static bool add_folder(toll_dwarf_info *info, toll_dwarf_line_table *t, const char *folder)
{
    if (!toll_array_grow(&info->mem, &t->folders, &t->folder_capacity, t->folder_count, 1))
        return toll_dwarf_info_no_memory(info);
    t->folders[t->folder_count++] = folder;
    return toll_dwarf_spend(info, 1);
}

static bool add_file(toll_dwarf_info *info, toll_dwarf_line_table *t, const char *name,
                     uint64_t folder)
{
    if (!toll_array_grow(&info->mem, &t->files, &t->file_capacity, t->file_count, 1))
        return toll_dwarf_info_no_memory(info);
    const char *path = folder < t->folder_count ? t->folders[folder] : NULL;
    t->files[t->file_count++] = (toll_dwarf_file){ path, name };
    return toll_dwarf_spend(info, 1);
}

/* --- files of DWARF 2 to 4 ---------------------------------------------------------------------*/

/* Folders and files are numbered from 1; folder 0 is that of the unit. */
static bool read_old_files(toll_dwarf_info *info, toll_dwarf_line_table *t, toll_dwarf_cursor *c)
{
    const char *text;
    if (!add_folder(info, t, NULL))
        return false;
    while ((text = toll_dwarf_text_here(c)) != NULL && *text)
        if (!add_folder(info, t, text))
            return false;
    if (!add_file(info, t, NULL, 0))
        return false;
    while ((text = toll_dwarf_text_here(c)) != NULL && *text) {
        uint64_t folder = toll_dwarf_uleb(c);
        toll_dwarf_uleb(c); /* when it was modified */
        toll_dwarf_uleb(c); /* its size */
        if (!add_file(info, t, text, folder))
            return false;
    }
    return true;
}

/* --- files of DWARF 5 --------------------------------------------------------------------------*/

typedef struct column {
    uint64_t content, form;
} column;

enum { MOST_COLUMNS = 16 };

/* Read a text; texts in the table itself are read here. */
static const char *read_text(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                             toll_dwarf_cursor *c, uint64_t form)
{
    toll_dwarf_value value;
    if (form == DW_FORM_string)
        return toll_dwarf_text_here(c);
    bool is_read =
        form <= UINT16_MAX && toll_dwarf_read_value(info, unit, c, (uint16_t)form, 0, &value);
    const char *text = is_read ? toll_dwarf_text_value(info, unit, value) : NULL;
    if (!text)
        toll_dwarf_cursor_fail(c);
    return text;
}

static uint64_t read_number(const toll_dwarf_info *info, const toll_dwarf_unit *unit,
                            toll_dwarf_cursor *c, uint64_t form)
{
    toll_dwarf_value value = { .number = 0 };
    bool is_text = form == DW_FORM_string;
    if (is_text
            ? !toll_dwarf_text_here(c)
            : form > UINT16_MAX || !toll_dwarf_read_value(info, unit, c, (uint16_t)form, 0, &value))
        toll_dwarf_cursor_fail(c);
    return value.number;
}

/* Read a table of folders or of files: its columns, then its rows. */
static bool read_names(toll_dwarf_info *info, const toll_dwarf_unit *unit, toll_dwarf_line_table *t,
                       toll_dwarf_cursor *c, bool are_files)
{
    column columns[MOST_COLUMNS];
    size_t count = (size_t)toll_dwarf_number(c, 1);
    for (size_t i = 0; i < count; i++) {
        column *read = &columns[i < MOST_COLUMNS ? i : MOST_COLUMNS - 1];
        read->content = toll_dwarf_uleb(c);
        read->form = toll_dwarf_uleb(c);
    }
    if (count > MOST_COLUMNS)
        toll_dwarf_cursor_fail(c);
    uint64_t rows = toll_dwarf_uleb(c);
    for (uint64_t row = 0; row < rows && !c->failed; row++) {
        const char *name = NULL;
        const uint8_t *before = c->at;
        uint64_t folder = 0;
        for (size_t i = 0; i < count; i++) {
            if (columns[i].content == DW_LNCT_path)
                name = read_text(info, unit, c, columns[i].form);
            else if (columns[i].content == DW_LNCT_directory_index)
                folder = read_number(info, unit, c, columns[i].form);
            else
                read_number(info, unit, c, columns[i].form);
        }
        if (c->at == before) /* rows of 0 bytes: their number would be unlimited */
            toll_dwarf_cursor_fail(c);
        if (are_files ? !add_file(info, t, name, folder) : !add_folder(info, t, name))
            return false;
    }
    return true;
}

/* --- the header --------------------------------------------------------------------------------*/

/* Read the numbers before the lists of files. *unit gets the sizes of this table. */
static bool read_numbers(toll_dwarf_line_table *t, toll_dwarf_unit *unit, toll_dwarf_cursor *c,
                         toll_dwarf_cursor *program)
{
    t->version = (uint16_t)toll_dwarf_number(c, 2);
    if (t->version < 2 || t->version > 5)
        return false;
    if (t->version == 5) {
        unit->address_size = (uint8_t)toll_dwarf_number(c, 1);
        toll_dwarf_number(c, 1); /* of segments */
    }
    t->address_size = unit->address_size;
    uint64_t size = toll_dwarf_number(c, unit->offset_size);
    *program = *c;
    toll_dwarf_take(program, size);
    t->least_instruction = (uint8_t)toll_dwarf_number(c, 1);
    t->most_operations = t->version >= 4 ? (uint8_t)toll_dwarf_number(c, 1) : 1;
    toll_dwarf_number(c, 1); /* whether rows begin statements */
    t->line_base = (int8_t)toll_dwarf_number(c, 1);
    t->line_range = (uint8_t)toll_dwarf_number(c, 1);
    t->opcode_base = (uint8_t)toll_dwarf_number(c, 1);
    t->opcode_lengths = t->opcode_base ? toll_dwarf_take(c, t->opcode_base - 1u) : NULL;
    return !c->failed && !program->failed && t->opcode_base && t->line_range &&
           t->most_operations && (t->address_size == 4 || t->address_size == 8);
}

bool toll_dwarf_line_table_read(toll_dwarf_info *info, const toll_dwarf_unit *unit,
                                toll_dwarf_line_table *t, bool *found)
{
    *t = (toll_dwarf_line_table){ .version = 0 };
    *found = false;
    uint64_t offset;
    if (!toll_dwarf_number_of(&unit->root, TOLL_DWARF_STMT_LIST, &offset))
        return toll_dwarf_info_good(info);
    toll_dwarf_cursor c = toll_dwarf_cursor_at(info->sections.line, offset);
    toll_dwarf_unit own = *unit;
    uint64_t size = toll_dwarf_initial_length(&c, &own.offset_size);
    if (c.failed || size > toll_dwarf_left(&c))
        return toll_dwarf_info_good(info);
    const uint8_t *begin = c.at;
    c.end = size ? c.at + size : c.at;
    if (!read_numbers(t, &own, &c, &t->program))
        return toll_dwarf_info_good(info);
    bool good = t->version < 5
                    ? read_old_files(info, t, &c)
                    : read_names(info, &own, t, &c, false) && read_names(info, &own, t, &c, true);
    *found = good && !c.failed;
    return good && toll_dwarf_spend(info, (uint64_t)(c.at - begin));
}

void toll_dwarf_line_table_free(toll_dwarf_line_table *t, const toll_mem *mem)
{
    toll_mem_free(mem, t->files, t->file_capacity, sizeof *t->files);
    toll_mem_free(mem, t->folders, t->folder_capacity, sizeof *t->folders);
}

/* --- the program -------------------------------------------------------------------------------*/

/* The registers of the line-number machine, and its inputs. */
typedef struct machine {
    const toll_dwarf_line_table *table;
    toll_dwarf_cursor c;
    toll_dwarf_row row;
    uint64_t operation; /* op_index: the operation within a VLIW instruction */
} machine;

static const toll_dwarf_row first_row = { .file = 1, .line = 1 };

static void advance(machine *m, uint64_t operations)
{
    const toll_dwarf_line_table *t = m->table;
    uint64_t sum = m->operation + operations;
    m->row.address += t->least_instruction * (sum / t->most_operations);
    m->operation = sum % t->most_operations;
}

/* The address advance of a special opcode. */
static uint64_t special_advance(const toll_dwarf_line_table *t, uint8_t opcode)
{
    return (uint64_t)(opcode - t->opcode_base) / t->line_range;
}

/* Run an extended opcode, which has a size. True if it makes a row. */
static bool run_extended(machine *m)
{
    uint64_t size = toll_dwarf_uleb(&m->c);
    const uint8_t *at = toll_dwarf_take(&m->c, size);
    if (!at || size == 0)
        return false;
    if (*at == DW_LNE_set_address) {
        toll_dwarf_cursor c = { at + 1, at + size, false };
        m->row.address = toll_dwarf_number(&c, size - 1 < 8 ? (unsigned)size - 1 : 8);
        m->operation = 0;
    }
    m->row.is_end = *at == DW_LNE_end_sequence;
    return m->row.is_end;
}

/* Run a standard opcode. True if it makes a row. */
static bool run_standard(machine *m, uint8_t opcode)
{
    switch (opcode) {
    case DW_LNS_copy: return true;
    case DW_LNS_advance_pc: advance(m, toll_dwarf_uleb(&m->c)); break;
    case DW_LNS_advance_line: m->row.line += (uint64_t)toll_dwarf_sleb(&m->c); break;
    case DW_LNS_set_file: m->row.file = toll_dwarf_uleb(&m->c); break;
    case DW_LNS_set_column: m->row.column = toll_dwarf_uleb(&m->c); break;
    case DW_LNS_const_add_pc: advance(m, special_advance(m->table, 255)); break;
    case DW_LNS_fixed_advance_pc:
        m->row.address += toll_dwarf_number(&m->c, 2);
        m->operation = 0;
        break;
    default:
        for (uint8_t i = 0; i < m->table->opcode_lengths[opcode - 1]; i++)
            toll_dwarf_uleb(&m->c);
    }
    return false;
}

/* Run one instruction. True if it makes a row. */
static bool run_instruction(machine *m)
{
    const toll_dwarf_line_table *t = m->table;
    uint8_t opcode = (uint8_t)toll_dwarf_number(&m->c, 1);
    if (opcode >= t->opcode_base) {
        advance(m, special_advance(t, opcode));
        m->row.line +=
            (uint64_t)((opcode - t->opcode_base) % t->line_range) + (uint64_t)(int64_t)t->line_base;
        return true;
    }
    return opcode == DW_LNS_extended ? run_extended(m) : run_standard(m, opcode);
}

bool toll_dwarf_line_table_run(toll_dwarf_info *info, const toll_dwarf_line_table *t,
                               bool (*add)(void *user, const toll_dwarf_row *row), void *user)
{
    machine m = { .table = t, .c = t->program, .row = first_row };
    if (!toll_dwarf_spend(info, toll_dwarf_left(&m.c)))
        return false;
    while (toll_dwarf_left(&m.c)) {
        bool is_row = run_instruction(&m);
        if (m.c.failed || !is_row)
            continue;
        if (!toll_dwarf_spend(info, 1) || !add(user, &m.row))
            return false;
        if (m.row.is_end) {
            m.row = first_row;
            m.operation = 0;
        }
    }
    return true;
}
