#!/usr/bin/env bash
# Installs the published servers that the tests talk to, pinned, outside the
# clone, and prints the folder. What is installed already is left as it is.
#
#   PARLEY_REQUIRE=1 PARLEY_ZOO=$(bash .ci/servers.sh) go test ./e2e
#
# npm runs no script of any package; the lock file fixes every version.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# folder in the installation, package at version
go_servers=(
  go-sdk github.com/modelcontextprotocol/go-sdk/conformance/everything-server@v1.8.0
  go-sdk github.com/modelcontextprotocol/go-sdk/examples/server/memory@v1.8.0
  go-sdk github.com/modelcontextprotocol/go-sdk/examples/server/sequentialthinking@v1.8.0
  mcp-go github.com/mark3labs/mcp-go/examples/everything@v1.2.1
  mcp-go github.com/mark3labs/mcp-go/examples/typed_tools@v1.2.1
)

npm_servers() {
  cp "$root"/testdata/zoo/package.json "$root"/testdata/zoo/package-lock.json .
  PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 \
    npm ci --ignore-scripts --omit=dev --no-audit --no-fund --no-progress --loglevel=error
  # A third of the space, and nothing that runs: source maps, type declarations.
  find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
}

build_go_servers() {
  local i
  for ((i = 0; i < ${#go_servers[@]}; i += 2)); do
    mkdir -p "${go_servers[i]}"
    GOBIN=$PWD/${go_servers[i]} CGO_ENABLED=0 go install -trimpath -ldflags='-s -w' "${go_servers[i + 1]}"
  done
}

hash=$(cat "$root/testdata/zoo/package-lock.json" "${BASH_SOURCE[0]}" | sha256sum | cut -c1-12)
dir=$cache/servers-$hash
if [ ! -e "$dir/complete" ]; then
  {
    mkdir -p "$cache"
    need_node
    rm -rf "$dir.part"
    mkdir -p "$dir.part/data"
    cd "$dir.part"
    npm_servers
    build_go_servers
    printf 'hello\n' >data/hello.txt
    touch complete
    cd "$cache"
    rm -rf "$dir"
    mv "$dir.part" "$dir"
  } >&2
fi
printf '%s\n' "$dir"
