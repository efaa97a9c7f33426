#!/bin/sh
# Runs a cell of a Taproof matrix on an emulator of its own, which is started for it and ended after it.
#
#   emulator.sh matrix.toml
#
#   AVD   the virtual device, of which several may run at once
#   PORT  the emulator's port, an even number; by default one that follows from the number of the cell
set -eu
: "${AVD:?set AVD to the name of a virtual device}"
cell=${TAPROOF_CELL:-${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:-0}}}
port=${PORT:-$((5554 + cell % 32 * 2))}
serial=emulator-$port
emulator -avd "$AVD" -port "$port" -read-only -no-window -no-audio -no-boot-anim &
trap 'adb -s "$serial" emu kill >/dev/null 2>&1 || true; wait || true' EXIT
adb -s "$serial" wait-for-device
until [ "$(adb -s "$serial" shell getprop sys.boot_completed | tr -d '\r')" = 1 ]; do sleep 1; done
taproof matrix run "${1:-matrix.toml}" --device "$serial"
