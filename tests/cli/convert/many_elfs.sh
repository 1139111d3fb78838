# Any number of --elf is accepted. The input is not a folder of traces, and one message says so.
elfs=$(seq 100 | sed 's/.*/--elf program&=file&/')
$TOLL convert $elfs "$DATA/example.folded" --to folded
