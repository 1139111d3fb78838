needs clang node
mkdir obj
cat >sort.c <<'END'
static int less(int a, int b) { return a < b; }
int main(void) { int n = 0; for (int i = 0; i < 100; i++) n += less(i, 50); return n != 50; }
END
clang() { command clang --sysroot=/usr "$@"; }
