ADB=${ADB:-adb}

# Runs a command line in the device's shell.
device() { "$ADB" shell "$1" </dev/null; }

say() { printf '%3s. %s\n' "$1" "$2"; }

settle() { sleep "${SETTLE:-1}"; }

# Only what was seen ends with 0 or 1: whatever else stops the script, adb's own 1 too, ends it with 2.
RESULT=2
trap 'exit "$RESULT"' EXIT

bug() { printf 'BUG: %s\n' "$1" >&2; RESULT=1; exit; }

undone() { printf 'A step could not be done: %s\n' "$1" >&2; exit; }

# The rest is judged first: a bug that is seen there is told.
BY_EYE=
by_eye() { BY_EYE=yes; printf 'A script cannot judge this, look at the screen: %s\n' "$1" >&2; }

# All was judged.
finish() {
  if [ -n "$BY_EYE" ]; then exit; fi
  echo 'As it should be.'
  RESULT=0
}

# from x, from y, to x, to y, width and height that these were meant for, milliseconds.
touch_at() {
  if [ "$5" -gt "$6" ]; then width=$LONG height=$SHORT; else width=$SHORT height=$LONG; fi
  from="$(($1 * width / $5)) $(($2 * height / $6))"
  to="$(($3 * width / $5)) $(($4 * height / $6))"
  if [ "$7" -eq 0 ]; then device "input tap $from"; else device "input swipe $from $to $7"; fi
}

# Deletes so many characters before the end of the field.
erase() {
  device 'input keyevent KEYCODE_MOVE_END'
  left=$1
  while [ "$left" -gt 0 ]; do
    device 'input keyevent KEYCODE_DEL'
    left=$((left - 1))
  done
}

# Types a text given in base64.
type_with_helper() {
  if ! device 'ime list -s' | grep -Fq 'com.android.adbkeyboard/.AdbIME'; then
    undone 'this text cannot be typed without the keyboard helper ADBKeyBoard: install it and choose it'
  fi
  device "am broadcast -a ADB_INPUT_B64 --es msg $1"
}

rotate() {
  device 'settings put system accelerometer_rotation 0'
  device "settings put system user_rotation $1"
}

stop_app() { device "am force-stop $APP_THERE"; }

# Without system keys: monkey refuses to start where a device has no keys of its own.
start_app() { device "monkey -p $APP_THERE --pct-syskeys 0 -c android.intent.category.LAUNCHER 1 >/dev/null 2>&1"; }

# enable or disable: Wi-Fi and mobile data.
network() {
  device "svc wifi $1"
  device "svc data $1"
}

low_battery() {
  device 'dumpsys battery unplug'
  device 'dumpsys battery set level 5'
}

# Only the console of an emulator can make a call come in.
incoming_call() {
  "$ADB" emu gsm call 5550123 </dev/null || undone 'only an emulator can be called from a script'
}

# The app's own language, from Android 13 on: the next of three.
next_language() {
  case $(device "cmd locale get-app-locales $APP_THERE") in
    *de-DE*) language=fr-FR ;;
    *fr-FR*) language=en-US ;;
    *) language=de-DE ;;
  esac
  device "cmd locale set-app-locales $APP_THERE --locales $language"
}

switch_dark_mode() {
  case $(device 'cmd uimode night') in
    *yes*) device 'cmd uimode night no' ;;
    *) device 'cmd uimode night yes' ;;
  esac
}

# The value of a setting.
value_of() {
  case $1 in
    font_scale) device 'settings get system font_scale' ;;
    display_size) device 'wm density' | sed -n 's/.*: *\([0-9]*\).*/\1/p' | tail -n 1 ;;
    hour_format) device 'settings get system time_12_24' ;;
    time_zone) device 'getprop persist.sys.timezone' ;;
    location) device 'settings get secure location_mode' ;;
    airplane_mode) device 'settings get global airplane_mode_on' ;;
    do_not_disturb) device 'settings get global zen_mode' ;;
    low_storage) echo 0 ;;
  esac | tr -d '\r'
}

# Another value than this one.
other_value() {
  case "$1 $2" in
    font_scale*) echo 1.3 ;;
    display_size*) echo $(($2 * 9 / 8)) ;;
    'hour_format 24') echo 12 ;;
    hour_format*) echo 24 ;;
    'time_zone Asia/Tokyo') echo Europe/London ;;
    time_zone*) echo Asia/Tokyo ;;
    'location 0') echo 3 ;;
    location* | 'airplane_mode 1' | do_not_disturb\ [1-9]) echo 0 ;;
    *) echo 1 ;;
  esac
}

set_value() {
  case "$1 $2" in
    font_scale*) device "settings put system font_scale $2" ;;
    display_size*) device "wm density $2" ;;
    'hour_format null') device 'settings delete system time_12_24 >/dev/null' ;;
    hour_format*) device "settings put system time_12_24 $2" ;;
    time_zone*) device "cmd alarm set-timezone $2" ;;
    location*) device "settings put secure location_mode $2" ;;
    'airplane_mode 1') device 'cmd connectivity airplane-mode enable' ;;
    airplane_mode*) device 'cmd connectivity airplane-mode disable' ;;
    'do_not_disturb 1') device 'cmd notification set_dnd priority' ;;
    'do_not_disturb 2') device 'cmd notification set_dnd none' ;;
    'do_not_disturb 3') device 'cmd notification set_dnd alarms' ;;
    do_not_disturb*) device 'cmd notification set_dnd off' ;;
    'low_storage 1') device 'cmd devicestoragemonitor force-low -f >/dev/null' ;;
    low_storage*) device 'cmd devicestoragemonitor reset -f >/dev/null' ;;
  esac
}

