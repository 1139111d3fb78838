#!/bin/sh
# recipes.sh TOLL SOURCE DIST WORK - the release's recipes for other package managers, by their own clients where these can be
# had: Conan and makepkg build and install from the release's archive, Nix parses its file. The others are checked as far
# as their syntax goes: Homebrew's by ruby, if there is one; winget's and vcpkg's by readers of YAML and JSON. Every sum and
# every name of an archive must be one of the release.
. "$(dirname "$0")/common.sh"
needs python3 makepkg nix-instantiate cmake unzip
set -e
stop() { # what is wrong: the rest stands on it
    fail "$*"
    exit 1
}

tar xzf "$(file_of "toll-*-recipes.tar.gz")"
mv toll-*-recipes recipes
archive=$dist/toll-$version.tar.gz
! grep -rnE '@[A-Z0-9]+(:[^@]*)?@' recipes || stop "a word is not replaced"
grep -rhoE '\b([0-9a-f]{128}|[0-9a-f]{64})\b' recipes | sort -u >sums
[ "$(wc -l <sums)" -ge 6 ] || stop "there are few sums"
(cd "$dist" && sha256sum -- *.gz *.zip && sha512sum -- *.gz) | cut -d' ' -f1 >all
while IFS= read -r sum; do
    grep -qx "$sum" all || stop "no archive has the sum $sum"
done <sums
for name in $(grep -rhoE "toll-$version[a-z0-9_-]*\.(tar\.gz|zip)" recipes | sort -u); do
    [ -e "$dist/$name" ] || stop "no archive is called $name"
done

# Conan: a package of the library, and a program that is linked with it.
python3 -m venv conan
conan/bin/pip -q install 'conan>=2,<3' pyyaml >pip.log 2>&1 || { cat pip.log; exit 1; }
export CONAN_HOME=$work/conan-home
conan=$work/conan/bin/conan
$conan profile detect >conan.log 2>&1
sed -i "s|https://[^\"]*/toll-$version.tar.gz|file://$archive|" recipes/conan/conandata.yml
$conan create recipes/conan --build=missing -nr -o 'toll/*:with_zlib=False' >conan.log 2>&1 || { tail -40 conan.log; exit 1; }
mkdir -p use
cat >use/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(use C)
find_package(Toll REQUIRED)
add_executable(use use.c)
target_link_libraries(use Toll::toll)
END
cat >use/use.c <<'END'
#include <stdio.h>
#include <toll/toll.h>
int main(void) { return puts(toll_version()) < 0; }
END
$conan install --requires "toll/$version" -nr -o 'toll/*:with_zlib=False' -g CMakeDeps -g CMakeToolchain -of use/deps >conan.log 2>&1 || { tail -40 conan.log; exit 1; }
cmake -S use -B use/build -DCMAKE_TOOLCHAIN_FILE="$work/use/deps/conan_toolchain.cmake" -DCMAKE_BUILD_TYPE=Release >use.log 2>&1 &&
    cmake --build use/build >>use.log 2>&1 || { cat use.log; exit 1; }
[ "$(use/build/use)" = "$version" ] || stop "a program with Conan's library prints $(use/build/use)"
echo "Conan: packaged, linked, run"

# makepkg: builds as Arch does, from the archive. It refuses to run as root.
mkdir aur
cp recipes/aur/PKGBUILD "$archive" aur
as_user=
if [ "$(id -u)" = 0 ]; then
    chown -R nobody aur
    chmod 755 "$work"
    as_user="setpriv --reuid nobody --regid nogroup --clear-groups"
fi
(cd aur && HOME=$work/aur PKGEXT=.pkg.tar $as_user makepkg --nodeps --nosign >makepkg.log 2>&1) || { tail -40 aur/makepkg.log; exit 1; }
mkdir aur/root
tar xf aur/toll-*.pkg.tar -C aur/root 2>/dev/null
aur/root/usr/bin/toll report "$source/tests/cli/data/example.folded" >aur/report
"$native" report "$source/tests/cli/data/example.folded" | cmp - aur/report || stop "the report of the package for Arch"
[ -e aur/root/usr/share/toll/run.cjs ] || stop "no toll run of WebAssembly in the package for Arch"
[ -e aur/root/usr/share/licenses/toll/LICENSE ] || stop "no licence in the package for Arch"
echo "makepkg: built, unpacked, a report equal to this build's"

nix-instantiate --parse recipes/nix/package.nix >/dev/null
conan/bin/python -c 'import json, sys, yaml
winget = yaml.safe_load(open("recipes/winget/Toll.Toll.yaml"))
assert winget["Installers"][0]["InstallerSha256"] and winget["PackageVersion"] == sys.argv[1]
assert json.load(open("recipes/vcpkg/vcpkg.json"))["version"] == sys.argv[1]' "$version"
unzip -l "$dist/toll-$version-x86_64-windows-gnu.zip" | grep -q "toll-$version-x86_64-windows-gnu/bin/toll.exe" || stop "winget names a program that is not in the archive"
if command -v ruby >/dev/null 2>&1; then
    ruby -c recipes/homebrew/toll.rb >/dev/null
else
    echo "not tested: there is no ruby, which reads Homebrew's file"
fi
echo "not tested: Conan with zlib, whose recipe is on a server that this test does not ask; vcpkg, winget, Homebrew and Docker have no client here; their files name archives of the release"
