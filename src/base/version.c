/* version.c - the version that the library was built as. See toll/version.h. */
#include <toll/version.h>

const char *toll_version(void)
{
    return TOLL_VERSION_STRING;
}

uint32_t toll_version_number(void)
{
    return TOLL_VERSION_NUMBER;
}
