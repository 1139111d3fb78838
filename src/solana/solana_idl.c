/* solana_idl.c - see solana_idl.h.
 *
 * Since Anchor 0.30 an IDL has the program's `address`, and for each instruction its
 * `discriminator`. Before, the address, if present, was in `metadata`, and the discriminator is
 * derived from the name: the first 8 bytes of the SHA-256 of `global:` and the name in snake case.
 * Shank's IDLs have a `discriminant` of one byte or more. */
#include "solana/solana_idl.h"

#include "base/array.h"
#include "base/json_read.h"
#include "base/sha256.h"
#include "solana/anchor_case.h"
#include "solana/solana_bytes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4096, HASH_SIZE = 8 }; /* most instructions of an IDL; bytes */

typedef struct idl {
    toll_json j;
    toll_solana_idls *idls;
    toll_buffer name, scratch; /* of the current instruction */
    uint32_t program_name;
    char address[SOLANA_ID_TEXT]; /* "": the IDL has none */
    bool has_instructions;
} idl;

void toll_solana_idls_free(toll_solana_idls *s)
{
    const toll_mem *mem = s->strings ? &s->strings->mem : NULL;
    if (!mem)
        return;
    toll_mem_free(mem, s->programs, s->program_capacity, sizeof *s->programs);
    toll_mem_free(mem, s->rows, s->row_capacity, sizeof *s->rows);
    *s = (toll_solana_idls){ .strings = s->strings };
}

/* --- names -------------------------------------------------------------------------------------*/

static bool hash_name(idl *p, toll_solana_idl_row *row)
{
    uint8_t hash[TOLL_SHA256_SIZE];
    toll_buffer_clear(&p->scratch);
    toll_buffer_append_text(&p->scratch, "global:");
    if (!toll_append_snake(&p->scratch, (const char *)p->name.data, p->name.size))
        return toll_no_memory(p->j.failure);
    toll_sha256(p->scratch.data, p->scratch.size, hash);
    memcpy(row->bytes, hash, HASH_SIZE);
    row->size = HASH_SIZE;
    return true;
}

/* --- instructions ------------------------------------------------------------------------------*/

static bool keep_row(idl *p, toll_solana_idl_row *row)
{
    toll_solana_idls *s = p->idls;
    const toll_solana_idl_program *program = &s->programs[s->program_count - 1];
    if (s->row_count - program->first >= MOST_ROWS)
        return toll_json_fail(&p->j, TOLL_E_LIMIT, "more than 4096 instructions");
    if (!row->size && !hash_name(p, row))
        return false;
    toll_buffer_clear(&p->scratch);
    if (!toll_append_pascal(&p->scratch, (const char *)p->name.data, p->name.size))
        return toll_no_memory(p->j.failure);
    row->name = toll_strtab_add(s->strings, (const char *)p->scratch.data, p->scratch.size);
    if (row->name == UINT32_MAX ||
        !toll_array_grow(&s->strings->mem, &s->rows, &s->row_capacity, s->row_count, 1))
        return toll_no_memory(p->j.failure);
    s->rows[s->row_count++] = *row;
    return true;
}

static bool read_byte(idl *p, toll_solana_idl_row *row)
{
    char *end;
    unsigned long value = strtoul(toll_json_text(&p->j), &end, 10);
    if (*end || value > 255 || row->size == SOLANA_DISCRIMINATOR_SIZE)
        return toll_json_fail(&p->j, TOLL_E_SYNTAX,
                              "a discriminator is an array of at most 16 bytes");
    row->bytes[row->size++] = (uint8_t)value;
    return true;
}

/* Read [1, 2, ...]. */
static bool read_discriminator(idl *p, toll_json_token t, toll_solana_idl_row *row)
{
    row->size = 0;
    if (t != TOLL_JSON_ARRAY)
        return toll_json_skip(&p->j, t);
    while ((t = toll_json_next(&p->j)) == TOLL_JSON_NUMBER)
        if (!read_byte(p, row))
            return false;
    return t == TOLL_JSON_ARRAY_END ||
           toll_json_fail(&p->j, TOLL_E_SYNTAX, "a discriminator is an array of at most 16 bytes");
}

