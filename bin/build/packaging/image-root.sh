#!/bin/sh
# usage: image-root.sh ARCHITECTURE HEMICYCLE.deb FOLDER
# Lays out the files of an image: ours, and of Debian what Node needs. No package is configured, no shell gets in.
set -eu
architecture=$1
deb=$(realpath "$2")
root=$3
mkdir -p "$root"
root=$(realpath "$root")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/lists/partial" "$scratch/debs"
signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org'
cat > "$scratch/sources.list" << END
deb $signed/debian bookworm main
deb $signed/debian-security bookworm-security main
END
debian() {
  apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root \
    -o Dir::Etc::sourcelist="$scratch/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$scratch/lists" -o Dir::State::status=/dev/null -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@"
}
debian update
(cd "$scratch/debs" && debian download libc6 gcc-12-base libgcc-s1 libstdc++6 ca-certificates)
for each in "$scratch"/debs/*.deb "$deb"; do dpkg-deb -x "$each" "$root"; done
cat "$root"/usr/share/ca-certificates/mozilla/*.crt > "$scratch/bundle"
rm -rf "$root/etc" "$root/lib/systemd" "$root/usr/lib/sysusers.d" "$root/usr/lib/hemicycle/await-ready" "$root/usr/sbin" "$root"/usr/lib/*/gconv "$root/usr/share/ca-certificates"
for each in bash-completion fish zsh lintian man gcc gdb; do rm -rf "$root/usr/share/$each"; done
find "$root/usr/share/doc" -mindepth 2 ! -name copyright ! -type d -delete
find "$root/usr/share/doc" -mindepth 1 -type d -empty -delete
for each in etc/ssl/certs var/lib/hemicycle tmp dev proc sys; do mkdir -p "$root/$each"; done
cp "$scratch/bundle" "$root/etc/ssl/certs/ca-certificates.crt"
echo 'hemicycle:x:10001:10001::/var/lib/hemicycle:/usr/sbin/nologin' > "$root/etc/passwd"
echo 'hemicycle:x:10001:' > "$root/etc/group"
