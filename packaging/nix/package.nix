# SPDX-License-Identifier: MIT
# The package of this tree for Nix: nix-build packaging/nix, or callPackage ./packaging/nix/package.nix { }.
{ lib, stdenv, cmake, ninja, opencl-headers, ocl-icd }:

stdenv.mkDerivation {
  pname = "dmm";
  version = lib.head (builtins.match ".*DMM_VERSION +\"([0-9.]+)\".*" (builtins.readFile ../../include/dmm/version.h));
  src = lib.cleanSourceWith {
    src = lib.cleanSource ../..;
    filter = path: type: baseNameOf path != "build";
  };

  nativeBuildInputs = [ cmake ninja ];
  buildInputs = [ ocl-icd ];
  propagatedBuildInputs = [ opencl-headers ];

  cmakeFlags = [
    "-DDMM_ONE_LIBRARY=ON"
    "-DDMM_BENCH=OFF"
    "-DDMM_LAB=OFF"
    "-DDMM_METER=OFF"
    "-DDMM_MPI=OFF"
    "-DDMM_PYTHON=OFF"
    "-DDMM_TESTS=OFF"
  ];

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/dmm --version
  '';

  meta = {
    description = "Sorting and other primitives in OpenCL without bank conflicts";
    license = lib.licenses.mit;
    platforms = lib.platforms.unix;
    mainProgram = "dmm";
  };
}
