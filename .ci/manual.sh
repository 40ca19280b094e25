#!/usr/bin/env bash
# Writes the manual pages that go into releases, as they are for the archives and
# compressed for the packages: .ci/manual.sh VERSION UNIXTIME
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=.cache/man
rm -rf "$out"
mkdir -p "$out"
# For this machine, whatever a release is being built for.
GOOS='' GOARCH='' go run ./.ci/man "$out/plain" "$1" "$2"
for section in 1 7; do
  mkdir -p "$out/man$section"
  cp "$out"/plain/*."$section" "$out/man$section/"
  gzip -9n "$out/man$section"/*
done
