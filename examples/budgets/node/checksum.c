/* checksum.c - computes a checksum of the bytes that JavaScript has written to `room`. */
static unsigned char bytes[4096];

unsigned char *room(void)
{
    return bytes;
}

__attribute__((noinline)) static unsigned step(unsigned sum, unsigned char byte)
{
    return (sum ^ byte) * 16777619u;
}

unsigned sum(unsigned count)
{
    unsigned all = 2166136261u;
#ifdef CHANGE
    count++;
#endif
    for (unsigned i = 0; i < count; i++)
        all = step(all, bytes[i]);
    return all;
}
