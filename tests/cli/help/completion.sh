# What shells offer: functions and values of the file on the command line. A name is offered as it is, and never expanded.
cat >p.folded <<'END'
main;parse 3
main;$(touch hacked);`touch hacked` 4
main;std::vector<int>::push_back(int const&);operator<<(int) 5
main;x$HOME 6
END
printf 'main;\033[31mred 7\n' >>p.folded
touch pages.txt
cat >bash.sh <<'END'
shopt -s extglob
. ./toll.bash
words() { # the last one is completed
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1)) COMP_LINE=$*
    COMP_POINT=${#COMP_LINE}
    _toll
    printf '%s\n' "bash: $*:" "${COMPREPLY[@]}" | head -8
}
words toll re
words toll report p.folded --value ""
words toll report p.folded --focus ""
words toll annotate p.folded pa
words toll convert --to spe
END
toll=$(dirname "$TOLL")
PATH=$toll:$PATH
for shell in bash zsh fish; do
    "$TOLL" help --completion $shell >toll.$shell
done
bash --norc bash.sh
# Every option of a command is offered by each shell, and no other.
for command in annotate attach check convert diff instrument merge report run view; do
    for shell in bash zsh fish; do
        case $shell in
        bash) sed -n "s/^    $command) options=\"//p" toll.bash | tr ' ' '\n' | sed -n 's/^--\([a-z-]*\)$/\1/p' ;;
        zsh) zsh -f -c '_arguments() { print -rl -- "$@" | sed -nE "s/^[^-]*--([a-z-]+).*/\1/p"; }; compdef() { : }
                words=(toll '$command' "") CURRENT=3; source ./toll.zsh; _toll' 2>/dev/null ;;
        fish) HOME=$PWD fish --no-config -c "source toll.fish; complete -C 'toll $command --'" | sed -n 's/^--\([a-z-]*\).*/\1/p' ;;
        esac | sort >"$shell.options"
    done
    "$TOLL" help $command | sed -nE 's/^ +(-., )?--([a-z-]+).*/\2/p' | sort >help.options
    for shell in bash zsh fish; do
        cmp -s $shell.options help.options && [ -s help.options ] || echo "$shell: not the options of $command: $(diff $shell.options help.options | tr '\n' ' ')"
    done
done
python3 "$DATA/../help/type_tab.py" ./toll.bash 'toll annotate p.folded std::v' 'toll annotate p.folded oper' \
    'toll annotate p.folded x' 'toll report p.folded --focus std::v' \
    'toll annotate p.folded operator\<\<\(i' 'toll annotate p.fol' 'toll report pag'
cat >fish.fish <<'END'
source toll.fish
for line in "toll doc" "toll report p.folded --value " "toll report p.folded --focus " "toll convert --to spe"
    echo "fish: $line"
    complete -C $line | string replace \t ': ' | head -8
end
END
HOME=$PWD fish --no-config fish.fish
cat >zsh.zsh <<'END'
compadd() { print -rl -- "zsh:" ${(P)@[-1]} }
compdef() { : }
_arguments() { : }
words=(toll report p.folded --focus '') CURRENT=5
source ./toll.zsh
words=(report p.folded --focus '')
_toll_words functions
END
zsh -f zsh.zsh
[ ! -e hacked ] || echo "a name was executed"
"$TOLL" help --words functions no/such/file
"$TOLL" help --words nothing p.folded
# The first thread, value and label are words, too.
cat >threads.trace.json <<'END'
{"traceEvents": [
{"ph": "X", "name": "f", "ts": 1, "dur": 5, "pid": 1, "tid": 1}, {"ph": "X", "name": "g", "ts": 1, "dur": 5, "pid": 1, "tid": 2}]}
END
for words in functions names threads values; do
    echo "$words: $("$TOLL" help --words $words threads.trace.json | tr '\n' ' ')"
done
"$TOLL" convert --label host=a --label commit=1 threads.trace.json -o labelled.pb.gz
echo "labels: $("$TOLL" help --words labels labelled.pb.gz | tr '\n' ' ')"
