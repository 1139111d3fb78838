#!/bin/sh
# props.sh LIB DIR - what a .NET project has that imports toll-heap.props, as Mono's xbuild evaluates it: the properties and
# items whose names are those of .NET's own targets.
set -eu
lib=$1
dir=$2
command -v xbuild >/dev/null 2>&1 || { echo "skipped: there is no xbuild (Debian's package mono-xbuild)"; exit 77; }
mkdir -p "$dir"
cd "$dir"
cat >app.csproj <<'XML'
<Project DefaultTargets="Show" xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
  <PropertyGroup>
    <EmccExtraLDFlags>-lidbfs.js</EmccExtraLDFlags>
  </PropertyGroup>
  <Import Project="$(Lib)/toll-heap.props" Condition="'$(TollHeap)' == 'true'" />
  <Target Name="Show">
    <Message Text="| $(WasmBuildNative), $(WasmNativeStrip), $(WasmNativeDebugSymbols), $(EmccExtraLDFlags)" />
    <Message Text="| %(NativeFileReference.Identity), %(NativeFileReference.ScanForPInvokes)" />
    <Message Text="| %(Content.Identity) in %(Content.ContentRoot) as %(Content.Link), %(Content.UnoDeploy)" />
  </Target>
</Project>
XML
evaluated() { # options...
    xbuild /nologo /verbosity:normal "/p:Lib=$lib" "$@" app.csproj >log || { cat log; exit 1; }
    sed -n "s/^[[:space:]]*| //; t found; d; :found; s#$lib/##g; s#$lib#LIB#g; p" log
}
content() { # files...
    for file; do
        [ -s "$lib/$file" ] || { echo "there is no $file in $lib" >&2; exit 1; }
        echo "$file in  as wwwroot/toll/$file, None"
    done
}
{
    echo "true, false, false, -lidbfs.js --profiling-funcs"
    echo "toll-heap.c, false"
    content toll-heap-dotnet.js toll-heap.mjs toll-heap-file.mjs library.mjs embedder.mjs toll.wasm
} >expected
evaluated /p:TollHeap=true >with
diff expected with
evaluated >without
printf ', , , -lidbfs.js\n, \n in  as , \n' | diff - without
