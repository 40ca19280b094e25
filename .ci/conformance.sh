#!/usr/bin/env bash
# Runs the official conformance suite on a binary of parley, each scenario singly:
#
#   bash .ci/conformance.sh PARLEY
#
# A scenario passes if the suite's exit status is 0 and at least one of its checks
# succeeded: without the second a program that does nothing passes some. What parley
# does in a scenario is a script in testdata/conformance. Every scenario is run with
# its version given and with --protocol auto. Then controls, programs that must fail.
# Scenarios of authorization are left out.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

parley=$(realpath "$1")
scripts=$root/testdata/conformance
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HTTP_PROXY HTTPS_PROXY http_proxy https_proxy

# install puts the suite, pinned by its lock file, outside the clone.
install() {
  local hash dir
  hash=$(sha256sum <"$scripts/package-lock.json" | cut -c1-12)
  dir=$cache/conformance-$hash
  if [ ! -e "$dir/complete" ]; then
    rm -rf "$dir.part"
    mkdir -p "$dir.part"
    cp "$scripts"/package.json "$scripts"/package-lock.json "$dir.part"
    (cd "$dir.part" && npm ci --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error) >&2
    touch "$dir.part/complete"
    rm -rf "$dir"
    mv "$dir.part" "$dir"
  fi
  suite=$dir/node_modules/@modelcontextprotocol/conformance/dist/index.js
}

# required VERSION lists the scenarios of a version that a client must pass, and one
# that was added after its release.
required() {
  node "$suite" list --requirements "$1" |
    sed -n '/^Client scenarios/,/^$/s/^  - //p' | grep -v '^auth/'
  echo json-schema-2020-12-preservation
}

# scenario NAME VERSION COMMAND sets checks to how many succeeded.
scenario() {
  local out=$work/$1-$2 status=0
  rm -rf "$out"
  mkdir -p "$out"
  node "$suite" client --command "$3" --scenario "$1" --spec-version "$2" \
    --timeout 25000 -o "$out" >"$out/log" 2>&1 || status=$?
  checks=$(find "$out" -name checks.json -exec cat {} + | { grep -c '"status": "SUCCESS"' || true; })
  [ "$status" -eq 0 ] && [ "$checks" -gt 0 ]
}

# command PROTOCOL OPTIONS… is the command line that the suite appends its URL to.
command_line() {
  local protocol=$1
  shift
  printf '%q ' "$parley" run --protocol "$protocol" --vars-env MCP_CONFORMANCE_CONTEXT --no-record --timeout 20s "$@"
  # shellcheck disable=SC2016 # the suite's shell is to expand it
  printf '%q/"$MCP_CONFORMANCE_SCENARIO".mcp' "$scripts"
}

report() {
  local log
  printf '%s with --protocol %s, %s checks:\n' "$1" "$2" "$checks"
  for log in "$work/$1-$3"/log "$work/$1-$3"/*/std*.txt "$work/$1-$3"/*/*/std*.txt; do
    [ -s "$log" ] && tail -n 40 "$log"
  done
  true
}

version() {
  local version=$1 protocol name passed total=0 failed=0
  mapfile -t names < <(required "$version")
  [ "${#names[@]}" -gt 3 ] || die "the suite names only ${#names[@]} scenarios for $version"
  for protocol in "$version" auto; do
    passed=0 total=0
    for name in "${names[@]}"; do
      [ -e "$scripts/$name.mcp" ] || die "there is no script for $name"
      if scenario "$name" "$version" "$(command_line "$protocol")"; then
        passed=$((passed + 1)) total=$((total + checks))
      else
        failed=1
        report "$name" "$protocol" "$version"
      fi
    done
    printf '%s, --protocol %s: %d of %d scenarios, %d checks\n' "$version" "$protocol" "$passed" "${#names[@]}" "$total"
  done
  [ "$failed" -eq 0 ] || bad=1
}

# control WHAT NAME VERSION COMMAND is a run that has to fail.
control() {
  if scenario "$2" "$3" "$4"; then
    printf 'control passed, and must not: %s\n' "$1"
    bad=1
  else
    controls=$((controls + 1))
  fi
}

need_node
install
bad=0 controls=0
version 2025-11-25
version 2026-07-28
for name in $(required 2025-11-25); do control "a program that does nothing: $name" "$name" 2025-11-25 true; done
for name in $(required 2026-07-28); do control "a program that does nothing: $name" "$name" 2026-07-28 true; done
decline=$work/decline.mcp
printf 'set elicit decline\ntools\ncall test_client_elicitation_defaults\n' >"$decline"
control "an elicitation declined" elicitation-sep1034-client-defaults 2025-11-25 \
  "$(printf '%q ' "$parley" run --protocol 2025-11-25 --no-record --timeout 20s "$decline")"
plain=$work/plain.mcp
printf 'tools\nrequest tools/call {"name":"invalid_empty_header","arguments":{"value":"x"}}\n' >"$plain"
control "a tool called that is to be left out" http-invalid-tool-headers 2026-07-28 \
  "$(printf '%q ' "$parley" run --force --protocol 2026-07-28 --no-record --timeout 20s "$plain")"
printf '%d controls failed, as they must\n' "$controls"
exit "$bad"
