#!/bin/sh
# Runs a cell of a Taproof matrix on a phone of DeviceFarmer (STF): takes the phone, connects adb to it, and gives it back.
#
#   devicefarmer.sh matrix.toml
#
#   STF     the address, such as https://stf.example.org
#   TOKEN   an access token of the user whose phones they are
#   SERIAL  the phone's serial in DeviceFarmer
set -eu
: "${STF:?set STF to the address of DeviceFarmer}" "${TOKEN:?set TOKEN}" "${SERIAL:?set SERIAL}"
ask() { curl -fsS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
# It answers with an error if somebody else has the phone.
ask -X POST --data "{\"serial\": \"$SERIAL\"}" "$STF/api/v1/user/devices" >/dev/null
trap 'ask -X DELETE "$STF/api/v1/user/devices/$SERIAL" >/dev/null || true' EXIT
address=$(ask -X POST "$STF/api/v1/user/devices/$SERIAL/remoteConnect" |
  sed -n 's/.*"remoteConnectUrl" *: *"\([^"]*\)".*/\1/p')
: "${address:?DeviceFarmer named no address to connect to}"
adb connect "$address"
taproof matrix run "${1:-matrix.toml}" --device "$address"
