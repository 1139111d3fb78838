/* json_notes.h - a profile's notes in a JSON file of another tool's format: an array of strings
 * "COUNT TEXT" under a key that the other tool ignores. */
#ifndef TOLL_FORMAT_JSON_NOTES_H
#define TOLL_FORMAT_JSON_NOTES_H

#include "base/json_read.h"

#include <toll/profile.h>

/* Write one element of the array; commas are left to the caller. */
void toll_json_put_note(toll_output *out, uint64_t count, const char *text);

/* Read the value of such a key, whose name was the last token, and add its notes to `profile`.
 * Elements of another form are not notes of Toll's, and are skipped. False on failure. */
bool toll_json_read_notes(toll_json *json, toll_profile *profile);

#endif
