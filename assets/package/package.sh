#!/usr/bin/env bash
# Makes what people download, for this computer's architecture, in target/package:
#
#   taproof-VERSION-ARCH-linux.tar.gz   bin and share: the program, its menu entry and icons, manual pages, completions
#   taproof_VERSION_ARCH.deb            the same for Debian and Ubuntu, where dpkg-deb is
#   SHA256SUMS                          the checksums of both
#
# Usage: assets/package/package.sh [FOLDER]
#
# The program is built by cargo, unless TAPROOF_BINARY names one. Needs Rust, gcc with its binutils, tar and gzip; nothing is
# downloaded but what cargo needs. The same program gives the same bytes: times are those of the last commit, or of
# SOURCE_DATE_EPOCH. DEBFULLNAME and DEBEMAIL name the maintainer of the .deb.
set -euo pipefail
umask 022
out=${1:+$(realpath -m "$1")}
[ -z "${TAPROOF_BINARY:-}" ] || TAPROOF_BINARY=$(realpath "$TAPROOF_BINARY")
cd "$(dirname "$0")/../.."
out=${out:-$PWD/target/package}
if [ -z "${TAPROOF_BINARY:-}" ]; then
  cargo build --release --locked
  TAPROOF_BINARY=${CARGO_TARGET_DIR:-target}/release/taproof
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH LC_ALL=C
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
rm -f "$out"/taproof-*.tar.gz "$out"/taproof_*.deb "$out"/SHA256SUMS

# Everything as it lies below /usr.
name=taproof-$version-$(uname -m)-linux
tree=$work/$name
share=$tree/share
install -D "$TAPROOF_BINARY" "$tree/bin/taproof"
strip "$tree/bin/taproof"
install -D -m 644 assets/package/taproof.desktop "$share/applications/taproof.desktop"
install -D -m 644 assets/package/taproof.svg "$share/icons/hicolor/scalable/apps/taproof.svg"
install -D -m 644 assets/package/taproof.png "$share/icons/hicolor/256x256/apps/taproof.png"
"$tree/bin/taproof" man "$share/man/man1" >/dev/null
gzip -n9 "$share"/man/man1/*.1
completions() {
  mkdir -p "$(dirname "$share/$2")"
  "$tree/bin/taproof" completions "$1" >"$share/$2"
}
completions bash bash-completion/completions/taproof
completions zsh zsh/site-functions/_taproof
completions fish fish/vendor_completions.d/taproof.fish
documents=$share/doc/taproof
install -D -m 644 -t "$documents" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE
install -D -m 644 assets/fonts/LICENSE "$documents/LICENSE-fonts"
install -D -m 644 -t "$documents/book" src/book/*.md

tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$name" |
  gzip -n9 >"$out/$name.tar.gz"

debian() {
  local root=$work/debian architecture glibc
  local maintainer="${DEBFULLNAME:-The Taproof authors} <${DEBEMAIL:-authors@taproof.invalid}>"
  architecture=$(dpkg-deb --version >/dev/null && dpkg --print-architecture)
  mkdir -p "$root/usr" "$root/DEBIAN"
  cp -a "$tree/." "$root/usr"
  mkdir "$root/usr/share/zsh/vendor-completions"
  mv "$root/usr/share/zsh/site-functions/_taproof" "$root/usr/share/zsh/vendor-completions/"
  rmdir "$root/usr/share/zsh/site-functions"
  printf 'taproof (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in this folder.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" |
    gzip -n9 >"$root/usr/share/doc/taproof/changelog.gz"
  {
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    echo "Upstream-Name: Taproof"
    echo
    echo "Files: *"
    sed -n 's/^Copyright (c) /Copyright: /p' LICENSE-MIT
    echo "License: Expat or Apache-2.0"
    echo "Comment: the texts are LICENSE-MIT and LICENSE-APACHE in this folder; built-in fonts: LICENSE-fonts, Apache-2.0"
  } >"$root/usr/share/doc/taproof/copyright"
  # The oldest C library that has all the functions which the program calls.
  glibc=$(objdump -T "$tree/bin/taproof" | grep -o 'GLIBC_2[.0-9]*' | sort -uV | tail -n1)
  cat >"$root/DEBIAN/control" <<CONTROL
Package: taproof
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= ${glibc#GLIBC_}), libgcc-s1, libgl1, libegl1, libx11-6, libx11-xcb1, libxcursor1, libxi6, libxkbcommon0, libxkbcommon-x11-0
Recommends: adb, fonts-noto-core, xdg-desktop-portal
Suggests: android-sdk-platform-tools
Section: devel
Priority: optional
Description: finds the bugs of Android apps that do not crash
 Taproof mixes the functions of an app with random events, keeps a model of
 the data that the app should hold, and reports every screen that contradicts
 it, with a minimised trace. A window and a command line in one program, with
 a simulated phone to try it on.
CONTROL
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  find "$root" -print0 | xargs -0 touch -h -d "@$SOURCE_DATE_EPOCH"
  dpkg-deb --root-owner-group -Zgzip --build "$root" "$out/taproof_${version}_$architecture.deb" >/dev/null
}
if command -v dpkg-deb >/dev/null && command -v dpkg >/dev/null; then
  debian
else
  echo "no .deb: there is no dpkg-deb here" >&2
fi

cd "$out"
for file in taproof-*.tar.gz taproof_*.deb; do
  [ ! -e "$file" ] || sha256sum "$file"
done >SHA256SUMS
cat SHA256SUMS
