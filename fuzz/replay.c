/* replay.c - runs a fuzz target on files, without a fuzzing engine, so that every build replays the
 * corpus; and on REPLAY_MUTATED changed copies of them, which are the same each time
 * (mutate.h): most are no valid input any more.
 *
 *   replay SUMS FILE...
 *
 * The target's results (fuzz_see) must be the same as before: SUMS has a line "WHAT SUM" for each
 * kind of result; "-": no sums are compared. After an intended change, TOLL_REPLAY=update writes
 * SUMS anew. TOLL_REPLAY=each prints the sums of each file: comparing the outputs of two builds
 * shows which files they treat differently. */
#include "fuzz_format.h"
#include "mutate.h"

#include <inttypes.h>

enum {
    MOST_KINDS = 40,
    SUMS_SIZE = MOST_KINDS * 64,
};

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

typedef struct input {
    const char *name;
    uint8_t *data;
    size_t size;
} input;

static int by_file;

static void run(const char *name, const uint8_t *data, size_t size)
{
    static char sums[SUMS_SIZE];
    LLVMFuzzerTestOneInput(data, size);
    if (by_file) {
        print_sums(sums);
        printf("%s\n%s", name, sums);
        kind_count = 0;
    }
}

/* Each in a block of its own size: a sanitizer sees what is read behind it. */
static void run_mutated(const input *inputs, size_t count)
{
    uint64_t random = 1;
    for (size_t i = 0; i < REPLAY_MUTATED; i++) {
        const input *one = &inputs[i % count], *other = &inputs[mutate_random(&random, count)];
        size_t size;
        uint8_t *data = mutate(&random, one->data, one->size, other->data, other->size, &size);
        char name[512];
        snprintf(name, sizeof name, "mutated %zu, of %s", i, one->name);
        run(name, data, size);
        free(data);
    }
}

int main(int argc, char **argv)
{
    static char sums[SUMS_SIZE];
    const char *mode = getenv("TOLL_REPLAY");
    by_file = mode && strcmp(mode, "each") == 0;
    if (argc < 3)
        return 1;
    size_t count = (size_t)argc - 2;
    input *inputs = calloc(count, sizeof *inputs);
    if (!inputs)
        return 1;
    for (size_t i = 0; i < count; i++) {
        inputs[i].name = argv[i + 2];
        inputs[i].data = read_file(argv[i + 2], &inputs[i].size);
        run(inputs[i].name, inputs[i].data, inputs[i].size);
    }
    run_mutated(inputs, count);
    for (size_t i = 0; i < count; i++)
        free(inputs[i].data);
    free(inputs);
    print_sums(sums);
    printf("replayed %zu inputs and %d that are mutated\n", count, REPLAY_MUTATED);
    if (by_file || strcmp(argv[1], "-") == 0 || kind_count == 0)
        return 0;
    if (mode && strcmp(mode, "update") == 0)
        return !write_sums(argv[1], sums);
    return !same_sums(argv[1], sums);
}
