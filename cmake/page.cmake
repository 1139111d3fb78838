# The page of `toll view`: its parts in src/page/web, joined into one text, as arrays in a C file. A script:
#   cmake -DOUT=FILE.c -P cmake/page.cmake
# The script is page.mjs and what it imports, joined by modules.cmake. In page.html these marks are replaced:
#   @VERSION@  @STYLE@ (page.css)  @BEGIN@ (begin.js)  @SCRIPT@ (the modules)
#   @STYLE_HASH@  @BEGIN_HASH@  @SCRIPT_HASH@ (for the Content-Security-Policy)
#   @TITLE@  @STILL@  @DATA@: the page's title, a still picture, and the profile, which the writer (src/page/page.c) puts there
cmake_minimum_required(VERSION 3.18)
include(${CMAKE_CURRENT_LIST_DIR}/modules.cmake)
set(PARTS ${CMAKE_CURRENT_LIST_DIR}/../src/page/web)
toll_read_version(VERSION)

# The text of a part, with line ends as they are hashed: browsers read CR LF as LF.
function(read_part name out)
  file(READ "${PARTS}/${name}" text)
  string(REPLACE "\r\n" "\n" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Text within an element ends at its first closing tag.
function(check_inner text tag)
  string(TOLOWER "${text}" lower)
  foreach(end "</${tag}" "<!--")
    string(FIND "${lower}" "${end}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "src/page/web: '${end}' would end the <${tag}>; write it in two parts")
    endif()
  endforeach()
endfunction()

# sha256-BASE64 of a text: six hexadecimal digits are four digits of base64.
function(hash_of text out)
  string(SHA256 hex "${text}")
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(result "sha256-")
  foreach(i RANGE 0 63 6) # 64 digits are 10 groups, and 4 digits more: 16 bits, in 3 digits of base64
    string(SUBSTRING "${hex}00" ${i} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 digit)
      string(APPEND result "${digit}")
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" result "${result}") # the last digit is of the two zeros that were added
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# What precedes and what follows a mark, which is there once.
function(cut text mark before after)
  string(FIND "${text}" "${mark}" place)
  string(FIND "${text}" "${mark}" last REVERSE)
  if(place EQUAL -1 OR NOT place EQUAL last)
    message(FATAL_ERROR "src/page/web/page.html: ${mark} must be there once")
  endif()
  string(LENGTH "${mark}" size)
  math(EXPR rest "${place} + ${size}")
  string(SUBSTRING "${text}" 0 ${place} first)
  string(SUBSTRING "${text}" ${rest} -1 second)
  set(${before} "${first}" PARENT_SCOPE)
  set(${after} "${second}" PARENT_SCOPE)
endfunction()

# An array: string literals are limited to 4095 bytes in C11.
function(array_of name text out)
  string(HEX "${text}" hex)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  set(${out} "static const unsigned char ${name}[] = {\n${bytes}\n};\n" PARENT_SCOPE)
endfunction()

read_part(page.html page)
read_part(page.css style)
read_part(begin.js begin)
toll_join_modules(script ${PARTS}/page.mjs)
toll_check_joined(src/page/web "${script}")
check_inner("${style}" style)
check_inner("${begin}" script)
check_inner("${script}" script)
hash_of("${begin}" begin_hash)
hash_of("${style}" style_hash)
hash_of("${script}" script_hash)
string(REPLACE "@VERSION@" "${VERSION}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@BEGIN_HASH@" "${begin_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
cut("${page}" "@TITLE@" head page)
cut("${page}" "@STYLE@" to_style page)
cut("${page}" "@BEGIN@" to_begin page)
cut("${page}" "@STILL@" to_still page)
cut("${page}" "@DATA@" to_data page)
cut("${page}" "@SCRIPT@" to_script tail)
array_of(head "${head}" head)
array_of(to_still "${to_style}${style}${to_begin}${begin}${to_still}" to_still)
array_of(to_data "${to_data}" to_data)
array_of(tail "${to_script}${script}${tail}" tail)
file(WRITE "${OUT}" "/* Made by cmake/page.cmake of src/page/web. */
#include \"page/page_parts.h\"

${head}
${to_still}
${to_data}
${tail}
const toll_page_parts toll_page_text = {
    { head, sizeof head }, { to_still, sizeof to_still }, { to_data, sizeof to_data }, { tail, sizeof tail }
};
")
