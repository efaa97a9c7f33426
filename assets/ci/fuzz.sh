#!/bin/sh
# Fuzzes an app on the first device that adb sees, as a step of continuous integration. It ends with 0 if nothing new was
# found, with 1 if there are bugs that the baseline does not know, and with 2 or 3 if the app could not be tested.
#
#   PACKAGE   the app, such as org.example.notes
#   APK       a file to install first; what is installed already if empty
#   SPEC      a specification file; without one, what every app must keep is looked for
#   EVENTS    events of the campaign, in all
#   MINUTES   limit for each engine, on the device's clock
#   BASELINE  the file of known bugs, kept in the repository; copy OUT/baseline.json there to accept what was found
#   OUT       the folder for results
set -eu
: "${PACKAGE:?set PACKAGE to the name of the app}"
out=${OUT:-taproof-results}
mkdir -p "$out"
adb wait-for-device
serial=$(adb devices | awk '$2 == "device" { print $1; exit }')
if [ -n "${APK:-}" ]; then
  taproof devices install "$APK" --device "$serial"
fi
# The data that the app holds on the device are cleared; --keep-data tests it as it is.
set -- --device "$serial" --package "$PACKAGE" --clear-data --seed "${SEED:-1}"
if [ -n "${SPEC:-}" ]; then
  set -- "$@" --spec "$SPEC"
fi
taproof fuzz "$@" --events "${EVENTS:-2000}" --minutes "${MINUTES:-20}" --workspace "$out/workspace" \
  --fail-on new --baseline "${BASELINE:-taproof-baseline.json}" --write-baseline "$out/baseline.json" \
  --junit "$out/junit.xml" --html "$out/report.html" --summary "${GITHUB_STEP_SUMMARY:-$out/summary.md}"
