/* debug_open.c - opens the files with a program's debug information. See toll/debug.h. */
#include "base/array.h"
#include "base/fail.h"
#include "base/os.h"
#include "debug/code_file.h"
#include "debug/debug_beside.h"
#include "debug/debug_data.h"
#include "debug/dwarf_read.h"
#include "debug/source_map.h"

#include <inttypes.h>
#include <string.h>

static bool remark(toll_debug *d, const char *first, const char *second, const char *third)
{
    toll_buffer_clear(&d->remark);
    toll_buffer_append_text(&d->remark, (const char *)d->path.data);
    toll_buffer_append_text(&d->remark, ": ");
    toll_buffer_append_text(&d->remark, first);
    toll_buffer_append_text(&d->remark, second);
    toll_buffer_append_text(&d->remark, third);
    return toll_buffer_cstr(&d->remark) != NULL;
}

/* --- files beside it ---------------------------------------------------------------------------*/

/* Check that the separate file with debug information has the same code as `f`, or the same build
 * id. A file with neither cannot be checked. */
static toll_status check_build(toll_code_file *f, toll_code_file *other, toll_error *err)
{
    const char *own = toll_buffer_cstr(&f->build_id), *its = toll_buffer_cstr(&other->build_id);
    if (!own || !its)
        return toll_fail_nomem(err);
    if (!*own || !*its || strcmp(own, its) == 0)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "%s: is of build %s, and the debug information of %s of build %s; use the two "
                     "files of one build",
                     f->path, own, other->path, its);
}

/* --- sources of lines --------------------------------------------------------------------------*/

static bool append_lost(toll_buffer *text, const toll_dwarf_result *result, toll_split_loss loss,
                        const char *what)
{
    const toll_split_lost *lost = &result->lost[loss];
    return lost->count == 0 ||
           toll_buffer_append_format(text, "%s%" PRIu32 " of %" PRIu32 " .dwo files %s: %s%s",
                                     text->size ? "; " : "", lost->count, result->split_units, what,
                                     lost->files, lost->is_cut ? ", ..." : "");
}

/* Add a remark on the functions that are unknown because they are in files of split DWARF. */
static bool remark_split(toll_debug *d, const toll_dwarf_result *result, bool alone)
{
    toll_buffer text;
    if (result->split_units == 0)
        return true;
    if (alone)
        return remark(d, "its DWARF is split", "",
                      ": lines are there, inlined functions are in .dwo files, which are not read");
    toll_buffer_init(&text, &d->mem);
    append_lost(&text, result, TOLL_SPLIT_MISSING, "not found beside it");
    append_lost(&text, result, TOLL_SPLIT_OTHER, "of another build");
    append_lost(&text, result, TOLL_SPLIT_DAMAGED, "damaged");
    const char *lost = toll_buffer_cstr(&text);
    bool good = lost && (!*lost || remark(d, lost, "",
                                          "; of these, lines are known, functions and inlined "
                                          "calls are not"));
    toll_buffer_free(&text);
    return good;
}

/* Read the DWARF of `f`. `split` is the source of other files; NULL: none are read. */
static toll_status read_dwarf(toll_debug *d, toll_code_file *f, const toll_split_source *split,
                              toll_error *err)
{
    toll_dwarf_result result;
    toll_status status = toll_dwarf_read(f, d->parts, split, &d->map, &result, err);
    bool good = true;
    if (status)
        return status;
    d->has_functions = d->map.function_count > 0;
    if (result.damage[0])
        good = remark(d, "its debug information is damaged: ", result.damage,
                      "; there are names alone");
    else if (d->parts == TOLL_DWARF_ALL && !d->map.any_line)
        good = remark(d, "its DWARF has no lines", "",
                      "; compile with -g and -c, and link without -O, which runs wasm-opt");
    else
        good = remark_split(d, &result, !split);
    return good ? TOLL_OK : toll_fail_nomem(err);
}

/* Is it a pipe or a device? Opening one may block, and reading it may never end. */
static bool is_special(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info) && info.kind != TOLL_OS_REGULAR;
}

