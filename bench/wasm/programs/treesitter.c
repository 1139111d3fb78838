/* treesitter.c - a WASI program for bench/wasm/programs.sh: parses its input, which is C, ROUNDS
 * times with tree-sitter. Tiny functions, and many blocks of memory. */
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_c(void);

int main(int argc, char **argv)
{
    static char text[8 << 20];
    uint32_t size = (uint32_t)fread(text, 1, sizeof text, stdin);
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
        TSParser *parser = ts_parser_new();
        ts_parser_set_language(parser, tree_sitter_c());
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, size);
        printf("%u nodes\n", ts_node_descendant_count(ts_tree_root_node(tree)));
        ts_tree_delete(tree);
        ts_parser_delete(parser);
    }
}
