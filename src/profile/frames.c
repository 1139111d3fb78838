/* frames.c - stores the frames of a profile: functions, places in them, and facts about them. See
 * toll/profile.h. */
#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "profile/profile_data.h"

#include <string.h>

static uint32_t frame_hash(const toll_frame_key *k)
{
    uint64_t hash =
        toll_hash_u64((uint64_t)k->name << 32 | k->file) ^ ((uint64_t)k->line << 8 | k->kind);
    if (k->at_line || k->at_address)
        hash = toll_hash_u64(hash ^ ((uint64_t)k->at_file << 32 | k->at_line)) ^ k->at_address ^
               ((uint64_t)k->module << 32 | k->build_id);
    return (uint32_t)toll_hash_u64(hash);
}

static uint32_t find_frame(const toll_profile *p, const toll_frame_key *key, uint32_t hash)
{
    size_t place = hash;
    uint32_t id;
    while ((id = toll_id_index_next(&p->frame_index, hash, &place)) != TOLL_NONE)
        if (memcmp(&p->frames[id].key, key, sizeof *key) == 0)
            break;
    return id;
}

void toll_profile_index_frames(toll_profile *p)
{
    toll_id_index_clear(&p->frame_index);
    for (size_t id = 0; id < p->frame_count; id++)
        toll_id_index_add(&p->frame_index, frame_hash(&p->frames[id].key), (uint32_t)id);
}

