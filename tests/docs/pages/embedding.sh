needs cc
awk '/^```c$/ { take = 1; next } /^```$/ { if (take) exit } take' "$source/docs/embedding.md" >guest.c
put '$(pkg-config --cflags --libs toll)' "-I$source/include -L$build/lib -Wl,-rpath,$build/lib -ltoll"
