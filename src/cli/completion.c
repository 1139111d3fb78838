/* completion.c - prints the completion scripts of bash, zsh and fish, from the command's two
 * tables.
 *
 * For words that are in a profile (functions, value types), the scripts ask toll help --words,
 * which completion_words.c answers. Such names are data of strangers: no script may expand them. */
#include "command.h"

#include <stdio.h>
#include <string.h>

/* What toll help --words takes for the words that an option offers; NULL: no words of a profile. */
static const char *profile_words(const toll_option *o)
{
    return o->offers ? toll_offer_names[o->offers] : NULL;
}

/* Print the words that a shell offers for the option's value, unless the value is a file. */
static void print_choices(const toll_option *o)
{
    if (o->words)
        printf("%s", o->words);
    for (unsigned i = 0; toll_option_is_format(o) && toll_format_at(i); i++) {
        const toll_format *f = toll_format_at(i);
        if (o->kind == TOLL_READ_FORMAT ? f->reads : f->writes)
            printf("%s%s", i ? " " : "", f->name);
    }
}

/* --- bash --------------------------------------------------------------------------------------*/

/* compgen -W would expand the words, so each is compared here, and quoted; readline must not quote
 * it again, as it does names of files. readline completes what follows the last colon: what
 * precedes it in the word stays as it is. */
static const char bash_words[] =
    "# Offer words of the file on the command line: which, and what readline completes. False: no "
    "file.\n"
    "_toll_words() {\n"
    "    local i word quoted file= whole=${COMP_LINE:0:COMP_POINT}\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        [ -f \"${COMP_WORDS[i]}\" ] && file=${COMP_WORDS[i]} && break\n"
    "    done\n"
    "    for ((i = COMP_CWORD + 1; i < ${#COMP_WORDS[@]}; i++)); do\n"
    "        [ -z \"$file\" ] && [ -f \"${COMP_WORDS[i]}\" ] && file=${COMP_WORDS[i]}\n"
    "    done\n"
    "    [ -n \"$file\" ] || return 1\n"
    "    whole=${whole##* }\n"
    "    compopt +o filenames 2>/dev/null\n"
    "    while IFS= read -r word; do\n"
    "        printf -v quoted %q \"$word\"\n"
    "        if [[ $quoted == \"$whole\"* ]]; then\n"
    "            COMPREPLY+=(\"${quoted#\"${whole%\"$2\"}\"}\")\n"
    "        elif [[ $word == \"$whole\"* ]]; then\n"
    "            printf -v quoted %q \"${word#\"${whole%\"$2\"}\"}\"\n"
    "            COMPREPLY+=(\"$quoted\")\n"
    "        fi\n"
    "    done < <(toll help --words \"$1\" \"$file\" 2>/dev/null)\n"
    "    return 0\n"
    "}\n";

static void bash_value(const toll_option *o)
{
    const char *words = profile_words(o);
    if (!o->argument || o->file || toll_option_may_be_bare(o))
        return;
    printf("    --%s) ", o->name);
    if (words) {
        printf("_toll_words %s \"$cur\"; return ;;\n", words);
        return;
    }
    printf("COMPREPLY=($(compgen -W \"");
    print_choices(o);
    printf("\" -- \"$cur\")); return ;;\n");
}

static void bash_commands(void)
{
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++)
        printf("%s ", toll_commands[i].name);
}

static void bash_completion(void)
{
    printf("# bash completion for toll; written by: toll help --completion bash\n%s"
           "_toll() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_LINE:0:COMP_POINT} options=\n"
           "    prev=${prev%% *} prev=${prev##* }\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"",
           bash_words);
    bash_commands();
    printf("help --help --version\" -- \"$cur\"))\n        return\n    fi\n    case $prev in\n");
    for (unsigned i = 0; i < toll_option_count; i++)
        bash_value(&toll_options[i]);
    printf("    esac\n    case ${COMP_WORDS[1]} in\n    help) COMPREPLY=($(compgen -W \"");
    bash_commands();
    printf("\" -- \"$cur\")); return ;;\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("    %s) options=\"", toll_commands[i].name);
        for (unsigned o = 0; o < toll_option_count; o++)
            if (toll_command_takes(&toll_commands[i], &toll_options[o]))
                printf("--%s ", toll_options[o].name);
        printf("\" ;;\n");
    }
    printf("    esac\n"
           "    case $cur in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
           "    *) [ \"${COMP_WORDS[1]}\" = annotate ] && _toll_words names \"$cur\" && return\n"
           "       local word\n"
           "       while IFS= read -r word; do COMPREPLY+=(\"$word\"); done "
           "< <(compgen -f -- \"$cur\") ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _toll toll\n");
}

