#!/usr/bin/env bash
# Compares parley tools with the same messages over a bare pipe, side by side.
# What it measures needs no gate: budgets hold on a quiet machine.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"
use_cached_node
PARLEY_ZOO=${PARLEY_ZOO:-$(bash .ci/servers.sh)}
export PARLEY_ZOO
if [ -z "${PARLEY_BIN:-}" ]; then
  PARLEY_BIN=$root/.cache/ci/parley
  CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$PARLEY_BIN" .
fi
export PARLEY_BIN
go test ./e2e -run '^$' -bench Startup -benchtime "${1:-30x}"
