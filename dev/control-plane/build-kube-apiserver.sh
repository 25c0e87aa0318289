#!/usr/bin/env bash
# Builds kube-apiserver 1.20.2 from Debian's source package, once, and unpacks etcd beside it; its last
# line is the folder that holds both.
set -euo pipefail
. "$(dirname "$0")/debian-packages.sh"

private_apt bookworm >&2
version=$(apt-cache "${APT[@]}" showsrc kubernetes | sed -n 's/^Version: //p' | head -n 1)
target=$CACHE/kube-apiserver-${version//[^A-Za-z0-9.+-]/_}
if [ -x "$target/kube-apiserver" ] && [ -x "$target/etcd" ]; then
  echo "$target"
  exit 0
fi

work=$CACHE/build-kube-apiserver
rm -rf "$work"
mkdir -p "$work/source" "$target"
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
unpack_packages "$work/debian" golang-1.19-go golang-1.19-src etcd-server \
  golang-github-modern-go-reflect2-dev >&2
complete_goroot "$work/debian" 1.19
(cd "$work/source" && apt-get "${APT[@]}" source --download-only kubernetes >&2)

tree=$work/go/src/k8s.io/kubernetes
mkdir -p "$tree"
tar -xf "$work"/source/kubernetes_*.orig.tar.* -C "$tree" --strip-components=1
# The vendored version crashes at the first custom resource when a newer Go built it.
rm -rf "$tree/vendor/github.com/modern-go/reflect2"
cp -r "$work/debian/usr/share/gocode/src/github.com/modern-go/reflect2" "$tree/vendor/github.com/modern-go/"

export GOROOT=$work/debian/usr/lib/go-1.19 GOPATH=$work/go GO111MODULE=off GOFLAGS=
export GOCACHE=$work/go-cache CGO_ENABLED=0
go() { "$GOROOT/bin/go" "$@"; }
cd "$tree"

# The source package lacks the OpenAPI definitions, which the server needs to start.
go build -o "$work/openapi-gen" k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen
inputs=$(
  {
    for name in api apimachinery apiserver apiextensions-apiserver kube-aggregator client-go \
      component-base metrics; do
      grep -rl --include='*.go' --exclude='*_test.go' '+k8s:openapi-gen=' "staging/src/k8s.io/$name" || true
    done | xargs -n 1 dirname | sed 's#^staging/src/#k8s.io/kubernetes/vendor/#'
    grep -rl --include='*.go' --exclude='*_test.go' '+k8s:openapi-gen=' pkg | xargs -n 1 dirname |
      sed 's#^#k8s.io/kubernetes/#'
  } | sort -u | paste -sd, -
)
"$work/openapi-gen" -O zz_generated.openapi -h hack/boilerplate/boilerplate.generatego.txt \
  -i "$inputs" -p k8s.io/kubernetes/pkg/generated/openapi --output-base "$work/generated" \
  -r /dev/null >&2
cp "$work"/generated/k8s.io/kubernetes/pkg/generated/openapi/* pkg/generated/openapi/

flags='-s -w'
for package in k8s.io/kubernetes/vendor/k8s.io/component-base/version \
  k8s.io/kubernetes/vendor/k8s.io/client-go/pkg/version; do
  flags+=" -X $package.gitVersion=v1.20.2 -X $package.gitMajor=1 -X $package.gitMinor=20"
done
go build -trimpath -ldflags "$flags" -o "$work/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
cp "$work/debian/usr/bin/etcd" "$target/etcd"
mv "$work/kube-apiserver" "$target/kube-apiserver"
echo "$target"
