/* solana_json_message.c - reads the parts of a transaction from JSON. See solana_json.h.
 *
 * All encodings of an RPC node are read: json (programs by number, data in base58), jsonParsed
 * (programs by address; instructions of known programs as {"parsed": {"type": ...}}), base58 and
 * base64 (the bytes of the transaction; inner instructions are as in json). Other forms are
 * skipped: then instructions have no name. */
#include "solana/solana_bytes.h"
#include "solana/solana_json.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TRANSACTION = 64 * 1024 }; /* characters of an encoded transaction */

/* Is `t` of that kind? If not, skip its value. */
static bool is_kind(toll_json *j, toll_json_token t, toll_json_token kind, bool *good)
{
    *good = t == kind || toll_json_skip(j, t);
    return t == kind;
}

static bool keep_text(toll_json *j, toll_solana_message *m, uint32_t *place)
{
    return toll_solana_message_text(m, toll_json_text(j), j->text.size, place) ||
           toll_no_memory(j->failure);
}

/* --- instructions ------------------------------------------------------------------------------*/

static uint32_t read_number(const toll_json *j)
{
    unsigned long long value = strtoull(toll_json_text(j), NULL, 10);
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX - 1;
}

static bool read_data(toll_json *j, toll_solana_message *m, toll_solana_instruction *i)
{
    toll_buffer bytes;
    toll_buffer_init(&bytes, &m->mem);
    if (toll_base58_decode(toll_json_text(j), j->text.size, &bytes)) {
        i->data_size = (uint8_t)(bytes.size < SOLANA_DATA_HEAD ? bytes.size : SOLANA_DATA_HEAD);
        if (i->data_size)
            memcpy(i->data, bytes.data, i->data_size);
    }
    bool good = !bytes.failed || toll_no_memory(j->failure);
    toll_buffer_free(&bytes);
    return good;
}

