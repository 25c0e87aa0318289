#!/bin/sh
# Copies the part of Debian that Node and Deno need into an empty root: sh copy-system.sh ROOT PROGRAM. That is
# the libraries of the program, those that resolve names, a shell (the sandbox sets its limits by `ulimit`), and
# the certificates of public authorities. The records of their packages stay beside them, for scanners.
set -eu
root=$1
program=$2
packages='base-files ca-certificates dash gcc-12-base libc6 libgcc-s1 libstdc++6'

for name in usr/bin usr/sbin usr/lib usr/lib64 app run tmp; do mkdir -p "$root/$name"; done
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
chmod 1777 "$root/tmp"

# A path below /lib is one below /usr/lib, in the image too.
copy() {
  case $1 in /lib/* | /lib64/*) set -- "/usr$1" ;; esac
  mkdir -p "$root$(dirname "$1")"
  cp -pL "$1" "$root$1"
}
# ldd prints `name => path (address)`, or `path (address)` for the loader.
ldd "$program" /bin/dash | sed -nE 's#^[[:space:]]+(.* => )?(/[^ ]+) .*#\2#p' | sort -u | while read -r library; do
  copy "$library"
done
libraries=$(dirname "$(ldd /bin/dash | sed -nE 's#.* => (/[^ ]*libc\.so\.6).*#\1#p')")
for name in libnss_dns.so.2 libnss_files.so.2 libresolv.so.2 libdl.so.2 libpthread.so.0 librt.so.1; do
  copy "$libraries/$name"
done
cp -p /usr/bin/dash "$root/usr/bin/sh"
for file in /etc/ssl/certs/ca-certificates.crt /etc/os-release /etc/debian_version; do copy "$file"; done
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
printf 'root:x:0:0:root:/root:/bin/false\nnobody:x:65532:65532:nobody:/nonexistent:/bin/false\n' >"$root/etc/passwd"
printf 'root:x:0:\nnobody:x:65532:\n' >"$root/etc/group"
mkdir -p "$root/var/lib/dpkg/status.d"
for package in $packages; do
  dpkg-query --status "$package" >"$root/var/lib/dpkg/status.d/$package" 2>/dev/null || true
  notice=/usr/share/doc/$package/copyright
  [ ! -e "$notice" ] || copy "$notice"
done
