#!/usr/bin/env bash
# Takes the picture of the README: the real screen on the demo server, in tmux.
#
#   bash .ci/picture.sh         writes docs/screen.svg
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
tmux_() { tmux -L parley-picture -f /dev/null "$@"; }
finish() {
  tmux_ kill-server 2>/dev/null || true
  for _ in $(seq 50); do # parley may still be writing its session
    rm -rf "$work" 2>/dev/null && return
    sleep 0.1
  done
}
trap finish EXIT

go build -o "$work/parley" .
go build -o "$work/picture" ./.ci/picture

screen() { tmux_ capture-pane -p -t picture 2>/dev/null; }
until_shows() {
  for _ in $(seq 100); do
    screen | grep -qF -- "$1" && return
    sleep 0.1
  done
  echo "picture: \"$1\" does not come up" >&2
  exit 1
}
press() { tmux_ send-keys -t picture "$@"; }
write() { tmux_ send-keys -t picture -l -- "$1"; }

tmux_ new-session -d -s picture -x 110 -y 34 -e "XDG_STATE_HOME=$work/state" "$work/parley demo"
until_shows '● ready'
until_shows 'get_forecast'
press j Enter
until_shows 'esc leave'
write 40.7128 && press Tab && write -74.006
until_shows '"longitude":-74.006}'
press C-s
until_shows '─ result · ok'
tmux_ capture-pane -e -p -t picture | "$work/picture" >docs/screen.svg
echo "docs/screen.svg written"
