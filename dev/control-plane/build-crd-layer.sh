#!/usr/bin/env bash
# Builds the CRD layer of the newest Kubernetes in Debian's development suite (CEL rules, current schema
# checks), once; its last line is the folder that holds it. Ends with 3 when the suite cannot give it.
set -euo pipefail
. "$(dirname "$0")/debian-packages.sh"

UNAVAILABLE=3
MODULE=golang-k8s-apiextensions-apiserver-dev

private_apt sid >&2 || exit $UNAVAILABLE
version=$(apt-cache "${APT[@]}" show "$MODULE" | sed -n 's/^Version: //p' | head -n 1)
compiler=$(apt-cache "${APT[@]}" depends golang-go | sed -nE 's/.*Depends: golang-([0-9.]+)-go$/\1/p' | head -n 1)
[ -n "$version" ] && [ -n "$compiler" ] || exit $UNAVAILABLE
target=$CACHE/crd-layer-${version//[^A-Za-z0-9.+-]/_}
if [ -x "$target/apiextensions-apiserver" ]; then
  echo "$target"
  exit 0
fi

work=$CACHE/build-crd-layer
rm -rf "$work"
mkdir -p "$work" "$target"
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
# Nothing counts as installed, so that the whole closure comes.
apt-get "${APT[@]}" install --download-only -y "$MODULE" "golang-$compiler-go" >&2 || exit $UNAVAILABLE
for archive in "$CACHE"/apt-sid/archives/golang-*.deb; do dpkg-deb -x "$archive" "$work/debian"; done
complete_goroot "$work/debian" "$compiler"

export GOROOT=$work/debian/usr/lib/go-$compiler GOPATH=$work/debian/usr/share/gocode
export GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local CGO_ENABLED=0 GOCACHE=$work/go-cache
"$GOROOT/bin/go" build -trimpath -ldflags '-s -w' -o "$target/apiextensions-apiserver" \
  k8s.io/apiextensions-apiserver >&2 || exit $UNAVAILABLE
rm -rf "$CACHE/apt-sid/archives"
echo "$target"
