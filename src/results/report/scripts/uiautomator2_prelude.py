import argparse
import atexit
import re
import sys
import time

PATIENCE = 5.0  # seconds until a widget counts as not there
SETTLE = 1.0  # seconds that the app gets after each step


LOOK = []  # what a person has to look at


class Bug(Exception):
    """What should be so at the end is not so."""


class Undone(Exception):
    """Something could not be done, so nothing is known of the bug."""


def plain(text):
    """On one line, in ASCII: what the app wrote does nothing to the terminal."""
    return text.encode("unicode_escape").decode()


def say(number, sentence):
    print("%3d. %s" % (number, plain(sentence)))


ATTRIBUTES = {"resourceId": "resource-id", "description": "content-desc", "className": "class"}
SIDES = {"right-of": "right", "left-of": "left", "below": "down", "above": "up"}


def xpath_text(text):
    """A text as XPath writes it, which has no escapes."""
    pieces = ["'%s'" % piece for piece in text.split("'")]
    return pieces[0] if len(pieces) == 1 else "concat(%s)" % ", \"'\", ".join(pieces)


def neighbours(d, side, label, parts):
    """For each widget that shows the label: the nearest one on its side, or the innermost one that holds it."""
    if side == "labelled":
        shows = " or ".join("@%s=%s" % (name, xpath_text(label)) for name in ("text", "content-desc", "hint"))
        fits = "".join("[@%s=%s]" % (ATTRIBUTES.get(name, name), xpath_text(value)) for name, value in parts.items())
        return d.xpath("//*[%s]/ancestor-or-self::*%s[1]" % (shows, fits)).all()
    shown = [one for name in ("text", "description") for one in d(**{name: label})]
    found = [getattr(one, SIDES[side])(**parts) for one in shown]
    return [one for one in found if one is not None]


def widgets(d, selector):
    """All that a selector names, in document order; in the state that it asks for."""
    parts = dict(selector)
    instance = parts.pop("instance", None)
    states = {name: parts.pop(name) for name in ("checked", "selected") if name in parts}
    beside = parts.pop("beside", None)
    if beside is not None:
        found = neighbours(d, beside[0], beside[1], parts)
    elif "xpath" in parts:
        source = parts.pop("xpath")
        found = [
            one
            for one in d.xpath(source).all()
            if all(one.attrib.get(ATTRIBUTES.get(name, name)) == value for name, value in parts.items())
        ]
    else:
        found = list(d(**parts)) if parts else []
    found = found if instance is None else found[instance : instance + 1]
    return [one for one in found if all(one.info[name] == value for name, value in states.items())]


def find(d, selector):
    """The first widget that a selector names, as soon as it is there."""
    until = time.time() + PATIENCE
    while selector:
        found = widgets(d, selector)
        if found:
            return found[0]
        if time.time() > until:
            return None
        time.sleep(0.3)
    return None


def wait_until_ready(d, source):
    """Looks until the XPath names something."""
    until = time.time() + 20
    while not d.xpath(source).all():
        if time.time() > until:
            raise Undone("the app is not ready, nothing on the screen matches " + source)
        time.sleep(0.3)


def scaled(d, at, screen):
    width, height = d.window_size()
    return at[0] * width // screen[0], at[1] * height // screen[1]


def settle():
    time.sleep(SETTLE)


def start(d):
    if APP not in d.app_list():
        raise Undone("the app is not installed: " + APP)
    d.app_stop(APP)
    d.app_clear(APP)
    d.set_orientation("natural")
    d.app_start(APP, wait=True)
    settle()


def touch(d, number, sentence, selector, at, screen, widget_touched, point_touched):
    """Touches what the selector names or, where that is not found, the point where it was."""
    say(number, sentence)
    widget = find(d, selector)
    if widget is not None:
        widget_touched(widget)
    else:
        print("     not found by its selector: done where it was")
        point_touched(*scaled(d, at, screen))
    settle()


def tap(d, number, sentence, selector, at, screen):
    touch(d, number, sentence, selector, at, screen, lambda widget: widget.click(), d.click)


def long_press(d, number, sentence, selector, at, screen):
    touch(d, number, sentence, selector, at, screen, lambda widget: widget.long_click(), d.long_click)


def set_text(d, number, sentence, selector, at, screen, text):
    def typed_at(x, y):
        d.click(x, y)
        d.send_keys(text, clear=True)

    def typed_into(widget):
        # What an XPath finds can only be touched.
        if hasattr(widget, "set_text"):
            widget.set_text(text)
        else:
            typed_at(*widget.center())

    touch(d, number, sentence, selector, at, screen, typed_into, typed_at)


