#!/usr/bin/env bash
# Makes what people download, for this computer's architecture, in target/package:
#
#   taproof-VERSION-ARCH-linux.tar.gz   bin and share: the program, its menu entry and icons, manual pages, completions
#   taproof_VERSION_ARCH.deb            the same for Debian and Ubuntu, where dpkg-deb is
#   SHA256SUMS                          the checksums of both
#
# or, on the other systems, one archive: taproof-VERSION-ARCH-macos.tar.gz or taproof-VERSION-ARCH-windows.zip.
#
# Usage: assets/package/package.sh [FOLDER]
#
# The program is built by cargo, unless TAPROOF_BINARY names one. Needs Rust, a C compiler, tar and gzip, on Linux binutils; nothing
# is downloaded but what cargo needs. On Linux the same program gives the same bytes: times are those of the last commit, or of
# SOURCE_DATE_EPOCH. DEBFULLNAME and DEBEMAIL name the maintainer of the .deb.
set -euo pipefail
umask 022
full() { (cd "$1" && pwd); }
out=${1:+$(mkdir -p "$1" && full "$1")}
[ -z "${TAPROOF_BINARY:-}" ] || TAPROOF_BINARY=$(full "$(dirname "$TAPROOF_BINARY")")/$(basename "$TAPROOF_BINARY")
cd "$(dirname "$0")/../.."
out=${out:-$PWD/target/package}
case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) system=windows ;;
esac
if [ -z "${TAPROOF_BINARY:-}" ]; then
  cargo build --release --locked
  TAPROOF_BINARY=${CARGO_TARGET_DIR:-target}/release/taproof
fi
[ $system != windows ] || TAPROOF_BINARY=${TAPROOF_BINARY%.exe}.exe
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH LC_ALL=C
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
rm -f "$out"/taproof[-_]*.{tar.gz,zip,deb} "$out"/SHA256SUMS

name=taproof-$version-$(uname -m)-$system
tree=$work/$name
# put FOLDER FILE...
put() {
  mkdir -p "$tree/$1"
  install -m 644 "${@:2}" "$tree/$1"
}
documents() {
  put "$1" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE
  install -m 644 assets/fonts/LICENSE "$tree/$1/LICENSE-fonts"
  put "$1/book" src/book/*.md
}

if [ $system = windows ]; then
  documents .
  cp "$TAPROOF_BINARY" "$tree/"
  # The one of Windows, which makes ZIP files.
  "$SYSTEMROOT/System32/tar.exe" -a -c -f "$(cygpath -w "$out/$name.zip")" -C "$(cygpath -w "$work")" "$name"
  exit
fi

# Everything as it lies below /usr.
share=$tree/share
mkdir -p "$tree/bin"
install "$TAPROOF_BINARY" "$tree/bin/taproof"
"$tree/bin/taproof" man "$share/man/man1" >/dev/null
gzip -n9 "$share"/man/man1/*.1
completions() {
  mkdir -p "$(dirname "$share/$2")"
  "$tree/bin/taproof" completions "$1" >"$share/$2"
}
completions bash bash-completion/completions/taproof
completions zsh zsh/site-functions/_taproof
completions fish fish/vendor_completions.d/taproof.fish
documents share/doc/taproof

if [ $system = macos ]; then
  tar -C "$work" -czf "$out/$name.tar.gz" "$name"
  exit
fi

put share/applications assets/package/taproof.desktop
put share/icons/hicolor/scalable/apps assets/package/taproof.svg
put share/icons/hicolor/256x256/apps assets/package/taproof.png
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
