/* solana_names.c - finds the names of programs: well-known ones, and the user's own. */
#include "base/array.h"
#include "base/input.h"
#include "solana/known_programs.h"
#include "solana/solana.h"

#include <string.h>

void toll_solana_names_init(toll_solana_names *names, const toll_mem *mem)
{
    *names = (toll_solana_names){ 0 };
    toll_strtab_init(&names->strings, mem);
    names->idls.strings = &names->strings;
}

void toll_solana_names_free(toll_solana_names *names)
{
    toll_solana_idls_free(&names->idls);
    toll_mem_free(&names->strings.mem, names->rows, names->capacity, sizeof *names->rows);
    toll_strtab_free(&names->strings);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static toll_status add_row(toll_solana_names *names, const char *id, size_t id_size,
                           const char *name, size_t name_size, toll_error *err)
{
    uint32_t i = toll_strtab_add(&names->strings, id, id_size);
    uint32_t n = toll_strtab_add(&names->strings, name, name_size);
    if (i == UINT32_MAX || n == UINT32_MAX ||
        !toll_array_grow(&names->strings.mem, &names->rows, &names->capacity, names->count, 1))
        return toll_fail_nomem(err);
    names->rows[names->count++] = (struct toll_solana_name){ i, n };
    return TOLL_OK;
}

static toll_status read_row(toll_solana_names *names, const toll_input *in, uint64_t number,
                            const char *text, size_t size, toll_error *err)
{
    size_t n = 0, blanks;
    while (size && is_blank(*text)) {
        text++;
        size--;
    }
    while (size && is_blank(text[size - 1]))
        size--;
    if (size == 0 || *text == '#')
        return TOLL_OK;
    while (n < size && !is_blank(text[n]))
        n++;
    for (blanks = n; blanks < size && is_blank(text[blanks]);)
        blanks++;
    if (blanks == size)
        return toll_fail_line(in, number, err, TOLL_E_SYNTAX,
                              "a line is ID NAME: the name is missing");
    return add_row(names, text, n, text + blanks, size - blanks, err);
}

static toll_status read_file(toll_solana_names *names, const char *path, toll_error *err)
{
    toll_input *in;
    const char *text;
    size_t size;
    bool whole;
    toll_status status = toll_input_open(&names->strings.mem, path, &in, err);
    if (status)
        return status;
    for (uint64_t number = 1; !status && toll_input_line(in, &text, &size, &whole); number++)
        status = read_row(names, in, number, text, size, err);
    if (!status)
        status = toll_input_check(in, err);
    toll_input_free(in);
    return status;
}

bool toll_solana_names_read(toll_solana_names *names, const toll_solana_options *own,
                            const toll_format_options *options, toll_failure *failure)
{
    if (own->idl_count && !own->idls)
        return toll_ok(failure, toll_fail_null(failure->err, "options->idls"));
    for (size_t i = 0; i < own->idl_count; i++)
        if (!own->idls[i].path)
            return toll_ok(failure, toll_fail_null(failure->err, "options->idls[i].path"));
    return (!own->names || toll_ok(failure, read_file(names, own->names, failure->err))) &&
           toll_solana_idls_read(&names->idls, own->idls, own->idl_count, options, failure);
}

const char *toll_solana_name_of(const toll_solana_names *names, const char *id, size_t size)
{
    uint32_t own = toll_strtab_find(&names->strings, id, size);
    for (size_t i = names->count; own != UINT32_MAX && i-- > 0;)
        if (names->rows[i].id == own)
            return toll_strtab_text(&names->strings, names->rows[i].name);
    const char *known = toll_known_program(id, size);
    const toll_solana_idl_program *idl =
        known ? NULL : toll_solana_idl_find(&names->idls, id, size);
    return idl && idl->name ? toll_strtab_text(&names->strings, idl->name) : known;
}

void toll_solana_names_use(toll_solana_names *names, const char *id, size_t size)
{
    toll_solana_idl_program *idl = toll_solana_idl_find(&names->idls, id, size);
    if (idl)
        idl->is_used = true;
}
