/* source_map.c - see source_map.h. */
#include "debug/source_map.h"

#include "base/array.h"
#include "base/json_read.h"

#include <string.h>

typedef struct reader {
    toll_json json;
    toll_failure failure;
    toll_address_map *map;
    toll_source_texts *texts;
    uint64_t code_offset;
    toll_buffer root;  /* "sourceRoot", in front of each source */
    uint32_t *sources; /* by number: the id of its text without the root */
    size_t source_count, source_capacity;
    bool has_mappings, has_contents;
} reader;

/* --- mappings ----------------------------------------------------------------------------------*/

/* A segment is 1, 4 or 5 numbers: column, source, line, column there, name; each is a difference to
 * the one before of its kind, in base 64 of variable length. */
enum { COLUMN, SOURCE, LINE, SOURCE_COLUMN, NAME, FIELDS };

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* One number; 5 bits a digit, the lowest first, of which the lowest one is the sign. Valid are 32
 * bits. */
static bool take_number(const char **at, int64_t *out)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 5) {
        int digit = digit_of(**at);
        if (digit < 0)
            return false;
        ++*at;
        value |= (uint64_t)(digit & 31) << shift;
        if (digit < 32) {
            *out = value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
            return true;
        }
    }
    return false;
}

/* Add the numbers of a segment to `state`. Returns how many there are; 0: it is damaged. */
static int take_segment(const char **at, int64_t *state)
{
    int count = 0;
    for (; **at && **at != ',' && **at != ';'; count++) {
        int64_t difference;
        if (count == FIELDS || !take_number(at, &difference))
            return 0;
        state[count] += difference;
        if (state[count] < 0 || state[count] >= UINT32_MAX)
            return 0;
    }
    return count == 1 || count == 4 || count == 5 ? count : 0;
}

/* A row of which `file` is the number of a source for now: sources may come later. */
static bool add_row(reader *r, const int64_t *state, bool has_source)
{
    toll_map_row row = { .address = (uint64_t)state[COLUMN] - r->code_offset,
                         .is_end = !has_source };
    if ((uint64_t)state[COLUMN] < r->code_offset)
        return true; /* in front of the code */
    if (has_source) {
        row.file = (uint32_t)state[SOURCE];
        row.line = (uint32_t)state[LINE] + 1;
        row.column = (uint32_t)state[SOURCE_COLUMN] + 1;
    }
    return toll_address_map_add_row(r->map, row) || toll_no_memory(&r->failure);
}

/* A module is one line: what is of further ones is not its. */
static bool read_mappings(reader *r)
{
    int64_t state[FIELDS] = { 0 };
    uint32_t unit;
    if (r->has_mappings || !toll_json_expect(&r->json, TOLL_JSON_STRING, "mappings must be a text"))
        return toll_json_fail(&r->json, TOLL_E_SYNTAX, "mappings are there twice");
    r->has_mappings = true;
    if (!toll_address_map_add_unit(r->map, &unit))
        return toll_no_memory(&r->failure);
    for (const char *at = toll_json_text(&r->json); *at && *at != ';';) {
        int count = *at == ',' ? -1 : take_segment(&at, state);
        if (count == 0)
            return toll_json_fail(&r->json, TOLL_E_SYNTAX,
                                  "the mappings are damaged; build the module again");
        if (count < 0)
            at++;
        else if (!add_row(r, state, count > 1))
            return false;
    }
    return true;
}

/* --- sources -----------------------------------------------------------------------------------*/

/* A source that has no name is one of no file. */
static bool take_source(reader *r, bool has_name)
{
    const char *name = has_name ? toll_json_text(&r->json) : "";
    uint32_t id = toll_address_map_text(r->map, name, strlen(name));
    if (id == TOLL_MAP_NONE ||
        !toll_array_grow(&r->map->mem, &r->sources, &r->source_capacity, r->source_count, 1))
        return toll_no_memory(&r->failure);
    r->sources[r->source_count++] = id;
    return true;
}

static bool read_sources(reader *r)
{
    static const char what[] = "sources must be texts";
    toll_json_token token;
    if (!toll_json_expect(&r->json, TOLL_JSON_ARRAY, what))
        return false;
    while ((token = toll_json_next(&r->json)) == TOLL_JSON_STRING || token == TOLL_JSON_NULL)
        if (!take_source(r, token == TOLL_JSON_STRING))
            return false;
    return token == TOLL_JSON_ARRAY_END || toll_json_fail(&r->json, TOLL_E_SYNTAX, what);
}

/* The texts of sources, in their order. Lines are there without them: what is no text is passed
 * over. */
