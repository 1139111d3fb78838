# Names of C++ and Rust are short in tables if they stay distinct. They are whole in files, in JSON, with --full-names,
# and for filters.
cat >before.folded <<'F'
main;std::__2::vector<int, std::__2::allocator<int> >::push_back[abi:v15006](int&&) 30
main;std::__2::map<int, char>::operator[](int&&);std::__2::less<std::__2::string>::operator()(int const&, int const&) const 20
main;lib::parse(std::__2::string const&, bool) 9
main;lib::parse(std::__2::string const&, long) 8
main;lib::load<std::__2::vector<char, a> >(int) 7
main;lib::load<std::__2::vector<long, a> >(int) 6
main;lib::run(Options const&)::{lambda(int, char)#1}::operator()(int, char) const 5
main;<alloc::vec::Vec<alloc::string::String> as core::ops::drop::Drop>::drop 4
main;function <script.lua:12> 3
F
$TOLL report before.folded
$TOLL report --full-names before.folded
$TOLL report --tree before.folded
$TOLL report --tree --full-names before.folded | head -5
$TOLL report --flame --width 76 before.folded
$TOLL report --flame --width 76 --full-names before.folded | sed -n 3p
$TOLL report --json before.folded | grep push_back
$TOLL report --focus 'allocator<int>' before.folded
sed 's/ 30$/ 35/' before.folded >after.folded
$TOLL diff before.folded after.folded
$TOLL diff --full-names before.folded after.folded
$TOLL convert -q before.folded -o x.folded && grep push_back x.folded
