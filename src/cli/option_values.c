/* option_values.c - a function for each kind of option, which stores the option's argument in the
 * settings. See options.h. */
#include "base/array.h"
#include "base/nearest.h"
#include "complain.h"
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `place` is the member of toll_settings that the row names. */

static int set_flag(const toll_option *o, char *argument, void *place)
{
    (void)argument;
    *(int *)place = o->kind == TOLL_FLAG;
    return -1;
}

static int set_text(const toll_option *o, char *argument, void *place)
{
    (void)o;
    *(const char **)place = argument;
    return -1;
}

/* --- formats -----------------------------------------------------------------------------------*/

static const char *format_name_at(const void *unused, unsigned i)
{
    (void)unused;
    return toll_format_at(i)->name;
}

static int unknown_format(const char *option, const char *name)
{
    char names[200] = "";
    size_t used = 0;
    unsigned count = 0;
    for (; toll_format_at(count); count++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 toll_format_at(count)->name);
    const char *near = toll_nearest(name, format_name_at, NULL, count);
    if (near)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: no format is called '%s'; did you mean %s?",
                             option, name, near);
    return toll_complain(TOLL_EXIT_USAGE, "--%s: no format is called '%s'; there are %s", option,
                         name, names);
}

static int set_format(const toll_option *o, char *argument, void *place)
{
    bool is_to_read = o->kind == TOLL_READ_FORMAT;
    const toll_format *format = toll_format_named(argument);
    if (!format)
        return unknown_format(o->name, argument);
    if (!(is_to_read ? format->reads : format->writes))
        return toll_complain(TOLL_EXIT_USAGE, "--%s: %s files can only be %s", o->name, argument,
                             is_to_read ? "written" : "read");
    return set_text(o, argument, place);
}

/* --- words and numbers -------------------------------------------------------------------------*/

static int set_word(const toll_option *o, char *argument, void *place)
{
    size_t n = strlen(argument);
    toll_word word = { argument, 0 };
    for (const char *words = o->words; *words; word.place++) {
        size_t m = strcspn(words, " ");
        if (n == m && strncmp(argument, words, n) == 0) {
            *(toll_word *)place = word;
            return -1;
        }
        words += m + (words[m] == ' ');
    }
    return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not one of: %s", o->name, argument,
                         o->words);
}

/* Parse decimal digits at the start of `text`; *end is what follows them. */
static bool parse_digits(const char *text, uint64_t *out, char **end)
{
    errno = 0;
    *out = strtoull(text, end, 10);
    return !errno && *end != text && *text != '-' && *text != '+' && *text != ' ';
}

static int set_number(const toll_option *o, char *argument, void *place)
{
    char *end;
    uint64_t value = 0;
    if (!argument) {
        *(toll_number *)place = (toll_number){ 0, true };
        return -1;
    }
    if (toll_option_may_be_bare(o) && strcmp(argument, "0") == 0)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: '0' is not a number from 1 to 4294967295",
                             o->name);
    if (!parse_digits(argument, &value, &end) || *end || value > UINT32_MAX)
        return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not a number from 0 to 4294967295",
                             o->name, argument);
    *(toll_number *)place = (toll_number){ (uint32_t)value, true };
    return -1;
}

/* Parse 512M, 2G, 2GiB, 1000000. */
static bool parse_size(const char *text, uint64_t *out)
{
    static const char letters[] = "kmgt";
    char *end;
    unsigned shift = 0;
    if (!parse_digits(text, out, &end))
        return false;
    if (*end) {
        const char *letter = strchr(letters, *end | 0x20);
        if (!letter)
            return false;
        shift = 10 * (unsigned)(letter - letters + 1);
        end++;
    }
    if (*end && strcmp(end, "B") != 0 && strcmp(end, "iB") != 0)
        return false;
    if (*out > SIZE_MAX >> shift)
        return false;
    *out <<= shift;
    return true;
}

static int set_size(const toll_option *o, char *argument, void *place)
{
    if (!parse_size(argument, place))
        return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not a size such as 512M or 2G",
                             o->name, argument);
    return -1;
}

/* Parse 0.1%, 0.001. */
static bool parse_share(const char *text, double *out)
{
    char *end;
    if (*text != '.' && (*text < '0' || *text > '9'))
        return false;
    *out = strtod(text, &end);
    if (strcmp(end, "%") == 0)
        *out /= 100;
    else if (*end)
        return false;
    return *out >= 0 && *out < 1;
}

static int set_share(const toll_option *o, char *argument, void *place)
{
    toll_share share = { .is_set = true };
    if (!parse_share(argument, &share.value))
        return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not a share such as 0.1%% or 0.001",
                             o->name, argument);
    *(toll_share *)place = share;
    return -1;
}

/* --- options that may be repeated --------------------------------------------------------------*/

