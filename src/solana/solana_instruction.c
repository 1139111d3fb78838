/* solana_instruction.c - makes the names of instructions, and of the frames that have them. See
 * solana.h. */
#include "solana/solana.h"

#include <string.h>

/* Instructions that every program built with Anchor has: an event that a program sends to itself,
 * and access to the IDL on the chain. */
static const struct {
    uint8_t bytes[8];
    const char *name;
} of_anchor[] = {
    { { 0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d }, "EmitCpi" },
    { { 0x40, 0xf4, 0xbc, 0x78, 0xa7, 0xe9, 0x69, 0x0a }, "Idl" },
};

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

toll_solana_word toll_solana_logged_instruction(const char *text, size_t size)
{
    static const char before[] = "Instruction: ";
    const size_t n = sizeof before - 1;
    toll_solana_word word = { text, 0 };
    if (size < n || memcmp(text, before, n) != 0)
        return word;
    word.text = text + n;
    while (word.size < size - n && word.size < SOLANA_LABEL_CUT && is_word(word.text[word.size]))
        word.size++;
    return word;
}

static toll_solana_word by_data(const toll_solana_names *names, const toll_solana_instruction *i,
                                const char *id, size_t size)
{
    const toll_solana_idl_program *idl = toll_solana_idl_find(&names->idls, id, size);
    toll_solana_word word = { "", 0 };
    if (idl)
        word = toll_solana_idl_instruction(&names->idls, idl, i->data, i->data_size);
    if (!word.size)
        word = toll_native_instruction(id, size, i->data, i->data_size);
    for (size_t k = 0; !word.size && k < sizeof of_anchor / sizeof *of_anchor; k++)
        if (i->data_size >= 8 && memcmp(i->data, of_anchor[k].bytes, 8) == 0)
            word = (toll_solana_word){ of_anchor[k].name, strlen(of_anchor[k].name) };
    return word;
}

/* Append a node's name for an instruction as programs would log it: transferChecked is
 * TransferChecked. */
static bool append_type(toll_buffer *out, const char *id, size_t size, const char *type)
{
    toll_solana_word word = toll_native_instruction_of_type(id, size, type, strlen(type));
    if (word.size)
        return toll_buffer_append(out, word.text, word.size);
    size_t n = 0;
    while (n < SOLANA_LABEL_CUT && is_word(type[n]))
        n++;
    if (n == 0)
        return !out->failed;
    bool is_small = *type >= 'a' && *type <= 'z';
    toll_buffer_append_byte(out, (uint8_t)(is_small ? *type & ~0x20 : *type));
    return toll_buffer_append(out, type + 1, n - 1);
}

bool toll_solana_append_instruction(toll_buffer *out, const toll_solana_names *names,
                                    const toll_solana_message *message,
                                    const toll_solana_instruction *i, const char *id, size_t size)
{
    if (i->type)
        return append_type(out, id, size, toll_solana_message_at(message, i->type));
    toll_solana_word word = by_data(names, i, id, size);
    return toll_buffer_append(out, word.text, word.size);
}

const char *toll_solana_frame_name(toll_buffer *out, const toll_solana_names *names, const char *id,
                                   size_t size, const char *instruction, bool has_failed)
{
    const char *name = toll_solana_name_of(names, id, size);
    toll_buffer_clear(out);
    toll_buffer_append_text(out, name ? name : "program ");
    if (!name)
        toll_buffer_append(out, id, size);
    if (instruction && *instruction)
        toll_buffer_append_format(out, ": %s", instruction);
    if (has_failed)
        toll_buffer_append_text(out, " (failed)");
    return toll_buffer_cstr(out);
}
