# SPDX-License-Identifier: MIT
# Run by CPack on the staged files of each package before it packs them: adds the documents that Debian's policy
# requires. https://www.debian.org/doc/debian-policy/ch-docs.html
file(GLOB former ${CPACK_PACKAGE_DIRECTORY}/*.deb)
foreach(package IN LISTS former)
  file(REMOVE ${package})
endforeach()

file(READ ${CPACK_DMM_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE ".*Copyright \\(c\\) ([^\n]*)\n\n" "Copyright: \\1\nLicense: MIT\n" license "${license}")
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n([^\n]*)" "\n \\1" license "${license}")
string(REPLACE "\n License: MIT" "\nLicense: MIT" license "${license}")
string(STRIP "${license}" license)
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: dmm

Files: *
${license}
")

string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(version ${CPACK_PACKAGE_VERSION})
set(changelog "dmm (${version}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${version}: changelog.gz says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} COMPONENT)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  set(share ${root}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  set(documents ${share}/doc/${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
  file(WRITE ${documents}/copyright "${copyright}")
  file(WRITE ${documents}/changelog.Debian "${changelog}")
  configure_file(${CPACK_DMM_SOURCE_DIR}/CHANGELOG.md ${documents}/changelog COPYONLY)
  file(GLOB texts ${documents}/changelog* ${share}/man/man1/*)
  file(GLOB_RECURSE objects ${root}/*.a ${root}/*.so.*.* ${root}/*_meter*.so ${root}/*-rewrite ${root}/*/bin/*)
  execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND strip --strip-debug --remove-section=.comment ${objects} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
