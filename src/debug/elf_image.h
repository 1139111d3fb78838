/* elf_image.h - a program's file as an ELF file in memory, for libdw.
 *
 * libdw reads ELF files. Of ours it gets an image with nothing but the sections of debug
 * information: a header in front of the file's bytes, and section headers behind them; the sections
 * stay where they are in the file. So the same code serves WebAssembly modules and ELF files, and
 * whatever else a hostile file has is not read by libdw. */
#ifndef TOLL_DEBUG_ELF_IMAGE_H
#define TOLL_DEBUG_ELF_IMAGE_H

#include "debug/code_file.h"

/* Make file->bytes such an image. False: no memory. */
bool toll_elf_image_make(toll_code_file *file);

#endif
