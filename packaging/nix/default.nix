# SPDX-License-Identifier: MIT
{ pkgs ? import <nixpkgs> { } }:
pkgs.callPackage ./package.nix { }
