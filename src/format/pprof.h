/* pprof.h - field numbers of perftools.profiles.Profile, and how Toll stores data for which pprof
 * has no field. Source: proto/profile.proto of github.com/google/pprof. */
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

/* A sample's thread is a label with this key and a text value. Other labels with text values are
 * the thread's labels. Labels with number values are omitted, with a note. */
#define PPROF_THREAD_KEY "thread"

/* The place of a location of Toll's is given in one of three ways, which the flags of its mapping
 * show. With has_line_numbers, its line is the place. Without it, the line repeats the function's
 * first line; then, with has_filenames, its address is where the code begins, and with neither flag
 * its address is the place, and the line of that place is not known. In files of other tools a line
 * that is not the function's first one is a place, whatever the flags. Toll's mappings have no
 * range of memory. */

/* In pprof a line has the file of its function. So a line in another file than the function's own
 * needs a second function: same names, that file, no first line. PPROF_FUNCTION_PART_OF is the id
 * of the function that it is part of. Readers skip fields that they do not know, and add up
 * functions by name. */

/* A frame's kind is stored as the file name of its mapping, by toll_frame_kind; for a function of
 * the guest that is its module instead. The last name is not a kind: it marks the location for what
 * was spent outside of any frame, since some readers drop samples without a location (go tool pprof
 * before 1.20). */
#define PPROF_KIND_NAMES                                                                           \
    {                                                                                              \
        "", "[native]", "[section]", "[phase]", "[inlined]", "[program]", "[outside]"              \
    }
enum { PPROF_OUTSIDE = TOLL_KIND_COUNT, PPROF_KIND_COUNT };

/* The period type, by which Pyroscope and Parca name a profile. It is what the default column
 * counts, such as time in nanoseconds; for the heap it is space in bytes, as in Go's heap profiles.
 * The period is 1, since nothing is sampled. Type and unit are NULL if there are no columns. */
toll_value_type toll_pprof_period_type(const toll_profile *profile);

/* If several functions have one name, labels are written as names: the name followed by "
 * (FILE:LINE)", with the last part of the path or all of it, or by a number if these are equal,
 * too. Returns the size of the name in a label of the first form, and the whole size for other
 * labels. system_name is the linker's name if that is known and the label is not of the second
 * form; else it is the name itself. */
size_t toll_pprof_label_name(const char *label, const char *file, uint32_t line);

/* A note is a comment "toll: COUNT TEXT". */
#define PPROF_NOTE_PREFIX "toll: "

/* A kind of runs is a comment "toll-runs: COUNT KIND"; if there are also runs of which nothing is
 * known, that is a comment of its own. */
#define PPROF_RUNS_PREFIX "toll-runs: "
#define PPROF_UNKNOWN_RUNS "toll-runs: others, of which nothing is known"
#define PPROF_NOTE_NUMBERS "samples with labels that are numbers, left out"

#endif