static toll_status check_frame(const toll_frame *frame, toll_error *err)
{
    if (!frame || !frame->name)
        return toll_fail_null(err, frame ? "frame->name" : "frame");
    if ((uint32_t)frame->kind >= TOLL_KIND_COUNT)
        return toll_fail(err, TOLL_E_ARGUMENT, "no frame kind %u", (uint32_t)frame->kind);
    return TOLL_OK;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static uint32_t known_string(const toll_profile *p, const char *text)
{
    return toll_strtab_find(&p->strings, or_empty(text), strlen(or_empty(text)));
}

/* The id of a text that is "" for most frames. (The id of "" is 0 once there is any string.) */
static uint32_t rare_string(toll_profile *p, const char *text)
{
    return text && *text ? toll_strtab_add_clean(&p->strings, text) : 0;
}

/* Convert a frame to one with ids of strings. False: no memory. */
static bool frame_data(toll_profile *p, const toll_frame *f, toll_frame_data *data)
{
    *data = (toll_frame_data){
        .key = { .name = toll_strtab_add_clean(&p->strings, f->name),
                 .file = rare_string(p, f->file),
                 .line = f->line,
                 .kind = (uint32_t)f->kind,
                 .at_line = f->at_line,
                 .at_file = f->at_line ? rare_string(p, f->at_file) : 0,
                 .at_address = f->at_address },
        .facts = { .system_name = rare_string(p, f->system_name),
                   .module = rare_string(p, f->module),
                   .build_id = rare_string(p, f->build_id),
                   .address = f->address },
    };
    if (data->key.at_file == data->key.file)
        data->key.at_file = 0;
    if (f->at_address) {
        data->key.module = data->facts.module;
        data->key.build_id = data->facts.build_id;
    }
    return data->key.name != TOLL_NONE && data->key.file != TOLL_NONE &&
           data->key.at_file != TOLL_NONE && data->facts.system_name != TOLL_NONE &&
           data->facts.module != TOLL_NONE && data->facts.build_id != TOLL_NONE;
}

/* Find the frame with that key, or add it with this data. */
static toll_status place(toll_profile *p, const toll_frame_data *data, toll_frame_id *out,
                         toll_error *err)
{
    uint32_t hash = frame_hash(&data->key);
    *out = find_frame(p, &data->key, hash);
    if (*out != TOLL_NONE)
        return TOLL_OK;
    if (p->frame_count >= TOLL_NONE - 2)
        return toll_fail(err, TOLL_E_LIMIT, "more than 4 billion functions");
    if (!toll_id_index_reserve(&p->frame_index, &p->mem) ||
        !toll_array_grow(&p->mem, &p->frames, &p->frame_capacity, p->frame_count, 1))
        return toll_fail_nomem(err);
    p->frames[p->frame_count] = *data;
    *out = (toll_frame_id)p->frame_count++;
    toll_id_index_add(&p->frame_index, hash, *out);
    return TOLL_OK;
}

/* The id here of string `id` of another profile; TOLL_NONE: no memory. */
static uint32_t string_of(toll_profile *p, const toll_profile *from, uint32_t id, uint32_t *strings)
{
    if (strings[id] == TOLL_NONE)
        strings[id] = toll_strtab_add(&p->strings, toll_strtab_text(&from->strings, id),
                                      toll_strtab_size(&from->strings, id));
    return strings[id];
}

static uint32_t rare_string_of(toll_profile *p, const toll_profile *from, uint32_t id,
                               uint32_t *strings)
{
    return id ? string_of(p, from, id, strings) : 0;
}

toll_status toll_profile_place_frame_of(toll_profile *p, const toll_profile *from, toll_frame_id id,
                                        uint32_t *strings, toll_frame_id *out, toll_error *err)
{
    toll_frame_data data = from->frames[id];
    toll_frame_key *key = &data.key;
    toll_frame_facts *facts = &data.facts;
    key->name = string_of(p, from, key->name, strings);
    key->file = rare_string_of(p, from, key->file, strings);
    key->at_file = rare_string_of(p, from, key->at_file, strings);
    facts->system_name = rare_string_of(p, from, facts->system_name, strings);
    facts->module = rare_string_of(p, from, facts->module, strings);
    facts->build_id = rare_string_of(p, from, facts->build_id, strings);
    if (key->at_address) {
        key->module = facts->module;
        key->build_id = facts->build_id;
    }
    *out = TOLL_NONE;
    if (key->name == TOLL_NONE || key->file == TOLL_NONE || key->at_file == TOLL_NONE ||
        facts->system_name == TOLL_NONE || facts->module == TOLL_NONE ||
        facts->build_id == TOLL_NONE)
        return toll_fail_nomem(err);
    return place(p, &data, out, err);
}

/* Compare two strings, of which one is kept: a known one before an unknown one, then the smaller
 * one. */
static int compare_known(const toll_profile *p, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    if (!a || !b)
        return a ? -1 : 1;
    return strcmp(toll_profile_text(p, a), toll_profile_text(p, b));
}

static void agree(toll_profile *p, toll_frame_id id, toll_frame_facts given)
{
    toll_frame_facts *facts = &p->frames[id].facts;
    if (compare_known(p, given.system_name, facts->system_name) < 0)
        facts->system_name = given.system_name;
    int by = compare_known(p, given.module, facts->module);
    if (by == 0)
        by = compare_known(p, given.build_id, facts->build_id);
    if (by == 0) /* 0 means unknown: it becomes the greatest */
        by = given.address - 1 < facts->address - 1 ? -1 : 0;
    if (by < 0) {
        facts->module = given.module;
        facts->build_id = given.build_id;
        facts->address = given.address;
    }
}

void toll_profile_agree_on_facts_of(toll_profile *p, toll_frame_id id, const toll_profile *from,
                                    toll_frame_id other, const uint32_t *strings)
{
    toll_frame_facts given = from->frames[other].facts;
    given.system_name = given.system_name ? strings[given.system_name] : 0;
    given.module = given.module ? strings[given.module] : 0;
    given.build_id = given.build_id ? strings[given.build_id] : 0;
    agree(p, id, given);
}

toll_status toll_profile_add_frame(toll_profile *p, const toll_frame *frame, toll_frame_id *out,
                                   toll_error *err)
{
    toll_frame_id id = TOLL_NONE;
    toll_frame_data data;
    size_t before = p->frame_count;
    toll_status status = check_frame(frame, err);
    if (!status)
        status = frame_data(p, frame, &data) ? place(p, &data, &id, err) : toll_fail_nomem(err);
    if (!status && id < before)
        agree(p, id, data.facts);
    if (out)
        *out = id;
    return status;
}

toll_status toll_profile_rename_frame(toll_profile *p, toll_frame_id frame, const char *name,
                                      toll_error *err)
{
    if (frame >= p->frame_count || !name)
        return toll_fail(err, TOLL_E_ARGUMENT, "no such frame, or no name for it");
    uint32_t name_id = toll_strtab_add_clean(&p->strings, name);
    if (name_id == TOLL_NONE)
        return toll_fail_nomem(err);
    toll_frame_key *key = &p->frames[frame].key;
    toll_id_index_remove(&p->frame_index, frame_hash(key), frame);
    key->name = name_id;
    toll_id_index_add(&p->frame_index, frame_hash(key), frame);
    return TOLL_OK;
}

toll_frame_id toll_profile_find_frame(const toll_profile *p, const toll_frame *frame)
{
    if (check_frame(frame, NULL))
        return TOLL_NONE;
    toll_frame_key key = {
        .name = known_string(p, frame->name),
        .file = known_string(p, frame->file),
        .line = frame->line,
        .kind = (uint32_t)frame->kind,
        .at_line = frame->at_line,
        .at_file = frame->at_line ? known_string(p, frame->at_file) : 0,
        .module = frame->at_address ? known_string(p, frame->module) : 0,
        .build_id = frame->at_address ? known_string(p, frame->build_id) : 0,
        .at_address = frame->at_address,
    };
    if (key.at_file == key.file)
        key.at_file = 0;
    bool known = key.name != TOLL_NONE && key.file != TOLL_NONE && key.at_file != TOLL_NONE &&
                 key.module != TOLL_NONE && key.build_id != TOLL_NONE;
    return known ? find_frame(p, &key, frame_hash(&key)) : TOLL_NONE;
}

uint32_t toll_profile_frame_count(const toll_profile *p)
{
    return (uint32_t)p->frame_count;
}

toll_frame toll_profile_frame(const toll_profile *p, toll_frame_id id)
{
    static const toll_frame_data none;
    const toll_frame_data *f = id < p->frame_count ? &p->frames[id] : &none;
    return (toll_frame){
        .name = toll_profile_text(p, f->key.name),
        .file = toll_profile_text(p, f->key.file),
        .line = f->key.line,
        .kind = (toll_frame_kind)f->key.kind,
        .system_name = toll_profile_text(p, f->facts.system_name),
        .module = toll_profile_text(p, f->facts.module),
        .build_id = toll_profile_text(p, f->facts.build_id),
        .address = f->facts.address,
        .at_line = f->key.at_line,
        .at_address = f->key.at_address,
        .at_file = toll_profile_text(p, f->key.at_file),
    };
}

int toll_profile_has_places(const toll_profile *p)
{
    for (size_t i = 0; i < p->frame_count; i++)
        if (p->frames[i].key.at_line || p->frames[i].key.at_address)
            return 1;
    return 0;
}