def swipe(d, number, sentence, start_at, end_at, screen):
    say(number, sentence)
    d.swipe(*scaled(d, start_at, screen), *scaled(d, end_at, screen), 0.3)
    settle()


def type_text(d, number, sentence, text):
    say(number, sentence)
    d.send_keys(text)
    settle()


def press(d, number, sentence, key):
    say(number, sentence)
    d.press(key)
    settle()


def rotate(d, number, sentence, orientation):
    say(number, sentence)
    d.set_orientation(orientation)
    settle()


def wait(d, number, sentence, seconds):
    say(number, sentence)
    time.sleep(seconds)


def open_link(d, number, sentence, link):
    say(number, sentence)
    d.open_url(link)
    settle()


def relaunch(d, number, sentence):
    say(number, sentence)
    d.app_stop(APP)
    d.app_start(APP, wait=True)
    settle()


def shell(d, command):
    return d.shell(command).output


def network(d, number, sentence, state):
    say(number, sentence)
    shell(d, "svc wifi " + state)
    shell(d, "svc data " + state)
    settle()


def low_battery(d, number, sentence):
    say(number, sentence)
    shell(d, "dumpsys battery unplug")
    shell(d, "dumpsys battery set level 5")
    settle()


def incoming_call(d, number, sentence):
    """Only the console of an emulator can make a call come in."""
    import subprocess

    say(number, sentence)
    called = subprocess.run(["adb", "-s", d.serial, "emu", "gsm", "call", "5550123"])
    if called.returncode != 0:
        raise Undone("only an emulator can be called from a script")
    settle()


def next_language(d, number, sentence):
    """The app's own language, from Android 13 on: the next of three."""
    say(number, sentence)
    spoken = shell(d, "cmd locale get-app-locales " + APP)
    language = "fr-FR" if "de-DE" in spoken else "en-US" if "fr-FR" in spoken else "de-DE"
    shell(d, "cmd locale set-app-locales %s --locales %s" % (APP, language))
    settle()


def switch_dark_mode(d, number, sentence):
    say(number, sentence)
    dark = "yes" in shell(d, "cmd uimode night")
    shell(d, "cmd uimode night " + ("no" if dark else "yes"))
    settle()


def last_number(text, otherwise):
    found = re.findall(r"[0-9][0-9.]*", text)
    return found[-1] if found else otherwise


def hours(value):
    if value == "null":
        return "settings delete system time_12_24"
    return "settings put system time_12_24 " + value


AIRPLANE = {"1": "enable"}
QUIET = {"1": "priority", "2": "none", "3": "alarms"}

