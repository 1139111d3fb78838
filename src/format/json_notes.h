/* json_notes.h - a profile's notes in a JSON file of another tool's format: an array of strings
 * "COUNT TEXT" under a key that the other tool ignores. */
#ifndef TOLL_FORMAT_JSON_NOTES_H
#define TOLL_FORMAT_JSON_NOTES_H

#include "base/json_read.h"

#include <toll/profile.h>

/* Write one element of the array; the caller writes the commas. */
void toll_json_put_note(toll_output *out, uint64_t count, const char *text);

/* Read the array after its key, which was the last token, and add its notes to `profile`. Elements
 * of another form do not come from Toll, and are skipped. False on failure. */
bool toll_json_read_notes(toll_json *json, toll_profile *profile);

#endif
