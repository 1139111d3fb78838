vcpkg_download_distfile(archive
  URLS "@HOME@/releases/download/v${VERSION}/toll-${VERSION}.tar.gz"
  FILENAME "toll-${VERSION}.tar.gz"
  SHA512 @SHA512:toll-@VERSION@.tar.gz@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_cmake_configure(SOURCE_PATH "${source}"
  OPTIONS -DTOLL_COMMAND=OFF -DTOLL_HOSTS=OFF -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF -DTOLL_SHARED=${shared})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Toll CONFIG_PATH lib/cmake/Toll)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE" "${source}/NOTICE")
