#!/bin/sh
# Runs the unpacked buildah in a mount namespace of its own: unshare --mount sh buildah.sh PACKAGES FOLDER ARGUMENT...
# buildah starts itself again without LD_LIBRARY_PATH, so the loader's cache names the unpacked libraries here.
set -eu
packages=$1
folder=$2
shift 2
printf '%s\ninclude /etc/ld.so.conf\n' "$packages/usr/lib/x86_64-linux-gnu" >"$folder/ld.so.conf"
ldconfig -X -f "$folder/ld.so.conf" -C "$folder/ld.so.cache"
mount --bind "$folder/ld.so.cache" /etc/ld.so.cache
exec "$packages/usr/bin/buildah" "$@"