static int add_text(const toll_option *o, char *argument, void *place)
{
    toll_allocator mem = toll_c_allocator();
    toll_texts *list = place;
    (void)o;
    if (!toll_array_grow(&mem, &list->items, &list->capacity, list->count, 1))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    list->items[list->count++] = argument;
    return -1;
}

/* Add "KEY=VALUE" as a line to a text. */
static int add_label(const toll_option *o, char *argument, void *place)
{
    const char *equals = strchr(argument, '='), *before = *(const char **)place;
    size_t size = strlen(argument), used = before ? strlen(before) : 0;
    if (!equals || equals == argument || !equals[1] || strchr(argument, '\n'))
        return toll_complain(TOLL_EXIT_USAGE, "--%s: '%s' is not KEY=VALUE, such as commit=3f2a",
                             o->name, argument);
    char *text = malloc(used + size + 2);
    if (!text)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    if (used)
        memcpy(text, before, used);
    memcpy(text + used, argument, size);
    memcpy(text + used + size, "\n", 2);
    free((void *)(uintptr_t)before);
    *(const char **)place = text;
    return -1;
}

static int keep_program_file(void *place, const char *id, const char *path)
{
    toll_allocator mem = toll_c_allocator();
    toll_program_files *list = place;
    if (!toll_array_grow(&mem, &list->items, &list->capacity, list->count, 1))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    list->items[list->count++] = (toll_program_file){ id, path };
    return -1;
}

/* Parse ID=FILE, or FILE, whose name may contain a '=', too: an ID is 32 to 44 letters and digits
 * before it. The '=' is overwritten by a NUL: a program may change its command line. */
static int add_program_file(const toll_option *o, char *argument, void *place)
{
    char *equals = strchr(argument, '=');
    size_t n = 0;
    while (isalnum((unsigned char)argument[n]))
        n++;
    (void)o;
    if (!equals || argument + n != equals || n < 32 || n > 44 || !equals[1])
        return keep_program_file(place, NULL, argument);
    *equals = 0;
    return keep_program_file(place, argument, equals + 1);
}

void toll_settings_free(toll_settings *s)
{
    toll_allocator mem = toll_c_allocator();
    toll_mem_free(&mem, s->dirs.items, s->dirs.capacity, sizeof *s->dirs.items);
    toll_mem_free(&mem, s->envs.items, s->envs.capacity, sizeof *s->envs.items);
    toll_mem_free(&mem, s->source_dirs.items, s->source_dirs.capacity,
                  sizeof *s->source_dirs.items);
    toll_mem_free(&mem, s->prefix_maps.items, s->prefix_maps.capacity,
                  sizeof *s->prefix_maps.items);
    toll_mem_free(&mem, s->shows.items, s->shows.capacity, sizeof *s->shows.items);
    toll_mem_free(&mem, s->debugs.items, s->debugs.capacity, sizeof *s->debugs.items);
    toll_mem_free(&mem, s->fail_over.items, s->fail_over.capacity, sizeof *s->fail_over.items);
    toll_mem_free(&mem, s->elfs.items, s->elfs.capacity, sizeof *s->elfs.items);
    toll_mem_free(&mem, s->idls.items, s->idls.capacity, sizeof *s->idls.items);
    free((void *)(uintptr_t)s->format.labels);
    free((void *)(uintptr_t)s->filter.where);
}

/* --- by kind -----------------------------------------------------------------------------------*/

static int (*const set_functions[])(const toll_option *o, char *argument, void *place) = {
    [TOLL_FLAG] = set_flag,           [TOLL_UNFLAG] = set_flag,
    [TOLL_TEXT] = set_text,           [TOLL_READ_FORMAT] = set_format,
    [TOLL_WRITE_FORMAT] = set_format, [TOLL_WORD] = set_word,
    [TOLL_NUMBER] = set_number,       [TOLL_SIZE] = set_size,
    [TOLL_SHARE] = set_share,         [TOLL_LIST] = add_text,
    [TOLL_LABELS] = add_label,        [TOLL_PROGRAM_FILE] = add_program_file,
};

int toll_option_set(const toll_option *o, char *argument, toll_settings *s)
{
    return set_functions[o->kind](o, argument, (char *)s + o->place);
}

const char *toll_option_value(const toll_option *o, const toll_settings *s, size_t i)
{
    const void *place = (const char *)s + o->place;
    const toll_texts *list = place;
    const toll_program_files *programs = place;
    switch (o->kind) {
    case TOLL_FLAG: return i == 0 && *(const int *)place ? "" : NULL;
    case TOLL_TEXT: return i == 0 ? *(const char *const *)place : NULL;
    case TOLL_WORD: return i == 0 ? ((const toll_word *)place)->text : NULL;
    case TOLL_LIST: return i < list->count ? list->items[i] : NULL;
    case TOLL_PROGRAM_FILE: return i < programs->count ? programs->items[i].path : NULL;
    default: return NULL;
    }
}
