#!/usr/bin/env bash
# Builds kubelet, kube-controller-manager, kube-scheduler, kube-proxy and kubectl from Debian 12's source
# package, once. The last line of the output is the folder that holds them.
set -euo pipefail
. "$(dirname "$0")/../control-plane/debian-packages.sh"

PROGRAMS=(kubelet kube-controller-manager kube-scheduler kube-proxy kubectl)

private_apt bookworm >&2
version=$(apt-cache "${APT[@]}" showsrc kubernetes | sed -n 's/^Version: //p' | head -n 1)
target=$CACHE/kubernetes-node-${version//[^A-Za-z0-9.+-]/_}
# The last program marks a complete build.
if [ -x "$target/${PROGRAMS[-1]}" ]; then
  echo "$target"
  exit 0
fi

work=$CACHE/build-kubernetes-node
rm -rf "$work"
mkdir -p "$work/source" "$work/bin" "$target"
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
unpack_packages "$work/debian" golang-1.19-go golang-1.19-src golang-github-modern-go-reflect2-dev >&2
complete_goroot "$work/debian" 1.19
(cd "$work/source" && apt-get "${APT[@]}" source --download-only kubernetes >&2)

tree=$work/go/src/k8s.io/kubernetes
mkdir -p "$tree"
tar -xf "$work"/source/kubernetes_*.orig.tar.* -C "$tree" --strip-components=1
# The vendored version crashes when a newer Go built it.
rm -rf "$tree/vendor/github.com/modern-go/reflect2"
cp -r "$work/debian/usr/share/gocode/src/github.com/modern-go/reflect2" "$tree/vendor/github.com/modern-go/"

export GOROOT=$work/debian/usr/lib/go-1.19 GOPATH=$work/go GO111MODULE=off GOFLAGS=
export GOCACHE=$work/go-cache CGO_ENABLED=0
cd "$tree"
flags='-s -w'
for package in k8s.io/kubernetes/vendor/k8s.io/component-base/version \
  k8s.io/kubernetes/vendor/k8s.io/client-go/pkg/version; do
  flags+=" -X $package.gitVersion=v1.20.2 -X $package.gitMajor=1 -X $package.gitMinor=20"
done
# The source of the container that holds a pod's namespaces.
cp build/pause/linux/pause.c "$target/pause.c"
# The tag leaves out the clients of cloud providers, which take minutes to compile.
for program in "${PROGRAMS[@]}"; do
  nice -n 19 "$GOROOT/bin/go" build -trimpath -tags providerless -ldflags "$flags" -o "$work/bin/$program" \
    "k8s.io/kubernetes/cmd/$program" >&2
  mv "$work/bin/$program" "$target/$program"
done
echo "$target"