/* Read the separate file with debug information that `f` names. Only its DWARF is used. */
static toll_status read_external(toll_debug *d, toll_code_file *f, const char *path,
                                 toll_error *err)
{
    toll_code_file other;
    toll_address_map bodies;
    toll_input *in;
    toll_split_source split = toll_debug_split_beside(path);
    if (is_special(path) || toll_input_open(&d->mem, path, &in, err))
        return remark(d, "its debug information is in ", path,
                      ", which cannot be opened: there are names alone")
                   ? TOLL_OK
                   : toll_fail_nomem(err);
    toll_code_file_init(&other, &d->mem, path);
    toll_address_map_init(&bodies, &d->mem);
    toll_status status = toll_code_file_read(&other, in, &bodies, err);
    toll_input_free(in);
    if (!status)
        status = check_build(f, &other, err);
    if (!status)
        status = read_dwarf(d, &other, &split, err);
    toll_address_map_free(&bodies);
    toll_code_file_free(&other);
    return status;
}

static toll_status read_map(toll_debug *d, const toll_code_file *f, const char *path,
                            toll_error *err)
{
    toll_input *in;
    if (is_special(path) || toll_input_open(&d->mem, path, &in, err))
        return remark(d, "its source map ", path, " cannot be opened: there are names alone")
                   ? TOLL_OK
                   : toll_fail_nomem(err);
    toll_error why = { TOLL_OK, "" };
    toll_status status = toll_source_map_read(in, f->code_offset, &d->map, &d->texts, &why);
    toll_input_free(in);
    if (status == TOLL_E_NOMEM ||
        !remark(d, status ? "its source map is damaged: " : "has a source map alone", why.text,
                status ? "; there are names alone"
                       : ": lines are there, inlined functions are not"))
        return toll_fail_nomem(err);
    return status || (toll_buffer_append_text(&d->source_map, path) &&
                      toll_buffer_cstr(&d->source_map))
               ? TOLL_OK
               : toll_fail_nomem(err);
}

static toll_status read_other_file(toll_debug *d, toll_code_file *f, toll_error *err)
{
    toll_buffer room;
    bool is_external = f->external.size != 0;
    toll_buffer_init(&room, &d->mem);
    const toll_buffer *named = is_external ? &f->external : &f->source_map;
    const char *path = toll_debug_beside(&room, f->path, (const char *)named->data, named->size);
    toll_status status = !path         ? toll_fail_nomem(err)
                         : is_external ? read_external(d, f, path, err)
                                       : read_map(d, f, path, err);
    toll_buffer_free(&room);
    return status;
}

