#!/usr/bin/env bash
# Process 1 of the node's namespaces (network, mounts, processes, IPC, host name): prepares them, and waits.
# Everything that the cluster makes (mounts, bridges, rules, containers) ends with it. Only cgroups are the
# machine's. node-init.sh STATE CONTAINERD_ROOT NODE_NAME NODE_ADDRESS SERVICE_RANGE DNS_ADDRESS
set -euo pipefail
state=$1 containerd=$2 name=$3 address=$4 services=$5 dns=$6

hostname "$name"
mount --make-rprivate /
mount --make-rshared /
# Folders that are built into programs: they are the node's own.
mount -t tmpfs tmpfs /run
mkdir -p "$state"/{kubelet,log,cni} "$containerd"
for pair in kubelet:/var/lib/kubelet cni:/var/lib/cni log:/var/log; do
  mount --bind "$state/${pair%%:*}" "${pair#*:}"
done
# kubelet sets these values of the kernel: here it finds them as it wants them, and the machine's stay.
for pair in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=${pair%%=*}
  [ -e "/proc/sys/$file" ] || continue
  printf '%s\n' "${pair#*=}" >"/run/$(basename "$file")"
  mount --bind "/run/$(basename "$file")" "/proc/sys/$file"
done
# Programs in here resolve the cluster's names.
printf 'nameserver %s\nsearch svc.cluster.local\noptions ndots:5\n' "$dns" >/run/resolv.conf
mount --bind /run/resolv.conf /etc/resolv.conf

# A network without a way out. An unreachable destination answers at once.
ip link set lo up
ip link add node0 type bridge
ip addr add "$address/24" dev node0
ip link set node0 up
ip route add "$services" dev node0
ip route add unreachable default
sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.route_localnet=1
sysctl -qw net.bridge.bridge-nf-call-iptables=1 net.bridge.bridge-nf-call-ip6tables=1

touch "$state/namespaces-ready"
trap 'exit 0' TERM INT
while :; do
  sleep 3600 &
  wait $! || true
done
