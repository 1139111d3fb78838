{ lib, stdenv, fetchurl, cmake, pkg-config, zlib, lua5_1, lua5_2, lua5_3, lua5_4 }:

stdenv.mkDerivation rec {
  pname = "toll";
  version = "@VERSION@";
  src = fetchurl {
    url = "@HOME@/releases/download/v${version}/toll-${version}.tar.gz";
    sha256 = "@SHA256:toll-@VERSION@.tar.gz@";
  };
  nativeBuildInputs = [ cmake pkg-config ];
  buildInputs = [ zlib lua5_1 lua5_2 lua5_3 lua5_4 ];
  cmakeFlags = [ "-DTOLL_TESTS=OFF" "-DTOLL_BENCH=OFF" ];
  meta = {
    description = "Profiler that counts what every call costs in a virtual machine's programs";
    homepage = "@HOME@";
    license = lib.licenses.mit;
    mainProgram = "toll";
    platforms = lib.platforms.unix;
  };
}