SETTINGS = {
    "font_scale": (
        lambda d: last_number(shell(d, "settings get system font_scale"), "1.0"),
        lambda was: "1.3",
        lambda value: "settings put system font_scale " + value,
    ),
    "display_size": (
        lambda d: last_number(shell(d, "wm density"), ""),
        lambda was: str(int(was) * 9 // 8),
        lambda value: "wm density " + value,
    ),
    "hour_format": (
        lambda d: shell(d, "settings get system time_12_24").strip(),
        lambda was: "12" if was == "24" else "24",
        hours,
    ),
    "time_zone": (
        lambda d: shell(d, "getprop persist.sys.timezone").strip(),
        lambda was: "Europe/London" if was == "Asia/Tokyo" else "Asia/Tokyo",
        lambda value: "cmd alarm set-timezone " + value,
    ),
    "location": (
        lambda d: shell(d, "settings get secure location_mode").strip(),
        lambda was: "3" if was == "0" else "0",
        lambda value: "settings put secure location_mode " + value,
    ),
    "airplane_mode": (
        lambda d: shell(d, "settings get global airplane_mode_on").strip(),
        lambda was: "0" if was == "1" else "1",
        lambda value: "cmd connectivity airplane-mode " + AIRPLANE.get(value, "disable"),
    ),
    "do_not_disturb": (
        lambda d: shell(d, "settings get global zen_mode").strip(),
        lambda was: "0" if was in QUIET else "1",
        lambda value: "cmd notification set_dnd " + QUIET.get(value, "off"),
    ),
    "low_storage": (
        lambda d: "0",
        lambda was: "1",
        lambda value: "cmd devicestoragemonitor %s -f" % ("force-low" if value == "1" else "reset"),
    ),
}
"""How to ask for a setting, another value, and how to set one."""

switched = {}
"""The settings that are not as they were, each with the value that it had."""


def switch_setting(d, number, sentence, name):
    say(number, sentence)
    ask, other, put = SETTINGS[name]
    if name in switched:
        shell(d, put(switched.pop(name)))
    else:
        was = ask(d)
        if not was:
            raise Undone("the phone does not tell this setting: " + name)
        switched[name] = was
        shell(d, put(other(was)))
    settle()


def settings_as_usual(d):
    for name, was in switched.items():
        shell(d, SETTINGS[name][2](was))
    switched.clear()


def pull_notifications_down(d, number, sentence):
    """Back closes them."""
    say(number, sentence)
    d.open_notification()
    settle()


def screen_off_and_on(d, number, sentence):
    say(number, sentence)
    for key in (26, 26, 82):
        shell(d, "input keyevent %d" % key)
        settle()


def split_screen(d, number, sentence):
    say(number, sentence)
    raise Undone("a script cannot split the screen")


def destroy_activities_and_return(d, number, sentence):
    say(number, sentence)
    raise Undone("a script cannot destroy activities in the background")


def leave(d, number, sentence):
    say(number, sentence)
    d.press("home")
    settle()


def leave_and_return(d, number, sentence):
    leave(d, number, sentence)
    d.app_start(APP, wait=True)
    settle()


def end_process_and_return(d, number, sentence):
    leave(d, number, sentence)
    shell(d, "am kill " + APP)
    d.app_start(APP, wait=True)
    settle()


revoked = []


def revoke_permissions_and_return(d, number, sentence):
    """Only what was granted at run time can be taken back; that ends the process, too."""
    leave(d, number, sentence)
    for line in shell(d, "dumpsys package " + APP).splitlines():
        name, granted, _ = line.strip().partition(": granted=true")
        if granted:
            revoked.append(name)
            shell(d, "pm revoke %s %s" % (APP, name))
    d.app_start(APP, wait=True)
    settle()


def grant_what_was_revoked(d):
    while revoked:
        shell(d, "pm grant %s %s" % (APP, revoked.pop()))


def grant_permissions_and_return(d, number, sentence):
    leave(d, number, sentence)
    grant_what_was_revoked(d)
    d.app_start(APP, wait=True)
    settle()


def phone_as_usual(d):
    """What the functions above change, as it was."""
    shell(d, "svc wifi enable; svc data enable; dumpsys battery reset; cmd uimode night no")
    settings_as_usual(d)
    grant_what_was_revoked(d)
    shell(d, "cmd locale set-app-locales %s --locales en-US" % APP)


def expect_shown(d, sentence, selector, texts):
    wanted = [dict(selector, text=text) for text in texts] or [selector]
    until = time.time() + PATIENCE
    while not any(widgets(d, one) for one in wanted):
        if time.time() > until:
            raise Bug(sentence)
        time.sleep(0.3)


def expect_at_most(d, sentence, selector, count):
    if len(widgets(d, selector)) > count:
        raise Bug(sentence)


def expect_above(d, sentence, first, second):
    upper, lower = find(d, first), find(d, second)
    if upper is None or lower is None:
        raise Undone("not both are on the screen: " + sentence)
    if upper.info["bounds"]["top"] >= lower.info["bounds"]["top"]:
        raise Bug(sentence)


def expect_alive(d, sentence):
    stopped = d(resourceId="android:id/aerr_close").exists or d(resourceId="android:id/aerr_wait").exists
    if stopped or d.app_current()["package"] != APP:
        raise Bug(sentence)


def look_yourself(d, sentence):
    LOOK.append(sentence)


def end(code, *lines):
    for line in lines:
        print(plain(line), file=sys.stderr)
    sys.exit(code)


def main():
    parser = argparse.ArgumentParser(description="Does a finding of Taproof again.")
    parser.add_argument("--serial", help="the device, as `adb devices` lists it; the only one if left out")
    arguments = parser.parse_args()
    try:
        import uiautomator2

        d = uiautomator2.connect(arguments.serial)
        run(d)
        check(d)
    except Bug as bug:
        end(1, "BUG: " + TITLE, "     " + str(bug))
    except ModuleNotFoundError as error:
        end(2, "%s: pip install uiautomator2" % error)
    except Exception as error:
        # Only what was seen is called a bug: whatever else stops the script is none.
        end(2, "A step could not be done: %r" % error)
    if LOOK:
        end(2, *["A script cannot judge this, look at the screen: " + sentence for sentence in LOOK])
    print("As it should be.")
