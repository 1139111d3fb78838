/* replay.c - runs a fuzz target over the files named, without a fuzzing engine: so that every build
 * replays the corpus. */
#include "fuzz_format.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            perror(argv[i]);
            return 1;
        }
        size_t room = 1 << 16, size = 0, n;
        uint8_t *data = malloc(room);
        while (data && (n = fread(data + size, 1, room - size, f)) > 0)
            if ((size += n) == room)
                data = realloc(data, room *= 2);
        fclose(f);
        if (!data)
            return 1;
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    printf("replayed %d inputs\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
