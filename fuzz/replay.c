/* replay.c - runs a fuzz target on files, without a fuzzing engine, so that every build replays the
 * corpus.
 *
 *   replay SUMS FILE...
 *
 * The target's results (fuzz_see) must be the same as before: SUMS has a line "WHAT SUM" for each
 * kind of result; "-": no sums are compared. After an intended change, TOLL_REPLAY=update writes
 * SUMS anew. TOLL_REPLAY=each prints the sums of each file: comparing the outputs of two builds
 * shows which files they treat differently. */
#include "fuzz_format.h"

#include <inttypes.h>

enum { MOST_KINDS = 40, SUMS_SIZE = MOST_KINDS * 64 };

static struct {
    const char *what;
    uint64_t sum;
} kinds[MOST_KINDS];
static size_t kind_count;

void fuzz_see(const char *what, const void *data, size_t size)
{
    size_t i = 0;
    while (i < kind_count && strcmp(kinds[i].what, what) != 0)
        i++;
    fuzz_require(i < MOST_KINDS, "too many kinds of what is seen");
    if (i == kind_count) {
        kinds[i].what = what;
        kinds[i].sum = UINT64_C(14695981039346656037);
        kind_count++;
    }
    uint64_t sum = (kinds[i].sum ^ size) * UINT64_C(1099511628211); /* FNV-1a */
    for (const uint8_t *at = data, *end = at + size; at < end; at++)
        sum = (sum ^ *at) * UINT64_C(1099511628211);
    kinds[i].sum = sum;
}

static void print_sums(char text[SUMS_SIZE])
{
    size_t size = 0;
    text[0] = 0;
    for (size_t i = 0; i < kind_count; i++)
        size += (size_t)snprintf(text + size, SUMS_SIZE - size, "%s %016" PRIx64 "\n",
                                 kinds[i].what, kinds[i].sum);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    size_t room = 1 << 16, n;
    uint8_t *data = malloc(room);
    *size = 0;
    while (f && data && (n = fread(data + *size, 1, room - *size, f)) > 0)
        if ((*size += n) == room)
            data = realloc(data, room *= 2);
    if (!f || !data) {
        perror(path);
        exit(1);
    }
    fclose(f);
    return data;
}

/* Text: on Windows as elsewhere. */
static int same_sums(const char *path, const char *now)
{
    size_t size;
    uint8_t *kept = read_file(path, &size);
    int same = size == strlen(now) && memcmp(kept, now, size) == 0;
    if (!same)
        printf("other results than before; %s has\n%.*sand now there are\n%s"
               "TOLL_REPLAY=each prints them by file, TOLL_REPLAY=update writes them anew.\n",
               path, (int)size, (const char *)kept, now);
    free(kept);
    return same;
}

static int write_sums(const char *path, const char *now)
{
    FILE *f = fopen(path, "wb");
    return f && fputs(now, f) >= 0 && fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static char sums[SUMS_SIZE];
    const char *mode = getenv("TOLL_REPLAY");
    int by_file = mode && strcmp(mode, "each") == 0;
    if (argc < 3)
        return 1;
    for (int i = 2; i < argc; i++) {
        size_t size;
        uint8_t *data = read_file(argv[i], &size);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
        if (by_file) {
            print_sums(sums);
            printf("%s\n%s", argv[i], sums);
            kind_count = 0;
        }
    }
    print_sums(sums);
    printf("replayed %d inputs\n", argc - 2);
    if (by_file || strcmp(argv[1], "-") == 0 || kind_count == 0)
        return 0;
    if (mode && strcmp(mode, "update") == 0)
        return !write_sums(argv[1], sums);
    return !same_sums(argv[1], sums);
}
