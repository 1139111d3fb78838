/* function_places.c - see function_places.h. */
#include "function_places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HASHED = 64 };

void host_free_places(function_places *places)
{
    for (size_t i = 0; i < places->count; i++)
        free(places->functions[i].source);
    free(places->functions);
    free(places->slots);
    *places = (function_places){ 0 };
}

static size_t place_hash(const char *source, int first, int last)
{
    size_t h = (size_t)first * 31 + (size_t)last, size = strlen(source);
    /* The source may be the whole text of a chunk, and many chunks begin with the same text. So the
     * hash samples bytes of the whole text, from its end. */
    size_t step = size / MOST_HASHED + 1;
    for (size_t i = 0; i < size; i += step)
        h = (h ^ (uint8_t)source[size - 1 - i]) * (size_t)0x100000001b3u;
    return (h ^ h >> 29) + size;
}

const known_function *host_find_place(const function_places *places, const lua_Debug *ar)
{
    if (!places->slot_count)
        return NULL;
    size_t mask = places->slot_count - 1;
    for (size_t i = place_hash(ar->source, ar->linedefined, ar->lastlinedefined) & mask;
         places->slots[i]; i = (i + 1) & mask) {
        known_function *f = &places->functions[places->slots[i] - 1];
        if (f->first_line == ar->linedefined && f->last_line == ar->lastlinedefined &&
            strcmp(f->source, ar->source) == 0)
            return f;
    }
    return NULL;
}

static bool grow(function_places *places)
{
    size_t count = places->slot_count ? places->slot_count * 2 : 256;
    size_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t n = 0; n < places->count; n++) {
        const known_function *f = &places->functions[n];
        size_t i = place_hash(f->source, f->first_line, f->last_line) & (count - 1);
        while (slots[i])
            i = (i + 1) & (count - 1);
        slots[i] = n + 1;
    }
    free(places->slots);
    places->slots = slots;
    places->slot_count = count;
    return true;
}

void host_remember_place(function_places *places, const lua_Debug *ar, toll_frame_id frame)
{
    if ((places->count + 1) * 2 > places->slot_count && !grow(places))
        return;
    if (places->count == places->capacity) {
        size_t capacity = places->capacity ? places->capacity * 2 : 64;
        known_function *functions = realloc(places->functions, capacity * sizeof *functions);
        if (!functions)
            return;
        places->functions = functions;
        places->capacity = capacity;
    }
    char *source = strdup(ar->source);
    if (!source)
        return;
    size_t mask = places->slot_count - 1;
    size_t i = place_hash(source, ar->linedefined, ar->lastlinedefined) & mask;
    while (places->slots[i])
        i = (i + 1) & mask;
    places->functions[places->count] =
        (known_function){ source, ar->linedefined, ar->lastlinedefined, frame };
    places->slots[i] = ++places->count;
}
