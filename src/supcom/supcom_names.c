/* supcom_names.c - makes the names of frames: `PATH:LINEDEFINED(NAME)`, and `...->LINE` for the
 * line from which a function calls. See supcom.h.
 *
 * A game's sources begin with the folder in which it is installed: C:\Games\Forged
 * Alliance\LOUD\gamedata\lua\... The part that all of them share, up to the folder above
 * `gamedata`, is omitted: /LOUD/gamedata/lua/... */
#include "base/text.h"
#include "supcom/supcom.h"

#include <string.h>

enum { LONGEST_TEXT = 48 }; /* bytes shown of a source that is not a path but the loaded text */

static bool is_separator(char c)
{
    return c == '\\' || c == '/';
}

/* --- where the game is installed ---------------------------------------------------------------*/

static bool is_gamedata(const char *text, size_t size)
{
    static const char word[] = "gamedata";
    if (size < sizeof word || !is_separator(text[sizeof word - 1]))
        return false;
    for (size_t i = 0; i < sizeof word - 1; i++)
        if ((text[i] | 0x20) != word[i])
            return false;
    return true;
}

/* How many bytes of a path come before the folder above gamedata; 0: it has no such folder. */
static size_t install_size(const char *path, size_t size)
{
    size_t above = 0;
    for (size_t i = 0; i < size; i++) {
        if (!is_separator(path[i]))
            continue;
        if (is_gamedata(path + i + 1, size - i - 1))
            return above;
        above = i;
    }
    return 0;
}

/* The size of the leading folders that both paths share. */
static size_t shared_size(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t n = 0, shared = 0;
    while (n < a_size && n < b_size && a[n] == b[n]) {
        if (is_separator(a[n]))
            shared = n;
        n++;
    }
    bool a_ends = n == a_size || is_separator(a[n]), b_ends = n == b_size || is_separator(b[n]);
    return a_ends && b_ends ? n : shared;
}

static void find_install(toll_supcom_names *names)
{
    const toll_strtab *functions = &names->tree->functions;
    for (uint32_t id = 1; id < functions->count; id++) {
        const char *text = toll_strtab_text(functions, id);
        if (*text != '@')
            continue;
        size_t size = install_size(text + 1, toll_strtab_size(functions, id) - 1);
        if (size && names->install)
            names->install_size = shared_size(names->install, names->install_size, text + 1, size);
        else if (size) {
            names->install = text + 1;
            names->install_size = size;
        }
    }
}

void toll_supcom_names_init(toll_supcom_names *names, const toll_supcom_tree *tree)
{
    *names = (toll_supcom_names){ .tree = tree };
    toll_buffer_init(&names->name, &tree->mem);
    toll_buffer_init(&names->file, &tree->mem);
    find_install(names);
}

void toll_supcom_names_free(toll_supcom_names *names)
{
    toll_buffer_free(&names->name);
    toll_buffer_free(&names->file);
}

/* --- names -------------------------------------------------------------------------------------*/

static void append_path(toll_supcom_names *names, const char *path, size_t size)
{
    size_t n = names->install_size;
    if (n && size > n && memcmp(path, names->install, n) == 0 && is_separator(path[n])) {
        path += n;
        size -= n;
    }
    size_t at = names->file.size;
    toll_text_append_clean(&names->file, path, size);
    for (; at < names->file.size; at++)
        if (names->file.data[at] == '\\')
            names->file.data[at] = '/';
    toll_buffer_append(&names->name, names->file.data, names->file.size);
}

/* The source of a chunk without a name is its whole text. As Lua does, only its beginning is
 * printed. */
static void append_text(toll_buffer *name, const char *text, size_t size)
{
    size_t n = size < LONGEST_TEXT ? size : LONGEST_TEXT;
    while (n > 0 && n < size && ((uint8_t)text[n] & 0xc0) == 0x80)
        n--; /* do not cut a character */
    toll_buffer_append_text(name, "[string \"");
    toll_text_append_clean(name, text, n);
    toll_buffer_append_text(name, n < size ? "...\"]" : "\"]");
}

static void append_number(toll_buffer *name, const char *before, int64_t number)
{
    char digits[24];
    toll_buffer_append_text(name, before);
    toll_buffer_append(name, digits, toll_text_put_i64(digits, number));
}

static bool is_told(const char *text, size_t size)
{
    return size > 1 || (size == 1 && *text != '?');
}

static void name_native(toll_buffer *name, const toll_supcom_frame *f)
{
    if (is_told(f->name, f->name_size))
        toll_text_append_clean(name, f->name, f->name_size);
    else
        toll_buffer_append_text(name, "[C]");
}

static void name_function(toll_supcom_names *names, const toll_supcom_frame *f)
{
    toll_buffer *name = &names->name;
    if (f->source_size && *f->source == '@')
        append_path(names, f->source + 1, f->source_size - 1);
    else if (f->source_size && *f->source == '=')
        toll_text_append_clean(name, f->source + 1, f->source_size - 1);
    else if (is_told(f->source, f->source_size))
        append_text(name, f->source, f->source_size);
    if (name->size == 0)
        toll_buffer_append_text(name, "?");
    if (f->defined != SUPCOM_NO_LINE)
        append_number(name, ":", f->defined);
    if (is_told(f->name, f->name_size)) {
        toll_buffer_append_text(name, "(");
        toll_text_append_clean(name, f->name, f->name_size);
        toll_buffer_append_text(name, ")");
    }
}

static bool is_native(const toll_supcom_frame *f)
{
    return f->source_size == 4 && memcmp(f->source, "=[C]", 4) == 0;
}

bool toll_supcom_frame_named(toll_supcom_names *names, uint32_t frame, toll_frame *out)
{
    const toll_supcom_tree *tree = names->tree;
    const toll_supcom_call *call =
        frame & SUPCOM_IS_CALL ? &tree->calls[frame & ~SUPCOM_IS_CALL] : NULL;
    uint32_t function = call ? call->function : frame;
    toll_supcom_frame f;
    toll_buffer_clear(&names->name);
    toll_buffer_clear(&names->file);
    toll_supcom_function_of(toll_strtab_text(&tree->functions, function),
                            toll_strtab_size(&tree->functions, function), &f);
    if (is_native(&f))
        name_native(&names->name, &f);
    else
        name_function(names, &f);
    int64_t line = call ? call->line : f.defined;
    if (call)
        append_number(&names->name, "->", line);
    *out = (toll_frame){ .name = toll_buffer_cstr(&names->name),
                         .file = toll_buffer_cstr(&names->file),
                         .line = (uint32_t)(line == SUPCOM_NO_LINE ? 0
                                            : line < 0             ? -line
                                                                   : line),
                         .kind = is_native(&f) ? TOLL_KIND_NATIVE : TOLL_KIND_FUNCTION };
    return out->name && out->file;
}