static bool read_contents(reader *r)
{
    toll_json_token token = toll_json_next(&r->json);
    if (token != TOLL_JSON_ARRAY || r->has_contents)
        return toll_json_skip(&r->json, token);
    r->has_contents = true;
    while ((token = toll_json_next(&r->json)) != TOLL_JSON_ARRAY_END) {
        bool is_text = token == TOLL_JSON_STRING;
        if (!is_text && !toll_json_skip(&r->json, token))
            return false;
        if (!toll_source_texts_add(r->texts, is_text ? toll_json_text(&r->json) : NULL,
                                   is_text ? r->json.text.size : 0))
            return toll_no_memory(&r->failure);
    }
    return true;
}

/* Put the root in front of the names of sources. */
static bool add_root(reader *r)
{
    bool good = true;
    toll_buffer path;
    toll_buffer_init(&path, &r->map->mem);
    for (size_t i = 0; good && r->root.size && i < r->source_count; i++) {
        if (r->sources[i] == 0)
            continue;
        toll_buffer_clear(&path);
        toll_buffer_append(&path, r->root.data, r->root.size);
        if (path.data && path.data[path.size - 1] != '/')
            toll_buffer_append_byte(&path, '/');
        good = toll_buffer_append_text(&path, toll_strtab_text(&r->map->texts, r->sources[i]));
        r->sources[i] = good ? toll_address_map_text(r->map, (const char *)path.data, path.size)
                             : TOLL_MAP_NONE;
        good = r->sources[i] != TOLL_MAP_NONE;
    }
    toll_buffer_free(&path);
    return good || toll_no_memory(&r->failure);
}

/* The texts are by name now. */
static bool name_texts(reader *r)
{
    bool good = true;
    for (size_t i = 0; good && i < r->source_count; i++)
        good = toll_source_texts_name(r->texts, i, toll_strtab_text(&r->map->texts, r->sources[i]));
    return good || toll_no_memory(&r->failure);
}

/* The rows' files are names now. A source that the map does not have is none. */
static void set_files(reader *r)
{
    for (size_t i = 0; i < r->map->row_count; i++) {
        toll_map_row *row = &r->map->rows[i];
        if (!row->is_end)
            row->file = row->file < r->source_count ? r->sources[row->file] : 0;
    }
}

/* --- the file ----------------------------------------------------------------------------------*/

static bool read_root(reader *r)
{
    toll_json_token token = toll_json_next(&r->json);
    if (token != TOLL_JSON_STRING)
        return toll_json_skip(&r->json, token);
    toll_buffer_clear(&r->root);
    return toll_buffer_append_text(&r->root, toll_json_text(&r->json)) ||
           toll_no_memory(&r->failure);
}

static bool read_member(reader *r)
{
    if (toll_json_is(&r->json, "sections"))
        return toll_json_fail(&r->json, TOLL_E_UNSUPPORTED, "is a map of maps, which are not read");
    if (toll_json_is(&r->json, "mappings"))
        return read_mappings(r);
    if (toll_json_is(&r->json, "sourceRoot"))
        return read_root(r);
    if (toll_json_is(&r->json, "sources"))
        return read_sources(r);
    if (toll_json_is(&r->json, "sourcesContent"))
        return read_contents(r);
    return toll_json_skip_next(&r->json);
}

static bool read_whole(reader *r)
{
    toll_json_token token;
    if (!toll_json_expect(&r->json, TOLL_JSON_OBJECT, "a source map must be an object"))
        return false;
    while ((token = toll_json_next(&r->json)) == TOLL_JSON_KEY)
        if (!read_member(r))
            return false;
    if (token != TOLL_JSON_OBJECT_END)
        return false;
    if (!r->has_mappings)
        return toll_json_fail(&r->json, TOLL_E_SYNTAX, "has no mappings: is it a source map?");
    return add_root(r) && name_texts(r);
}

toll_status toll_source_map_read(toll_input *in, uint64_t code_offset, toll_address_map *map,
                                 toll_source_texts *texts, toll_error *err)
{
    reader r = {
        .failure = { .err = err }, .map = map, .texts = texts, .code_offset = code_offset
    };
    toll_buffer_init(&r.root, &map->mem);
    toll_json_begin(&r.json, in, &r.failure);
    r.json.replaces_nul = true; /* one text with a NUL costs no lines */
    if (read_whole(&r)) {
        set_files(&r);
    } else {
        toll_address_map_drop_lines(map);
        toll_source_texts_free(texts);
    }
    toll_json_free(&r.json);
    toll_buffer_free(&r.root);
    toll_mem_free(&map->mem, r.sources, r.source_capacity, sizeof *r.sources);
    return r.failure.status;
}
