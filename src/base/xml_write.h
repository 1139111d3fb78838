/* xml_write.h - writes text to XML; the caller writes the tags. */
#ifndef TOLL_BASE_XML_WRITE_H
#define TOLL_BASE_XML_WRITE_H

#include <toll/stream.h>

/* Write the first character of text[size], which printable.h has made printable; size > 0. Returns
 * its size in bytes. XML has no characters U+FFFE and U+FFFF: they become U+FFFD. */
size_t toll_xml_put_character(toll_output *out, const char *text, size_t size);

/* Write a text that came from elsewhere, between tags or in the quotes of an attribute. What
 * printable.h escapes is escaped: then any text is valid XML. */
void toll_xml_put_text(toll_output *out, const char *text);

#endif
