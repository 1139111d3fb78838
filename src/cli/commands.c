/* commands.c - the table of subcommands. */
#include "command.h"

#include <string.h>

const toll_command toll_commands[TOLL_CMD_COUNT] = {
    [TOLL_CMD_RUN] = { "run", "profile a Lua or WebAssembly program",
                       "[OPTIONS] [--] PROGRAM [ARGS]",
                       "Runs PROGRAM with every call counted, and writes a profile when it ends, "
                       "however it ends.\n"
                       "PROGRAM is a Lua script, a Lua interpreter (5.1 to 5.4, LuaJIT) with its "
                       "own arguments:\n"
                       "toll run luajit -e 'x = 1' script.lua; or a WebAssembly module or "
                       "component: a WASI\n"
                       "program, any with --invoke, or a kernel with --kernel and --inbox. Its "
                       "input, "
                       "output,\n"
                       "arguments and exit status are what they are without toll.",
                       "  toll run script.lua\n"
                       "  toll run --ticks --lines -o run.pb.gz lua5.4 script.lua 30\n"
                       "  toll run --heap --view program.wasm\n",
                       true, toll_cmd_run },
    [TOLL_CMD_ATTACH] = { "attach", "sample a process that runs already and contains Lua",
                          "[OPTIONS] PID",
                          "Takes samples of the Lua in process PID for some seconds, and writes a "
                          "profile. Nothing\n"
                          "is loaded into the process: its memory is read, while what runs in it "
                          "is "
                          "stopped for about\n"
                          "a tenth of a millisecond. That needs the rights of a debugger: the "
                          "process's user, or root.\n"
                          "--list prints which processes can be sampled.\n"
                          "With --inside or --exact Toll's Lua module is loaded into the process: "
                          "it takes samples,\n"
                          "also of LuaJIT with its compiler on; or records every call.",
                          "  toll attach --list\n"
                          "  toll attach --seconds 30 -o worker.pb.gz 4711\n"
                          "  toll attach --inside --seconds 30 -o worker.pb.gz 4711\n"
                          "  toll attach --exact --seconds 2 -o worker.pb.gz 4711\n",
                          false, toll_cmd_attach },
    [TOLL_CMD_CONTROL] = { "control", "begin and end recordings in prepared Lua programs",
                           "COMMAND SOCKET...",
                           "Sends COMMAND to each process whose program has called toll.control "
                           "with a socket, and\n"
                           "prints what its Lua states do: on begins a recording, off ends it and "
                           "writes the profile,\n"
                           "snapshot writes what there is so far, status only asks. Exit status 1 "
                           "if a process does\n"
                           "not answer, or one of its states says that something failed. A socket "
                           "whose process was\n"
                           "killed is named; that is no failure if another process answers.",
                           "  toll control on /run/toll-*.sock\n"
                           "  toll control off /run/toll-4711.sock\n",
                           false, toll_cmd_control },
    [TOLL_CMD_CONVERT] = { "convert", "read any known format, write any other",
                           "[OPTIONS] IN... -o OUT",
                           "The format of IN comes from its content, that of OUT from its name. "
                           "Several inputs are\n"
                           "added up; their order in time is not kept then. IN may be a folder "
                           "that LiteSVM or Mollusk\n"
                           "wrote with SBF_TRACE_DIR set: compute units by function, by call and "
                           "with --logs exact.",
                           "  toll convert run.pb.gz -o run.speedscope.json\n"
                           "  toll convert traces --elf ID=program.so --logs test.log -o "
                           "units.pb.gz\n",
                           false, toll_cmd_convert },
    [TOLL_CMD_REPORT] = { "report", "what each function cost, or --tree", "[OPTIONS] [IN]",
                          "Prints what each function cost. A function's total counts only its "
                          "outermost frame on a\n"
                          "stack: recursion counts once.",
                          "  toll report run.pb.gz\n"
                          "  toll report --tree --value ticks run.pb.gz\n"
                          "  toll report --focus parse run.pb.gz\n",
                          false, toll_cmd_report },
    [TOLL_CMD_VIEW] = { "view", "a page for the browser, of one profile or two compared",
                        "[OPTIONS] IN [BEFORE] [...]",
                        "Writes a page with all stacks of IN, one file that needs no network, and "
                        "opens it in the\n"
                        "browser: $BROWSER, or what the desktop has. With -o it only writes the "
                        "page. "
                        "With BEFORE the page\n"
                        "shows what grew and what shrank. Three and more files are snapshots in "
                        "the order of time: the\n"
                        "page shows how each function grew. Source files of functions with lines "
                        "come into it, as toll\n"
                        "annotate finds them; with --source-dir those of all functions.",
                        "  toll view run.pb.gz\n"
                        "  toll view -o page.html after.pb.gz before.pb.gz\n"
                        "  toll view -o heap.html heap-1.pb.gz heap-2.pb.gz heap-3.pb.gz\n",
                        false, toll_cmd_view },
    [TOLL_CMD_ANNOTATE] = { "annotate", "what each line of a function or file cost",
                            "[OPTIONS] IN [FUNCTION|FILE]",
                            "Prints the source with what each line cost beside it: of the "
                            "functions of that name, of the\n"
                            "file whose path ends so, else of the functions with that in their "
                            "name; without, the\n"
                            "costliest functions first. --top N lists the costliest lines instead. "
                            "toll annotate BEFORE\n"
                            "AFTER [FUNCTION|FILE] prints what changed. A source file is looked "
                            "for by the path that the\n"
                            "profile has, and by the end of that path in each --source-dir.",
                            "  toll annotate run.pb.gz parse\n"
                            "  toll annotate --top 20 run.pb.gz\n",
                            false, toll_cmd_annotate },
    [TOLL_CMD_DIFF] = { "diff", "what grew, what shrank", "[OPTIONS] BEFORE [...] AFTER",
                        "Compares two profiles stack by stack. With -o also writes the difference "
                        "as a profile,\n"
                        "with negative values for what shrank (with -o - that alone). With "
                        "--fail-over the exit status\n"
                        "is 3 if the total grew by more than that, to the unit; what shrank never "
                        "fails. Three and\n"
                        "more files are snapshots in the order of time: what grew in each step "
                        "comes first, blocks of a\n"
                        "heap by allocation site; -o and --fail-over are about the first and the "
                        "last.",
                        "  toll diff before.pb.gz after.pb.gz\n"
                        "  toll diff --fail-over 1% before.pb.gz after.pb.gz\n"
                        "  toll diff --leaks heap-1.pb.gz heap-2.pb.gz heap-3.pb.gz\n",
                        false, toll_cmd_diff },
    [TOLL_CMD_MERGE] = { "merge", "add profiles up", "[OPTIONS] IN... -o OUT",
                         "Of a folder all files in it, and in those below it, are added up. The "
                         "order of the inputs\n"
                         "and the number of threads do not matter: the result is the same to the "
                         "last byte.",
                         "  toll merge profiles -o all.pb.gz\n", false, toll_cmd_merge },
    [TOLL_CMD_CHECK] = { "check", "check the invariants of profiles, or a budget",
                         "[OPTIONS] IN...",
                         "Checks that totals are the sums of their parts, that no value is "
                         "negative, that names\n"
                         "are sound. Exit status 1 at the first profile that fails. With --budget "
                         "the profiles, added\n"
                         "up, are held to a file of rules, such as \"ticks  parse  <= 1,204,331\": "
                         "exit status 3 if one\n"
                         "fails, and which stacks have most of it. toll check --write-budget "
                         "makes such a file. With\n"
                         "--repeat N -- COMMAND a program is run N times, as by toll run, or any "
                         "command that writes\n"
                         "a profile to the file that {} stands for: which values were equal each "
                         "time, and so can\n"
                         "have an exact budget? With --limits pyroscope: what would that server "
                         "lose of each profile?",
                         "  toll check --write-budget limits.budget run.pb.gz\n"
                         "  toll check --budget limits.budget run.pb.gz\n",
                         false, toll_cmd_check },
    [TOLL_CMD_BENCH] = { "bench", "what each test costs, and what changed since the last run",
                         "[OPTIONS] [--] COMMAND [ARGS]",
                         "Runs the tests that COMMAND runs, as they are, and prints a row for each "
                         "instruction in each\n"
                         "test: its compute units, and how they changed since the last run. The "
                         "tests have TOLL_OUT and\n"
                         "TOLL_BY=test,transaction in their environment, as toll-svm expects; any "
                         "command can write its\n"
                         "profile to the file that {} stands for. The profile is kept in "
                         "toll-bench.pb.gz (-o), which the\n"
                         "next run is compared with; or --before names another one. With "
                         "--fail-over the exit status is 3\n"
                         "if a row grew by more than that. Of Solana transactions it says how many "
                         "compute units to\n"
                         "request.",
                         "  toll bench -- cargo test\n"
                         "  toll bench --before main.pb.gz --fail-over 1% -- cargo test\n",
                         true, toll_cmd_bench },
    [TOLL_CMD_COMPARE] = { "compare", "are times of two programs different, or is it noise?",
                           "[OPTIONS] -- A... -- B...",
                           "Runs programs A and B many times, in turns (A B B A ...), each run a "
                           "process of its own, and\n"
                           "prints the medians of their times with their intervals, the change, "
                           "and p: how probable so\n"
                           "large a difference would be by chance (the rank test of Mann and "
                           "Whitney). Values that are the\n"
                           "same in each run, such as ticks and calls, are compared exactly; and "
                           "functions by their median\n"
                           "self time. A and B are what toll run runs (then with its options, such "
                           "as --ticks), or any\n"
                           "commands: one that writes a profile writes it to the file that {} "
                           "stands for, or to TOLL_OUT;\n"
                           "of others there are the times of the process. It is no gate: the exit "
                           "status is 0 whatever\n"
                           "differs.",
                           "  toll compare -- old.lua input.txt -- new.lua input.txt\n"
                           "  toll compare --runs 40 --no-profile -- ./old -- ./new\n",
                           true, toll_cmd_compare },
    [TOLL_CMD_HISTORY] = { "history", "the profiles of many commits in one file",
                           "[OPTIONS] ACTION HISTORY [...]",
                           "HISTORY is a profile with what each commit changed, such as "
                           "history.pb.gz: it grows with\n"
                           "changes, not with commits. The actions: add HISTORY PROFILE... appends "
                           "the sum of the profiles\n"
                           "as the next commit, and begins a new file. list HISTORY prints the "
                           "commits that changed the\n"
                           "total; blame HISTORY FUNCTION those that changed a function, exactly, "
                           "without running anything\n"
                           "again. show HISTORY COMMIT -o FILE writes the profile of a commit; "
                           "page "
                           "HISTORY -o FILE.html\n"
                           "shows the last ones side by side; prune HISTORY --keep N adds up all "
                           "but the last N. Times are\n"
                           "not kept: they differ from run to run.",
                           "  toll history add --commit $(git rev-parse --short HEAD) "
                           "history.pb.gz run.pb.gz\n"
                           "  toll history blame history.pb.gz parse\n",
                           false, toll_cmd_history },
    [TOLL_CMD_INSTRUMENT] = { "instrument", "make a module of WebAssembly report its calls",
                              "[OPTIONS] IN.wasm -o OUT.wasm",
                              "The new module does what the old one does, and calls functions of a "
                              "module \"toll\": enter\n"
                              "and leave; settle, depth and unwind if it catches exceptions; "
                              "these, allocating and heap\n"
                              "with --heap. toll/wasm.h defines these. It exports how many "
                              "instructions have been\n"
                              "executed as \"toll:ticks\", or what they cost by the table that "
                              "--costs names: a file has\n"
                              "lines such as \"i32.mul 3\", \"* 1\" for all others, and \"entry "
                              "2\" for entering a\n"
                              "function. A component gets the recorder, too, and runs in any "
                              "engine: the new component\n"
                              "exports toll-profile: func() -> result<list<u8>, string>, the "
                              "profile "
                              "so far.",
                              "  toll instrument program.wasm -o counted.wasm\n", false,
                              toll_cmd_instrument },
    [TOLL_CMD_DOCTOR] = { "doctor", "what works here, what is missing, how to get it", "[OPTIONS]",
                          "Prints a line for each kind of program that toll profiles, and for what "
                          "reading files needs:\n"
                          "whether it works here, and with what; if not, what is missing and how "
                          "to "
                          "get it.",
                          NULL, false, toll_cmd_doctor },
};

const toll_command *toll_command_named(const char *name)
{
    for (unsigned i = 0; i < TOLL_CMD_COUNT; i++)
        if (strcmp(toll_commands[i].name, name) == 0)
            return &toll_commands[i];
    return NULL;
}