/* --- zsh ---------------------------------------------------------------------------------------*/

/* Print text inside a zsh argument specification in single quotes. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void zsh_option(const toll_option *o)
{
    printf(" \\\n            '");
    printf("--%s%s[", o->name, o->argument ? toll_option_may_be_bare(o) ? "=-" : "=" : "");
    zsh_text(o->help);
    printf("]");
    if (o->argument) {
        printf(":%s:", toll_option_may_be_bare(o) ? "HZ" : o->argument);
        if (o->file) {
            printf("_files");
        } else if (profile_words(o)) {
            printf("{_toll_words %s}", profile_words(o));
        } else {
            printf("(");
            print_choices(o);
            printf(")");
        }
    }
    printf("'");
}

static const char zsh_words[] =
    "_toll_words() {\n"
    "    local word\n"
    "    local -a found\n"
    "    for word in \"${(Q)words[@]:1}\"; do\n"
    "        [[ -f $word ]] || continue\n"
    "        found=(\"${(@f)$(toll help --words $1 $word 2>/dev/null)}\")\n"
    "        compadd -a found\n"
    "        return\n"
    "    done\n"
    "}\n";

static void zsh_operands(const toll_command *c)
{
    if (strcmp(c->name, "annotate") == 0)
        printf(" \\\n            '1:file:_files'"
               " \\\n            '*:function:{_toll_words names}' ;;\n");
    else
        printf(" \\\n            '*:file:_files' ;;\n");
}

static void zsh_completion(void)
{
    printf("#compdef toll\n# zsh completion for toll; written by: toll help --completion zsh\n"
           "%s_toll() {\n    local -a commands=(\n",
           zsh_words);
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("        '%s:", toll_commands[i].name);
        zsh_text(toll_commands[i].summary);
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
           "        return\n    fi\n    local command=${words[2]}\n    shift words\n"
           "    (( CURRENT-- ))\n    case $command in\n");
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("    %s)\n        _arguments", toll_commands[i].name);
        for (unsigned o = 0; o < toll_option_count; o++)
            if (toll_command_takes(&toll_commands[i], &toll_options[o]))
                zsh_option(&toll_options[o]);
        zsh_operands(&toll_commands[i]);
    }
    printf("    esac\n}\n_toll \"$@\"\n");
}

/* --- fish --------------------------------------------------------------------------------------*/

/* The file whose words are offered is the first operand that is one. fish expands no word of a
 * command's output. */
static const char fish_words[] = "function __toll_words\n"
                                 "    for word in (commandline -opc)[3..]\n"
                                 "        if test -f $word\n"
                                 "            toll help --words $argv[1] $word 2>/dev/null\n"
                                 "            return\n"
                                 "        end\n"
                                 "    end\n"
                                 "end\n";

/* Print text inside single quotes of fish. */
static void fish_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void fish_option(const toll_command *c, const toll_option *o)
{
    printf("complete -c toll -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (o->argument && o->file)
        printf(" -r -F");
    else if (profile_words(o))
        printf(" -x -a '(__toll_words %s)'", profile_words(o));
    else if (o->argument && !toll_option_may_be_bare(o)) {
        printf(" -x -a '");
        print_choices(o);
        printf("'");
    }
    printf(" -d '");
    fish_text(o->help);
    printf("'\n");
}

static void fish_completion(void)
{
    printf("# fish completion for toll; written by: toll help --completion fish\n%s", fish_words);
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++) {
        printf("complete -c toll -f -n __fish_use_subcommand -a %s -d '", toll_commands[i].name);
        fish_text(toll_commands[i].summary);
        printf("'\n");
        for (unsigned o = 0; o < toll_option_count; o++)
            if (toll_command_takes(&toll_commands[i], &toll_options[o]))
                fish_option(&toll_commands[i], &toll_options[o]);
    }
    printf("complete -c toll -n '__fish_seen_subcommand_from annotate' "
           "-a '(__toll_words names)'\n");
}

int toll_print_completion(const char *shell)
{
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {
        { "bash", bash_completion },
        { "zsh", zsh_completion },
        { "fish", fish_completion },
    };
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shell, shells[i].shell) == 0) {
            shells[i].print();
            return TOLL_EXIT_OK;
        }
    }
    return toll_complain(TOLL_EXIT_USAGE, "completion for bash, zsh and fish, not '%s'", shell);
}
