# Any number of --elf; the file is no folder of traces, which is said once.
elfs=$(seq 100 | sed 's/.*/--elf program&=file&/')
$TOLL convert $elfs "$DATA/example.folded" --to folded
