/* pprof.h - field numbers of perftools.profiles.Profile, and how Toll stores in it what it has no
 * field for. Source: proto/profile.proto of github.com/google/pprof. */
#ifndef TOLL_FORMAT_PPROF_H
#define TOLL_FORMAT_PPROF_H

#include <stdbool.h>
#include <toll/profile.h>

enum { /* Profile */
       PPROF_SAMPLE_TYPE = 1,
       PPROF_SAMPLE = 2,
       PPROF_MAPPING = 3,
       PPROF_LOCATION = 4,
       PPROF_FUNCTION = 5,
       PPROF_STRING_TABLE = 6,
       PPROF_TIME_NANOS = 9,
       PPROF_DURATION_NANOS = 10,
       PPROF_PERIOD_TYPE = 11,
       PPROF_PERIOD = 12,
       PPROF_COMMENT = 13,
       PPROF_DEFAULT_SAMPLE_TYPE = 14
};
enum { PPROF_TYPE_TYPE = 1, PPROF_TYPE_UNIT = 2 };
enum { PPROF_SAMPLE_LOCATION_ID = 1, PPROF_SAMPLE_VALUE = 2, PPROF_SAMPLE_LABEL = 3 };
enum { PPROF_LABEL_KEY = 1, PPROF_LABEL_STR = 2, PPROF_LABEL_NUM = 3, PPROF_LABEL_NUM_UNIT = 4 };
enum {
    PPROF_MAPPING_ID = 1,
    PPROF_MAPPING_MEMORY_LIMIT = 3,
    PPROF_MAPPING_FILENAME = 5,
    PPROF_MAPPING_BUILD_ID = 6,
    PPROF_MAPPING_HAS_FUNCTIONS = 7,
    PPROF_MAPPING_HAS_FILENAMES = 8,
    PPROF_MAPPING_HAS_LINE_NUMBERS = 9,
    PPROF_MAPPING_HAS_INLINE_FRAMES = 10
};
enum {
    PPROF_LOCATION_ID = 1,
    PPROF_LOCATION_MAPPING_ID = 2,
    PPROF_LOCATION_ADDRESS = 3,
    PPROF_LOCATION_LINE = 4
};
enum { PPROF_LINE_FUNCTION_ID = 1, PPROF_LINE_LINE = 2 };
enum {
    PPROF_FUNCTION_ID = 1,
    PPROF_FUNCTION_NAME = 2,
    PPROF_FUNCTION_SYSTEM_NAME = 3,
    PPROF_FUNCTION_FILENAME = 4,
    PPROF_FUNCTION_START_LINE = 5,
    PPROF_FUNCTION_PART_OF = 31 /* not of profile.proto: see below */
};

/* The thread of a sample is a label with this key, a text; other texts are the thread's labels.
 * Labels that are numbers are left out, with a note. */
#define PPROF_THREAD_KEY "thread"

/* What a location of Toll's says of the place within its function goes by the flags of its mapping:
 * with has_line_numbers, its line is a place; else its line repeats where the function begins, and
 * its address is where the code begins, unless the mapping has neither has_filenames: then the
 * address is a place whose line is not known. In files of others a line that is not the function's
 * first one is a place, whatever the flags. Mappings of Toll have no range of memory. */

/* A line has the file of its function. So a line in another file than the one where its function is
 * defined has a function of its own: of the same names, of that file, without a first line. Which
 * function it is part of is the id in PPROF_FUNCTION_PART_OF. Readers skip fields that they do not
 * know, and add up functions by name. */

/* A frame's kind is the file name of its mapping; the mapping of a function of the guest is the
 * module. The index is a toll_frame_kind. The last name is not a kind of frame: it is the location
 * for what was spent outside of any frame, since some readers drop samples without a location (go
 * tool pprof before 1.20). */
#define PPROF_KIND_NAMES                                                                           \
    {                                                                                              \
        "", "[native]", "[section]", "[phase]", "[inlined]", "[program]", "[outside]"              \
    }
enum { PPROF_OUTSIDE = TOLL_KIND_COUNT, PPROF_KIND_COUNT };

/* The period type, by which Pyroscope and Parca name a profile: what the default column counts,
 * such as time in nanoseconds; for the heap it is space in bytes, as in Go's heap profiles. The
 * period is 1, since nothing is sampled. Type and unit are NULL if there are no columns. */
toll_value_type toll_pprof_period_type(const toll_profile *profile);

/* Functions of one name have labels as their names: the name followed by " (FILE:LINE)", with the
 * last part of the path or all of it, or by a number if these are alike, too. The size of the name
 * in a label of the first form; all of it, if the label has another form. The linker's name is
 * system_name, if it is known and the label is not of the second form; else that is the name
 * itself. */
size_t toll_pprof_label_name(const char *label, const char *file, uint32_t line);

/* A file that was sampled gets a comment that says how when it is read. */
#define TOLL_SAMPLED_PREFIX "sampled: "

/* A note is a comment "toll: COUNT TEXT". */
#define PPROF_NOTE_PREFIX "toll: "
#define PPROF_NOTE_NUMBERS "samples with labels that are numbers, left out"

#endif