# The settings that are not as they were, each with the value that it had.
SWITCHED=
switch_setting() {
  for pair in $SWITCHED; do
    if [ "${pair%%=*}" = "$1" ]; then
      set_value "$1" "${pair#*=}"
      SWITCHED=$(printf '%s\n' $SWITCHED | grep -v "^$1=" || true)
      return
    fi
  done
  was=$(value_of "$1")
  case "$1 $was" in
    'font_scale '[0-9]*) ;;
    font_scale*) was=1.0 ;;
    *' ') undone "the phone does not tell this setting: $1" ;;
  esac
  SWITCHED="$SWITCHED $1=$was"
  set_value "$1" "$(other_value "$1" "$was")"
}
settings_as_usual() {
  for pair in $SWITCHED; do
    set_value "${pair%%=*}" "${pair#*=}"
  done
  SWITCHED=
}

# Back closes them.
pull_notifications_down() { device 'cmd statusbar expand-notifications'; }

screen_off_and_on() {
  device 'input keyevent 26'
  sleep 2
  device 'input keyevent 26'
  sleep 1
  device 'input keyevent 82'
}

split_screen() { undone 'adb cannot split the screen'; }
destroy_activities_and_return() { undone 'adb cannot destroy activities in the background'; }

leave() {
  device 'input keyevent KEYCODE_HOME'
  settle
}

leave_and_return() { leave; start_app; }

end_process_and_return() {
  leave
  device "am kill $APP_THERE"
  start_app
}

# Only what was granted at run time can be taken back; that ends the process, too.
REVOKED=
revoke_permissions_and_return() {
  leave
  granted=$(device "dumpsys package $APP_THERE" | sed -n 's/^ *\([A-Za-z0-9_.]*\): granted=true.*/\1/p')
  for permission in $granted; do
    REVOKED="$REVOKED $permission"
    device "pm revoke $APP_THERE $permission 2>/dev/null || true"
  done
  start_app
}

grant_what_was_revoked() {
  for permission in $REVOKED; do
    device "pm grant $APP_THERE $permission 2>/dev/null || true"
  done
  REVOKED=
}

grant_permissions_and_return() {
  leave
  grant_what_was_revoked
  start_app
}

# What the functions above change, as it was.
phone_as_usual() {
  device 'svc wifi enable; svc data enable; dumpsys battery reset; cmd uimode night no' >/dev/null || true
  device "cmd locale set-app-locales $APP_THERE --locales en-US" || true
  settings_as_usual || true
  grant_what_was_revoked || true
  "$ADB" emu gsm cancel 5550123 </dev/null >/dev/null 2>&1 || true
}

# Keeps what is on the screen, one node a line. What an earlier run left there is not the screen.
DUMP=/data/local/tmp/taproof.xml
look() {
  device "rm -f $DUMP"
  device "uiautomator dump $DUMP >/dev/null"
  SCREEN=$(device "cat $DUMP")
  case $SCREEN in
    *'<hierarchy'*'</hierarchy>'*) ;;
    *) undone 'uiautomator does not say what is on the screen' ;;
  esac
  SCREEN=$(printf '%s\n' "$SCREEN" | tr '>' '\n')
}

# How many nodes have all these attributes.
count() {
  found=$SCREEN
  for attribute in "$@"; do
    found=$(printf '%s\n' "$found" | grep -F -e "$attribute" || true)
  done
  if [ -z "$found" ]; then echo 0; else printf '%s\n' "$found" | wc -l | tr -d ' '; fi
}

# Looks until a node has all these attributes.
wait_until_ready() {
  looks=20
  look
  while [ "$(count "$@")" -eq 0 ]; do
    looks=$((looks - 1))
    [ "$looks" -gt 0 ] || undone "the app is not ready, nothing on the screen has $*"
    settle
    look
  done
}

# A shell knows no XPath: a person says when something like it is on the screen.
wait_for_person() {
  [ -t 0 ] || undone "a script cannot see whether this is on the screen, run it in a terminal: $1"
  printf 'Press Enter once this is on the screen: %s ' "$1"
  read -r _
}

# The app is in front and nothing says that it stopped.
alive() {
  [ "$(count ' resource-id="android:id/aerr_close"')" -eq 0 ] &&
    [ "$(count ' resource-id="android:id/aerr_wait"')" -eq 0 ] &&
    [ "$(count " package=\"$APP\"")" -gt 0 ]
}

SIZE=$(device 'wm size' | sed -n 's/.*: *\([0-9]*\)x\([0-9]*\).*/\1 \2/p' | tail -n 1)
[ -n "$SIZE" ] || undone 'no device says how large its screen is'
SHORT=${SIZE% *} LONG=${SIZE#* }
if [ "$SHORT" -gt "$LONG" ]; then SHORT=${SIZE#* } LONG=${SIZE% *}; fi

device "pm path $APP_THERE" | grep -q '^package:' || undone "the app is not installed: $APP"
stop_app
device "pm clear $APP_THERE"
rotate 0
start_app
settle
