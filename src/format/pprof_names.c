/* pprof_names.c - see pprof_names.h. */
#include "format/pprof_names.h"

#include "base/array.h"
#include "demangle/demangle.h"
#include "demangle/rust_symbol.h"
#include "base/text.h"
#include "format/pprof.h"

#include <inttypes.h>
#include <string.h>

#define SEVERAL UINT32_MAX

bool toll_pprof_names_init(pprof_names *n, pprof_reader *r)
{
    *n = (pprof_names){ .reader = r };
    n->found = toll_mem_new(&r->mem, r->function_count, sizeof *n->found);
    toll_strtab_init(&n->given, &r->mem);
    toll_buffer_init(&n->demangled, &r->mem);
    toll_buffer_init(&n->text, &r->mem);
    return n->found || !r->function_count;
}

void toll_pprof_names_free(pprof_names *n)
{
    toll_strtab_free(&n->given);
    toll_buffer_free(&n->demangled);
    toll_buffer_free(&n->text);
    toll_mem_free(&n->reader->mem, n->found, n->reader->function_count, sizeof *n->found);
    toll_mem_free(&n->reader->mem, n->function, n->capacity, sizeof *n->function);
}

/* Did Toll make `label` from `name` to make it unique: "NAME (where)" or "NAME #2"? */
static bool is_label_of(const char *label, const char *name)
{
    size_t n = strlen(name);
    return n && strncmp(label, name, n) == 0 &&
           (strncmp(label + n, " (", 2) == 0 || strncmp(label + n, " #", 2) == 0);
}

/* The id in reader->text of a string of the file. */
static bool find_string(pprof_reader *r, uint64_t index, uint32_t *id)
{
    const char *ignored;
    if (!toll_pprof_text(r, index, &ignored))
        return false;
    *id = r->strings[index];
    return true;
}

/* Is it a Rust symbol? Tools write these with and without hashes. */
static bool is_rust_symbol(pprof_names *n, const char *symbol)
{
    toll_buffer_clear(&n->demangled);
    return toll_may_be_mangled(symbol) && toll_append_rust_symbol(&n->demangled, symbol);
}

/* Is it the last demangled name with an index after it, as in push#7? WebAssembly functions whose
 * names are equal without their hashes are distinguished that way. */
static bool is_numbered(const pprof_names *n, const char *name)
{
    size_t size = n->demangled.size;
    return strlen(name) > size + 1 && memcmp(name, n->demangled.data, size) == 0 &&
           name[size] == '#' && name[size + 1] >= '0' && name[size + 1] <= '9';
}

/* Choose one of a function's two names: the Rust symbol if it has one, else `name`. If `name` is
 * empty or a label made by Toll, the name before labelling is used. */
static bool choose_name(pprof_names *n, uint32_t *name, uint32_t system_name, const char *file,
                        uint32_t line)
{
    const char *text = toll_strtab_text(&n->reader->text, *name);
    const char *symbol = toll_strtab_text(&n->reader->text, system_name);
    bool is_rust = is_rust_symbol(n, symbol) && !is_numbered(n, text);
    if (n->demangled.failed)
        return toll_no_memory(&n->reader->failure);
    size_t size = strlen(text), name_size = toll_pprof_label_name(text, file, line);
    if (!*text || is_label_of(text, symbol) || is_rust)
        *name = system_name;
    else if (name_size && name_size < size)
        *name = toll_strtab_add(&n->reader->text, text, name_size);
    return *name != UINT32_MAX || toll_no_memory(&n->reader->failure);
}

static bool choose_given(pprof_names *n, const pprof_function *f, int kind, pprof_given *given)
{
    pprof_reader *r = n->reader;
    uint32_t name, system_name, file;
    if (!find_string(r, f->name, &name) || !find_string(r, f->system_name, &system_name) ||
        !find_string(r, f->filename, &file))
        return false;
    if (f->start_line > UINT32_MAX)
        return toll_ok(&r->failure,
                       toll_fail_byte(r->in, f->defined_at, r->failure.err, TOLL_E_SYNTAX,
                                      "a function begins in line %" PRId64 "; the file is damaged",
                                      (int64_t)f->start_line));
    if (!choose_name(n, &name, system_name, toll_strtab_text(&r->text, file),
                     (uint32_t)f->start_line))
        return false;
    *given = (pprof_given){ name, file, (uint32_t)f->start_line, (uint32_t)kind };
    return true;
}

/* Find a function's name in the file, for that kind of location, with its number. NULL: failed. */
static const pprof_found *find_given(pprof_names *n, uint32_t function, int kind)
{
    pprof_reader *r = n->reader;
    pprof_found *found = &n->found[function];
    if (found->id_plus_1 && found->given.kind == (uint32_t)kind)
        return found;
    if (!choose_given(n, &r->functions[function], kind, &found->given))
        return NULL;
    found->id_plus_1 =
        toll_strtab_add(&n->given, (const char *)&found->given, sizeof found->given) + 1;
    if (found->id_plus_1)
        return found;
    toll_no_memory(&r->failure);
    return NULL;
}

bool toll_pprof_names_add(pprof_names *n, uint32_t function, int kind)
{
    pprof_reader *r = n->reader;
    uint32_t before = (uint32_t)n->given.count;
    const pprof_found *found = find_given(n, function, kind);
    if (!found)
        return false;
    uint32_t id = found->id_plus_1 - 1;
    if (!toll_array_grow(&r->mem, &n->function, &n->capacity, id, 1))
        return toll_no_memory(&r->failure);
    if (id >= before)
        n->function[id] = function;
    else if (n->function[id] != function)
        n->function[id] = SEVERAL;
    return true;
}

/* Make NAME#ID; "#ID" is appended again while the file has an equal string. */
static const char *numbered(pprof_names *n, const char *name, uint64_t id)
{
    char digits[20];
    size_t size = toll_text_put_u64(digits, id);
    n->numbered++;
    toll_buffer_clear(&n->text);
    toll_buffer_append_text(&n->text, name);
    do {
        toll_buffer_append_byte(&n->text, '#');
        toll_buffer_append(&n->text, digits, size);
    } while (!n->text.failed && toll_strtab_find(&n->reader->text, (const char *)n->text.data,
                                                 n->text.size) != UINT32_MAX);
    return toll_buffer_cstr(&n->text);
}

bool toll_pprof_names_frame(pprof_names *n, uint32_t function, int kind, toll_frame *frame)
{
    pprof_reader *r = n->reader;
    const pprof_found *found = find_given(n, function, kind);
    if (!found)
        return false;
    pprof_given given = found->given;
    const char *symbol, *plain = toll_strtab_text(&r->text, given.name);
    const char *name = toll_demangled(*plain ? plain : "(unknown)", &n->demangled);
    bool is_symbol = *plain && name != plain;
    if (name && n->function[found->id_plus_1 - 1] == SEVERAL)
        name = numbered(n, name, r->functions[function].id);
    if (!toll_pprof_text(r, r->functions[function].system_name, &symbol))
        return false;
    if (!*symbol && is_symbol)
        symbol = plain;
    *frame = (toll_frame){ .name = name,
                           .file = toll_strtab_text(&r->text, given.file),
                           .line = given.line,
                           .kind = (toll_frame_kind)kind,
                           .system_name = name && strcmp(symbol, name) != 0 ? symbol : "" };
    return name || toll_no_memory(&r->failure);
}
