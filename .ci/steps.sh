# What the scripts beside it are made of: steps that are counted, and the Debian packages that suites need.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$scratch"' EXIT
failed=0
passing=0
failing=0
pending=0

# Runs a test command and adds what it counted; one that failed without counting a failure counts as one. What hangs is ended
# after `most_minutes`, so that the summary is always printed.
tests() {
  echo "== $*"
  : > "$scratch/output"
  timeout --kill-after=30 "${most_minutes:-30}m" "$@" >> "$scratch/output" 2>&1 &
  local test=$! exit=0 failed_here start=$SECONDS
  # No pipe: it would be held open by whatever the command leaves running.
  tail --lines=+1 --follow --pid=$test "$scratch/output"
  wait $test || exit=$?
  failed_here=$(counted failing)
  [ "$exit" -eq 0 ] || [ "$failed_here" -gt 0 ] || failed_here=1
  passing=$((passing + $(counted passing)))
  failing=$((failing + failed_here))
  pending=$((pending + $(counted pending)))
  echo "== $((SECONDS - start)) s"
}

# What other programs read. A run for each file: one that hangs costs its own limit, and not what follows.
tests_of_tools() {
  step npm run --silent build
  for file in test/tools/*.test.ts; do
    TEST_LONG=1 tests npx mocha --config test/serial.mocharc.json --reporter ./test/helpers/immediate-failures.ts "$file"
  done
}

# A failure may hold the counts of a run inside it, behind those of the run itself.
counted() {
  grep -oE "^  [0-9]+ $1" "$scratch/output" | head -n 1 | grep -oE '[0-9]+' || echo 0
}

step() {
  echo "== $*"
  "$@" || { echo "failed: $*"; failed=$((failed + 1)); }
}

# The last line says it all.
summary() {
  [ "$pending" -eq 0 ] || echo "$pending skipped: what they need is not here"
  echo "$passing passed, $((failing + failed)) failed"
  [ $((failing + failed)) -eq 0 ]
}

has() {
  command -v "$1" > /dev/null
}

install() {
  export DEBIAN_FRONTEND=noninteractive
  [ -e "$scratch/updated" ] || { apt-get update -q && touch "$scratch/updated"; }
  apt-get install -y -q --no-install-recommends "$@"
}

# A pseudo-terminal for golden outputs, certificates, mounts for full disks, opened sockets, a compiler for failing writes,
# shared limits, manual pages, completion in the shells themselves.
install_small() {
  has script || step install bsdutils
  has openssl || step install openssl
  has unshare || step install util-linux
  has systemd-socket-activate || step install systemd
  has gcc || step install gcc libc6-dev
  has redis-server || step install redis-server
  has man && has groff || step install man-db groff
  has zsh || step install zsh
  has fish || step install fish
}

# Programs of others that read what we write: browsers, readers of feeds and catalogs, spreadsheets, PostgreSQL, OpenRefine, R.
install_tools() {
  has tmux || step install tmux
  has chromium || step install chromium
  has firefox-esr || step install firefox-esr
  has nginx || step install nginx-light
  has newsboat || step install newsboat
  /usr/bin/python3 -c 'import feedparser, rdflib' 2> /dev/null || step install python3-feedparser python3-rdflib
  ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || step install postgresql
  [ -e /usr/share/openrefine/server ] || step install openrefine default-jre-headless
  has soffice || step install libreoffice-calc
  has ssconvert || step install gnumeric python3-pandas python3-openpyxl
  has mlr && has csvstat && has sqlite-utils || step install miller csvkit sqlite-utils
  has Rscript || step install r-base-core
  has caddy || step install caddy
  "${PYTHON:-python3}" -c 'import pandas, pyarrow, duckdb' 2> /dev/null || install_python
  install_packagers
}

# Debian has neither Arrow nor DuckDB for Python. Where they cannot be had, what needs them is skipped.
install_python() {
  /usr/bin/python3 -c 'import ensurepip' 2> /dev/null || step install python3-venv
  /usr/bin/python3 -m venv "$scratch/python" &&
    "$scratch/python/bin/pip" install --quiet --retries 1 pandas==3.0.6 pyarrow==25.0.1 duckdb==1.5.6 &&
    export PYTHON="$scratch/python/bin/python"
}

# What packages are made with, installed in, and judged by.
install_packagers() {
  has mmdebstrap || step install mmdebstrap
  has bwrap || step install bubblewrap
  has lintian || step install lintian
  has logrotate || step install logrotate
  has umoci || step install umoci
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || step install debian-archive-keyring
  has qemu-aarch64-static || step install qemu-user-static
}

# Changes pure files of a copy in small ways, and prints the share of changes that make a test fail, by file.
mutate() {
  local project="$scratch/mutation/project" packages="$PWD/node_modules"
  mkdir -p "$project/node_modules" && cp -r src test fixtures package.json "$project" &&
    ln -s "$packages"/* "$project/node_modules" && rm "$project/node_modules/mocha" &&
    (cd "$project" && timeout 60m "$packages/node/bin/node" \
      ../node_modules/@stryker-mutator/core/bin/stryker.js run test/mutation.json)
}

# What tells a mistake within minutes. What follows is not begun where it fails.
fast_part() {
  install_small
  step npm ci
  step npm run lint
  tests npm test
  step npm run demo
  step git diff --exit-code -- oclif.manifest.json
  echo "== after the fast part ($((SECONDS / 60)) min): $passing passed, $((failing + failed)) failed"
  [ $((failing + failed)) -eq 0 ] || { summary; exit 1; }
}