static toll_status read_lines(toll_debug *d, toll_code_file *f, const toll_split_source *split,
                              toll_error *err)
{
    if (toll_code_file_section(f, ".debug_info"))
        return read_dwarf(d, f, split, err);
    bool has_map = f->source_map.size && d->parts == TOLL_DWARF_ALL;
    if (split && (f->external.size || has_map))
        return read_other_file(d, f, err);
    bool good = f->is_go ? remark(d, "is Go's, which writes no debug information for WebAssembly",
                                  "", ": there are names alone")
                         : remark(d, "has no debug information", "",
                                  ": there are names alone; compile with -g");
    return good ? TOLL_OK : toll_fail_nomem(err);
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Keep the file's code for its instructions: a module without names and debug information, since
 * these have been read. False: no memory. */
static bool keep_code(toll_debug *d, toll_code_file *f)
{
    toll_buffer *kept = f->is_module ? &d->module : &d->program;
    if ((!f->is_module && !f->is_bpf) || d->parts != TOLL_DWARF_ALL)
        return true;
    *kept = f->bytes;
    if (f->is_module)
        kept->size = toll_code_file_drop_custom(kept->data, kept->size);
    toll_buffer_init(&f->bytes, &f->mem);
    return toll_array_trim(&d->mem, &kept->data, &kept->capacity, kept->size);
}

static toll_status read_file(toll_debug *d, toll_code_file *f, toll_input *in,
                             const toll_split_source *split, toll_error *err)
{
    toll_status status = toll_code_file_read(f, in, &d->map, err);
    if (!status && !(toll_buffer_append(&d->build_id, f->build_id.data, f->build_id.size) &&
                     toll_buffer_cstr(&d->build_id)))
        status = toll_fail_nomem(err);
    if (!status)
        status = read_lines(d, f, split, err);
    if (!status && !keep_code(d, f))
        status = toll_fail_nomem(err);
    if (!status && !toll_address_map_finish(&d->map))
        status = toll_fail_nomem(err);
    return status;
}

static toll_status create(const toll_allocator *allocator, const char *path, toll_dwarf_parts parts,
                          toll_debug **out, toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_debug *d = toll_mem_new(&mem, 1, sizeof *d);
    *out = NULL;
    if (!d)
        return toll_fail_nomem(err);
    d->mem = mem;
    d->parts = parts;
    toll_buffer_init(&d->path, &mem);
    toll_buffer_init(&d->build_id, &mem);
    toll_buffer_init(&d->remark, &mem);
    toll_buffer_init(&d->source_map, &mem);
    toll_source_texts_init(&d->texts, &mem);
    toll_buffer_init(&d->module, &mem);
    toll_buffer_init(&d->program, &mem);
    toll_address_map_init(&d->map, &mem);
    if (!toll_buffer_append_text(&d->path, path) || !toll_buffer_cstr(&d->path) ||
        !toll_buffer_cstr(&d->remark) || !toll_buffer_cstr(&d->source_map)) {
        toll_debug_free(d);
        return toll_fail_nomem(err);
    }
    *out = d;
    return TOLL_OK;
}

static toll_status read_all(const toll_allocator *allocator, toll_input *in,
                            const toll_split_source *split, toll_dwarf_parts parts,
                            toll_debug **out, toll_error *err)
{
    toll_code_file file;
    toll_status status = create(allocator, toll_input_name(in), parts, out, err);
    if (status)
        return status;
    toll_code_file_init(&file, &(*out)->mem, (const char *)(*out)->path.data);
    status = read_file(*out, &file, in, split, err);
    toll_code_file_free(&file);
    if (status) {
        toll_debug_free(*out);
        *out = NULL;
    }
    return status;
}

toll_status toll_debug_read(const toll_allocator *allocator, toll_input *in, toll_debug **out,
                            toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    return read_all(allocator, in, NULL, TOLL_DWARF_ALL, out, err);
}

toll_status toll_debug_read_functions(const toll_allocator *allocator, toll_input *in,
                                      toll_debug **out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    return read_all(allocator, in, NULL, TOLL_DWARF_FUNCTIONS, out, err);
}

toll_status toll_debug_read_split(const toll_allocator *allocator, toll_input *in,
                                  const toll_split_source *split, toll_debug **out, toll_error *err)
{
    return read_all(allocator, in, split, TOLL_DWARF_ALL, out, err);
}

static toll_status open_file(const toll_allocator *allocator, const char *path,
                             toll_dwarf_parts parts, toll_debug **out, toll_error *err)
{
    toll_input *in;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!path)
        return toll_fail_null(err, "path");
    toll_status status = toll_input_open(allocator, path, &in, err);
    if (status)
        return status;
    toll_split_source split = toll_debug_split_beside(path);
    status = read_all(allocator, in, &split, parts, out, err);
    toll_input_free(in);
    return status;
}

toll_status toll_debug_open(const toll_allocator *allocator, const char *path, toll_debug **out,
                            toll_error *err)
{
    return open_file(allocator, path, TOLL_DWARF_ALL, out, err);
}

toll_status toll_debug_open_functions(const toll_allocator *allocator, const char *path,
                                      toll_debug **out, toll_error *err)
{
    return open_file(allocator, path, TOLL_DWARF_FUNCTIONS, out, err);
}

void toll_debug_free(toll_debug *d)
{
    if (!d)
        return;
    toll_mem mem = d->mem;
    toll_buffer_free(&d->path);
    toll_buffer_free(&d->build_id);
    toll_buffer_free(&d->remark);
    toll_buffer_free(&d->source_map);
    toll_source_texts_free(&d->texts);
    toll_buffer_free(&d->module);
    toll_buffer_free(&d->program);
    toll_address_map_free(&d->map);
    toll_mem_free(&mem, d, 1, sizeof *d);
}
