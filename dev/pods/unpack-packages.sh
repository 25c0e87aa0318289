#!/usr/bin/env bash
# Unpacks the Debian packages that the node and the image builder need, without installing them. The last line
# of the output is the folder that holds them.
set -euo pipefail
. "$(dirname "$0")/../control-plane/debian-packages.sh"

PACKAGES=(containerd runc containernetworking-plugins etcd-server
  iptables libxtables12 libip4tc2 libip6tc2 nftables libnftables1 libnftnl11 libmnl0 libjansson4 libedit2
  libbsd0 libmd0
  buildah golang-github-containers-common golang-github-containers-image libgpgme11 libassuan0
  libgpg-error0 libseccomp2 libdevmapper1.02.1 mmdebstrap)

private_apt bookworm >&2
versions=$(apt-cache "${APT[@]}" show --no-all-versions "${PACKAGES[@]}" | sed -n 's/^Version: //p')
target=$CACHE/node-packages-$(sha256sum <<<"$versions" | cut -c 1-12)
if [ ! -d "$target" ]; then
  rm -rf "$target.new"
  unpack_packages "$target.new" "${PACKAGES[@]}" >&2
  # Links that the installation would make.
  for name in iptables ip6tables; do
    for suffix in '' -save -restore; do
      ln -sfn xtables-nft-multi "$target.new/usr/sbin/$name$suffix"
    done
  done
  mv "$target.new" "$target"
fi
echo "$target"
