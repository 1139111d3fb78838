# The linker's names instead of those that people write: of Rust, which needs no library.
cat >p.folded <<'F'
main;_RNvCs1234_7mycrate3foo 5
main;_RNvCs1234_7mycrate3foo;_ZN4core3fmt5write17h0123456789abcdefE 3
F
$TOLL report p.folded
$TOLL report --mangled p.folded
$TOLL report --mangled --by-site p.folded
$TOLL convert --mangled p.folded --to folded -o -
$TOLL convert p.folded -o p.pb.gz && $TOLL report --mangled --tree p.pb.gz
