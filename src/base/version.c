/* version.c - returns the version of the library. See toll/version.h. */
#include <toll/version.h>

const char *toll_version(void)
{
    return TOLL_VERSION_STRING;
}

uint32_t toll_version_number(void)
{
    return TOLL_VERSION_NUMBER;
}
