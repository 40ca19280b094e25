# Shared by the scripts of .ci: where things are kept, and how steps run.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/parley-ci
logs=$root/.cache/ci
export GOBIN=$cache/bin

# Everything that is fetched has its version here, the servers in servers.sh.
golangci_lint=v2.15.0
goreleaser=v2.15.0
node_version=22.12.0 # only where the system has no node, or one older than 22

have() { command -v "$1" >/dev/null 2>&1; }

# say prints to the terminal and to the log of the whole run.
say() { printf '%s\n' "$*" | tee -a "$logs/run.log" >&3; }

# show says what a step showed, indented.
show() { printf '%s\n' "$*" | sed 's/^/   /' | tee -a "$logs/run.log" >&3; }

die() { printf '%s\n' "$*" >&2; exit 1; }

# step NAME WHAT runs the function step_NAME in a shell of its own, its output
# in a log of its own, and ends the run when it fails.
done_steps=()
only=() # the steps asked for; all when empty
step() {
  local name=$1 what=$2 start=$SECONDS status
  if [ "${#only[@]}" -gt 0 ] && [[ " ${only[*]} " != *" $name "* ]]; then return; fi
  say ''
  say "== $name: $what"
  set +e
  (set -euo pipefail; cd "$root"; "step_$name") >"$logs/$name.log" 2>&1
  status=$?
  set -e
  if [ "$status" -ne 0 ]; then
    show "$(tail -n 120 "$logs/$name.log")"
    say ''
    say "✗ $name failed ($what) after $((SECONDS - start)) s; the whole output is in $logs/$name.log"
    summary
    exit 1
  fi
  say "   ✓ $((SECONDS - start)) s"
  done_steps+=("$(printf '%-10s %5d s  %s' "$name" $((SECONDS - start)) "$what")")
}

summary() {
  say ''
  say "passed, $SECONDS s in all:"
  local line
  for line in "${done_steps[@]}"; do say "   $line"; done
}

# system_packages installs Debian packages, as root or by sudo.
system_packages() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -y)
  have apt-get || die "install these first, this machine has no apt-get: $*"
  if [ "$(id -u)" -ne 0 ]; then
    have sudo || die "install these first, or run as root: $*"
    apt=(sudo -n "${apt[@]}")
  fi
  "${apt[@]}" install --no-install-recommends "$@" && return
  "${apt[@]}" update
  "${apt[@]}" install --no-install-recommends "$@"
}

node_is_recent() {
  have node && have npm && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 22 ]
}

# use_cached_node puts the node that need_node fetched before the system's.
use_cached_node() {
  local bin=$cache/node-$node_version/node_modules/.bin
  if [ -x "$bin/node" ]; then PATH=$bin:$PATH; export PATH; fi
}

# need_node finds node and npm, or installs them: the system's where they are
# recent enough, else a node of npm's own.
need_node() {
  node_is_recent && return
  use_cached_node
  node_is_recent && return
  have npm || system_packages nodejs npm
  node_is_recent && return
  local arch package
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) die "no node for $(uname -m): install node 22 or newer" ;;
  esac
  package=node-$(uname -s | tr '[:upper:]' '[:lower:]')-$arch
  local dir=$cache/node-$node_version
  mkdir -p "$dir/node_modules/.bin"
  npm install --prefix "$dir" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error "$package@$node_version"
  ln -sf "../$package/bin/node" "$dir/node_modules/.bin/node"
  use_cached_node
  node_is_recent || die "node $(node --version) is older than 22 and $package@$node_version did not help"
}

# need_tool NAME PACKAGE VERSION builds a Go tool unless this version is there.
need_tool() {
  local name=$1 package=$2 version=$3 have_version=
  [ -x "$GOBIN/$name" ] && have_version=$(go version -m "$GOBIN/$name" | awk '$1 == "mod" {print $3}')
  if [ "$have_version" != "$version" ]; then
    # The module and its dependencies are not this repository's: outside of it.
    (cd "$cache" && CGO_ENABLED=0 go install -trimpath -ldflags='-s -w' "$package@$version")
  fi
  show "$name $(go version -m "$GOBIN/$name" | awk '$1 == "mod" {print $3}')"
}