/* Read {"type": "u8", "value": N}, a discriminator of one byte. */
static bool read_discriminant(idl *p, toll_json_token t, toll_solana_idl_row *row)
{
    if (t != TOLL_JSON_OBJECT)
        return toll_json_skip(&p->j, t);
    while ((t = toll_json_next(&p->j)) == TOLL_JSON_KEY) {
        bool is_value = toll_json_is(&p->j, "value");
        t = toll_json_next(&p->j);
        row->size = is_value ? 0 : row->size;
        if (!(is_value && t == TOLL_JSON_NUMBER ? read_byte(p, row) : toll_json_skip(&p->j, t)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

static bool read_name(idl *p, toll_json_token t)
{
    if (t != TOLL_JSON_STRING)
        return toll_json_skip(&p->j, t);
    toll_buffer_clear(&p->name);
    return toll_buffer_append(&p->name, p->j.text.data, p->j.text.size) ||
           toll_no_memory(p->j.failure);
}

static bool read_instruction(void *user)
{
    idl *p = user;
    toll_solana_idl_row row = { .size = 0 };
    toll_json_token t;
    toll_buffer_clear(&p->name);
    while ((t = toll_json_next(&p->j)) == TOLL_JSON_KEY) {
        bool is_name = toll_json_is(&p->j, "name");
        bool is_discriminator = toll_json_is(&p->j, "discriminator");
        bool is_discriminant = toll_json_is(&p->j, "discriminant");
        t = toll_json_next(&p->j);
        if (!(is_name            ? read_name(p, t)
              : is_discriminator ? read_discriminator(p, t, &row)
              : is_discriminant  ? read_discriminant(p, t, &row)
                                 : toll_json_skip(&p->j, t)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END && (p->name.size == 0 || keep_row(p, &row));
}

/* --- the whole ---------------------------------------------------------------------------------*/

static bool read_program_name(idl *p, toll_json_token t)
{
    if (t != TOLL_JSON_STRING)
        return toll_json_skip(&p->j, t);
    p->program_name = toll_strtab_add(p->idls->strings, toll_json_text(&p->j), p->j.text.size);
    return p->program_name != UINT32_MAX || toll_no_memory(p->j.failure);
}

static bool read_address(idl *p, toll_json_token t)
{
    if (t == TOLL_JSON_STRING && toll_base58_is_id(toll_json_text(&p->j), p->j.text.size))
        memcpy(p->address, toll_json_text(&p->j), p->j.text.size + 1);
    return toll_json_skip(&p->j, t);
}

static bool read_metadata(idl *p, toll_json_token t)
{
    if (t != TOLL_JSON_OBJECT)
        return toll_json_skip(&p->j, t);
    while ((t = toll_json_next(&p->j)) == TOLL_JSON_KEY) {
        bool is_address = toll_json_is(&p->j, "address"), is_name = toll_json_is(&p->j, "name");
        t = toll_json_next(&p->j);
        if (!(is_address ? read_address(p, t)
              : is_name  ? read_program_name(p, t)
                         : toll_json_skip(&p->j, t)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

static bool read_instructions(idl *p)
{
    p->has_instructions = true;
    return toll_json_array(&p->j, TOLL_JSON_OBJECT, "an instruction is an object", read_instruction,
                           p);
}

static bool read_document(idl *p)
{
    toll_json_token t;
    if (!toll_json_expect(&p->j, TOLL_JSON_OBJECT, "an IDL is an object"))
        return false;
    while ((t = toll_json_next(&p->j)) == TOLL_JSON_KEY) {
        bool good;
        if (toll_json_is(&p->j, "instructions"))
            good = read_instructions(p);
        else if (toll_json_is(&p->j, "address"))
            good = read_address(p, toll_json_next(&p->j));
        else if (toll_json_is(&p->j, "name"))
            good = read_program_name(p, toll_json_next(&p->j));
        else if (toll_json_is(&p->j, "metadata"))
            good = read_metadata(p, toll_json_next(&p->j));
        else
            good = toll_json_skip_next(&p->j);
        if (!good)
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

static bool check(idl *p, const char *id, const toll_format_options *options)
{
    toll_failure *f = p->j.failure;
    const char *name = toll_input_name(p->j.in);
    if (!p->has_instructions)
        return toll_ok(f,
                       toll_fail(f->err, TOLL_E_SYNTAX,
                                 "%s: has no \"instructions\"; is this the IDL that anchor build "
                                 "writes (target/idl/NAME.json)?",
                                 name));
    if (!id && !*p->address)
        return toll_ok(f, toll_fail(f->err, TOLL_E_SYNTAX,
                                    "%s: does not say of which program it is; say --idl ID=%s",
                                    name, name));
    if (id && *p->address && strcmp(id, p->address) != 0)
        toll_format_warn(options, "%s: says that it is the IDL of %s; it is used for %s", name,
                         p->address, id);
    return true;
}

/* Complete the program that was begun for the IDL. */
static bool finish(idl *p, const char *id)
{
    toll_solana_idls *s = p->idls;
    toll_solana_idl_program *program = &s->programs[s->program_count - 1];
    const char *own = id ? id : p->address;
    program->id = toll_strtab_add(s->strings, own, strlen(own));
    program->name = p->program_name;
    program->count = s->row_count - program->first;
    return program->id != UINT32_MAX || toll_no_memory(p->j.failure);
}

bool toll_solana_idl_read(toll_solana_idls *s, toll_input *in, const char *id, const char *path,
                          const toll_format_options *options, toll_failure *failure)
{
    idl p = { .idls = s };
    const toll_mem *mem = &s->strings->mem;
    if (!toll_array_grow(mem, &s->programs, &s->program_capacity, s->program_count, 1))
        return toll_no_memory(failure);
    s->programs[s->program_count++] =
        (toll_solana_idl_program){ .path = path, .first = s->row_count };
    toll_buffer_init(&p.name, mem);
    toll_buffer_init(&p.scratch, mem);
    toll_json_begin(&p.j, in, failure);
    bool good = read_document(&p) && toll_ok(failure, toll_input_check(in, failure->err)) &&
                check(&p, id, options) && finish(&p, id);
    if (!good) {
        s->row_count = s->programs[s->program_count - 1].first;
        s->program_count--;
    }
    toll_json_free(&p.j);
    toll_buffer_free(&p.name);
    toll_buffer_free(&p.scratch);
    return good;
}

/* --- lookups -----------------------------------------------------------------------------------*/

toll_solana_idl_program *toll_solana_idl_find(const toll_solana_idls *s, const char *id,
                                              size_t size)
{
    uint32_t own = s->program_count ? toll_strtab_find(s->strings, id, size) : UINT32_MAX;
    for (size_t i = s->program_count; own != UINT32_MAX && i-- > 0;)
        if (s->programs[i].id == own)
            return &s->programs[i];
    return NULL;
}

toll_solana_word toll_solana_idl_instruction(const toll_solana_idls *s,
                                             const toll_solana_idl_program *program,
                                             const uint8_t *data, size_t size)
{
    const toll_solana_idl_row *best = NULL;
    for (size_t i = program->first; i < program->first + program->count; i++) {
        const toll_solana_idl_row *row = &s->rows[i];
        if (row->size <= size && (!best || row->size > best->size) &&
            memcmp(row->bytes, data, row->size) == 0)
            best = row;
    }
    if (!best)
        return (toll_solana_word){ "", 0 };
    return (toll_solana_word){ toll_strtab_text(s->strings, best->name),
                               toll_strtab_size(s->strings, best->name) };
}
