#!/usr/bin/env bash
# Writes the shell completions that go into the release archives.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=.cache/completions
mkdir -p "$out"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
# For this machine, whatever a release is being built for.
GOOS='' GOARCH='' go build -o "$bin/parley" .
"$bin/parley" completion bash >"$out/parley.bash"
"$bin/parley" completion zsh >"$out/_parley"
"$bin/parley" completion fish >"$out/parley.fish"
for f in "$out"/*; do
  grep -q parley "$f" || { echo "$f is no completion of parley" >&2; exit 1; }
done