/* Read {"type": NAME, "info": ...}, or the text of a memo. */
static bool read_parsed(toll_json *j, toll_json_token t, toll_solana_message *m,
                        toll_solana_instruction *i)
{
    static const char memo[] = "addMemo";
    bool good;
    if (t == TOLL_JSON_STRING)
        return toll_solana_message_text(m, memo, strlen(memo), &i->type) ||
               toll_no_memory(j->failure);
    if (!is_kind(j, t, TOLL_JSON_OBJECT, &good))
        return good;
    while ((t = toll_json_next(j)) == TOLL_JSON_KEY) {
        bool is_type = toll_json_is(j, "type");
        t = toll_json_next(j);
        if (!(is_type && t == TOLL_JSON_STRING ? keep_text(j, m, &i->type) : toll_json_skip(j, t)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

/* Read the value of an instruction's member. */
static bool read_member(toll_json *j, toll_solana_message *m, toll_solana_instruction *i)
{
    static const char *const keys[] = { "programIdIndex", "stackHeight", "programId", "data",
                                        "parsed" };
    size_t key = 0;
    while (key < sizeof keys / sizeof *keys && !toll_json_is(j, keys[key]))
        key++;
    toll_json_token t = toll_json_next(j);
    if (key == 0 && t == TOLL_JSON_NUMBER)
        i->key = read_number(j);
    else if (key == 1 && t == TOLL_JSON_NUMBER)
        i->height = read_number(j);
    else if (key == 2 && t == TOLL_JSON_STRING)
        return keep_text(j, m, &i->id);
    else if (key == 3 && t == TOLL_JSON_STRING)
        return read_data(j, m, i);
    else if (key == 4)
        return read_parsed(j, t, m, i);
    else
        return toll_json_skip(j, t);
    return true;
}

/* Read an instruction whose '{' is already read. `like` has defaults for missing members. */
static bool read_instruction(toll_json *j, toll_solana_message *m, toll_solana_instructions *list,
                             const toll_solana_instruction *like)
{
    toll_solana_instruction i = *like;
    toll_json_token t;
    while ((t = toll_json_next(j)) == TOLL_JSON_KEY)
        if (!read_member(j, m, &i))
            return false;
    return t == TOLL_JSON_OBJECT_END &&
           (toll_solana_message_add(m, list, &i) || toll_no_memory(j->failure));
}

static bool read_instructions(toll_json *j, toll_json_token t, toll_solana_message *m,
                              bool are_inner, uint32_t outer)
{
    bool good;
    if (!is_kind(j, t, TOLL_JSON_ARRAY, &good))
        return good;
    while ((t = toll_json_next(j)) != TOLL_JSON_ARRAY_END) {
        const toll_solana_instruction like = { .outer = outer, .key = UINT32_MAX };
        if (!is_kind(j, t, TOLL_JSON_OBJECT, &good)) {
            if (!good)
                return false;
        } else if (!read_instruction(j, m, are_inner ? &m->inner : &m->outer, &like)) {
            return false;
        }
        outer += !are_inner;
    }
    return true;
}

bool toll_solana_read_outer(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    m->outer.count = 0;
    if (!read_instructions(j, t, m, false, 0))
        return false;
    for (size_t i = 0; i < m->outer.count; i++)
        m->outer.list[i].height = 1;
    return true;
}

/* Read {"index": N, "instructions": [...]}; the index may come last. */
static bool read_group(toll_json *j, toll_solana_message *m)
{
    size_t first = m->inner.count;
    uint32_t index = 0;
    toll_json_token t;
    while ((t = toll_json_next(j)) == TOLL_JSON_KEY) {
        bool is_index = toll_json_is(j, "index"), is_list = toll_json_is(j, "instructions");
        t = toll_json_next(j);
        if (is_index && t == TOLL_JSON_NUMBER)
            index = read_number(j);
        else if (!(is_list ? read_instructions(j, t, m, true, 0) : toll_json_skip(j, t)))
            return false;
    }
    for (size_t i = first; i < m->inner.count; i++)
        m->inner.list[i].outer = index;
    return t == TOLL_JSON_OBJECT_END;
}

bool toll_solana_read_inner(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    bool good;
    m->inner.count = 0;
    if (!is_kind(j, t, TOLL_JSON_ARRAY, &good))
        return good;
    while ((t = toll_json_next(j)) != TOLL_JSON_ARRAY_END)
        if (is_kind(j, t, TOLL_JSON_OBJECT, &good) ? !read_group(j, m) : !good)
            return false;
    return true;
}

/* --- addresses ---------------------------------------------------------------------------------*/

static bool read_key(toll_json *j, toll_solana_message *m, toll_solana_keys *keys)
{
    return toll_solana_message_key(m, keys, toll_json_text(j), j->text.size) ||
           toll_no_memory(j->failure);
}

/* Read {"pubkey": ADDRESS, ...}; its '{' is already read. */
static bool read_account(toll_json *j, toll_solana_message *m, toll_solana_keys *keys)
{
    toll_json_token t;
    while ((t = toll_json_next(j)) == TOLL_JSON_KEY) {
        bool is_key = toll_json_is(j, "pubkey");
        t = toll_json_next(j);
        if (!(is_key && t == TOLL_JSON_STRING ? read_key(j, m, keys) : toll_json_skip(j, t)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

static bool read_keys(toll_json *j, toll_json_token t, toll_solana_message *m,
                      toll_solana_keys *keys)
{
    bool good;
    keys->count = 0;
    if (!is_kind(j, t, TOLL_JSON_ARRAY, &good))
        return good;
    while ((t = toll_json_next(j)) != TOLL_JSON_ARRAY_END)
        if (!(t == TOLL_JSON_STRING   ? read_key(j, m, keys)
              : t == TOLL_JSON_OBJECT ? read_account(j, m, keys)
                                      : toll_json_skip(j, t)))
            return false;
    return true;
}

bool toll_solana_read_keys(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    return read_keys(j, t, m, &m->keys);
}

bool toll_solana_read_loaded(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    bool good;
    if (!is_kind(j, t, TOLL_JSON_OBJECT, &good))
        return good;
    while ((t = toll_json_next(j)) == TOLL_JSON_KEY) {
        bool is_writable = toll_json_is(j, "writable"), is_readonly = toll_json_is(j, "readonly");
        t = toll_json_next(j);
        if (!(is_writable   ? read_keys(j, t, m, &m->writable)
              : is_readonly ? read_keys(j, t, m, &m->readonly)
                            : toll_json_skip(j, t)))
            return false;
    }
    return t == TOLL_JSON_OBJECT_END;
}

/* --- names -------------------------------------------------------------------------------------*/

bool toll_solana_read_name(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    bool good;
    return is_kind(j, t, TOLL_JSON_STRING, &good) ? keep_text(j, m, &m->name) : good;
}

bool toll_solana_read_signatures(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    bool good;
    if (!is_kind(j, t, TOLL_JSON_ARRAY, &good))
        return good;
    while ((t = toll_json_next(j)) != TOLL_JSON_ARRAY_END)
        if (!(t == TOLL_JSON_STRING && !m->name ? keep_text(j, m, &m->name) : toll_json_skip(j, t)))
            return false;
    return true;
}

/* --- the bytes of a transaction ----------------------------------------------------------------*/

/* Decode the transaction in the last string, from base64 or base58. */
static bool read_bytes(toll_json *j, toll_solana_message *m, bool is_base64,
                       const toll_buffer *text)
{
    toll_buffer bytes;
    const char *characters = (const char *)text->data;
    toll_buffer_init(&bytes, &m->mem);
    bool is_read = text->size <= MOST_TRANSACTION &&
                   (is_base64 ? toll_base64_decode(characters, text->size, &bytes)
                              : toll_base58_decode(characters, text->size, &bytes));
    bool good = !bytes.failed &&
                (!is_read || m->outer.count || toll_solana_message_read(m, bytes.data, bytes.size));
    toll_buffer_free(&bytes);
    return good || toll_no_memory(j->failure);
}

bool toll_solana_read_transaction(toll_json *j, toll_json_token t, toll_solana_message *m)
{
    toll_buffer text;
    bool is_base64 = false, good;
    if (t == TOLL_JSON_STRING)
        return read_bytes(j, m, false, &j->text) && read_bytes(j, m, true, &j->text);
    if (!is_kind(j, t, TOLL_JSON_ARRAY, &good))
        return good;
    toll_buffer_init(&text, &m->mem);
    for (unsigned i = 0; good && (t = toll_json_next(j)) != TOLL_JSON_ARRAY_END; i++) {
        if (i == 0 && t == TOLL_JSON_STRING)
            good =
                toll_buffer_append(&text, j->text.data, j->text.size) || toll_no_memory(j->failure);
        else if (i == 1 && t == TOLL_JSON_STRING)
            is_base64 = toll_json_is(j, "base64");
        else
            good = toll_json_skip(j, t);
    }
    good = good && read_bytes(j, m, is_base64, &text);
    toll_buffer_free(&text);
    return good;
}
