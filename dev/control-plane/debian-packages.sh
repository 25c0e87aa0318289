# What the two builds share: Debian packages fetched with an apt state of their own and unpacked into
# the cache, so that nothing is installed and no right is needed. To be sourced.

CACHE=${SIGCASE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sigcase}/control-plane

# The first archive of this machine's own list, for another suite.
# $1: suite; $2: file to write
write_sources() {
  local uri keyring
  uri=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
  [ -n "$uri" ] || uri=$(sed -nE 's/^deb (\[[^]]*\] )?([^ ]+) .*/\2/p' /etc/apt/sources.list | head -n 1)
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$uri" "$1" >"$2"
  printf 'deb-src [signed-by=%s] %s %s main\n' "$keyring" "$uri" "$1" >>"$2"
}

# Makes APT, the options of a private state. $1: suite
private_apt() {
  local state=$CACHE/apt-$1
  mkdir -p "$state/lists/partial" "$state/archives/partial"
  : >"$state/status"
  write_sources "$1" "$state/sources.list"
  APT=(-q -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status"
    -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives"
    -o "APT::Sandbox::User=" -o APT::Install-Recommends=false -o Debug::NoLocking=true)
  apt-get "${APT[@]}" update
}

# Fetches packages and unpacks them. $1: where; the rest: packages
unpack_packages() {
  local target=$1 archive
  shift
  mkdir -p "$target"
  (
    cd "$(mktemp -d)"
    apt-get "${APT[@]}" download "$@"
    for archive in *.deb; do dpkg-deb -x "$archive" "$target"; done
    rm -rf "$PWD"
  )
}

# Go as the compiler expects to find itself. $1: where Debian's packages were unpacked; $2: version
complete_goroot() {
  local name
  for name in api misc src test; do
    [ -e "$1/usr/share/go-$2/$name" ] && ln -sfn "$1/usr/share/go-$2/$name" "$1/usr/lib/go-$2/$name"
  done
}
