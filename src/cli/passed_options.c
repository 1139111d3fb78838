/* passed_options.c - see passed_options.h. */
#include "passed_options.h"

#include "base/array.h"
#include "base/buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void toll_passed_options_init(toll_passed_options *p, const toll_allocator *mem)
{
    *p = (toll_passed_options){ .words = NULL };
    toll_strtab_init(&p->texts, mem);
}

void toll_passed_options_free(toll_passed_options *p)
{
    toll_mem_free(&p->texts.mem, p->words, p->capacity, sizeof *p->words);
    toll_strtab_free(&p->texts);
}

/* Options of both are those of toll run; but not those with a letter: -n, -q, -h. */
static bool is_passed(const toll_option *o, toll_command_id command)
{
    return toll_command_takes(&toll_commands[TOLL_CMD_RUN], o) &&
           toll_command_takes(&toll_commands[command], o) && !o->letter;
}

/* The option's ith value on the command line, as text; NULL: no more. */
static const char *value_text(const toll_option *o, const toll_settings *s, size_t i, char *room,
                              size_t size)
{
    const toll_number *number = (const void *)((const char *)s + o->place);
    if (o->kind != TOLL_NUMBER)
        return toll_option_value(o, s, i);
    if (i > 0 || !number->is_set)
        return NULL;
    snprintf(room, size, "%" PRIu32, number->value);
    return toll_option_may_be_bare(o) && !number->value ? "" : room;
}

static bool add_word(toll_passed_options *p, const char *word)
{
    uint32_t id = toll_strtab_add(&p->texts, word, strlen(word));
    if (id == UINT32_MAX || !toll_array_grow(&p->texts.mem, &p->words, &p->capacity, p->count, 2))
        return false;
    p->words[p->count++] = toll_strtab_text(&p->texts, id);
    p->words[p->count] = NULL;
    return true;
}

static bool add_option(toll_passed_options *p, const toll_option *o, const char *value)
{
    toll_buffer word;
    toll_buffer_init(&word, &p->texts.mem);
    toll_buffer_append_format(&word, *value ? "--%s=%s" : "--%s", o->name, value);
    const char *text = toll_buffer_cstr(&word);
    bool good = text && add_word(p, text);
    toll_buffer_free(&word);
    return good;
}

bool toll_passed_options_make(toll_passed_options *p, toll_command_id command,
                              const toll_settings *s)
{
    static const char *const begin[] = { "/proc/self/exe", "run", "-q", "-o", "{}" };
    char room[24];
    bool good = true;
    for (size_t i = 0; good && i < sizeof begin / sizeof *begin; i++)
        good = add_word(p, begin[i]);
    for (unsigned i = 0; good && i < toll_option_count; i++) {
        const toll_option *o = &toll_options[i];
        const char *value;
        if (!is_passed(o, command))
            continue;
        for (size_t k = 0; good && (value = value_text(o, s, k, room, sizeof room)); k++) {
            p->given = o->name;
            good = add_option(p, o, value);
        }
    }
    return good && add_word(p, "--");
}
