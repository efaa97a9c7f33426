"""Drives the served phone with the unmodified python package uiautomator2.

Usage: python uiautomator2_client.py SERIAL FOLDER

The served phone has Files in front, with empty data. Prints one line a check and ends with 1 if one failed.
"""

import os
import sys

import uiautomator2

serial, folder = sys.argv[1:]
APP = "org.taproof.files"
failed = 0


def check(what, holds, seen=""):
    global failed
    failed += not holds
    print("ok  " if holds else "FAIL", what, repr(seen)[:160] if not holds else "")


device = uiautomator2.connect(serial)
info = device.info
check("connect, info", info["displayWidth"] == 1080 and info["currentPackageName"] == APP, info)
check("device_info", device.device_info["serial"] != "", device.device_info)
check("window_size", tuple(device.window_size()) == (1080, 1920), device.window_size())

device.app_clear(APP)
device.app_start(APP)
check("app_start", device.app_wait(APP, front=True) > 0)
current = device.app_current()
check("app_current", current["package"] == APP and "MainActivity" in current["activity"], current)
check("app_list", APP in device.app_list(), device.app_list())
check("app_list_running", APP in device.app_list_running(), device.app_list_running())
about = device.app_info(APP)
check("app_info", about["versionName"] == "1.0", about)

xml = device.dump_hierarchy()
check("dump_hierarchy", xml.startswith("<?xml") and "Documents" in xml and 'rotation="0"' in xml, xml[:300])
picture = device.screenshot()
check("screenshot", picture.size == (1080, 1920), picture.size)

check("selector exists", device(text="Documents").exists)
check("selector of nothing", not device(text="nothing of this name").exists)
check("selector info", device(text="Documents").info["className"] == "android.widget.TextView")
check("selector count", device(className="android.widget.TextView").count > 5)
check("wait", device(text="Documents").wait(timeout=3))
check("wait_gone", device(text="nothing of this name").wait_gone(timeout=1))
check("xpath", device.xpath("//*[@text='Documents']").exists)
check("xpath all", len(device.xpath("//android.widget.TextView").all()) > 5)

device.xpath("//*[@text='Documents']").click()
check("xpath click", not device(text="Ringtones").exists, device.dump_hierarchy()[:400])
device.press("back")
check("press", device(text="Ringtones").exists)

bounds = device(text="Documents").info["bounds"]
x, y = (bounds["left"] + bounds["right"]) // 2, (bounds["top"] + bounds["bottom"]) // 2
device.click(x, y)
check("click", not device(text="Ringtones").exists)
device.press("back")
device.click(x / 1080, y / 1920)
check("click, as a share of the screen", not device(text="Ringtones").exists)
device.press("back")
before = device.dump_hierarchy()
device.long_click(x, y)
check("long_click", device.dump_hierarchy() != before)
device.press("back")
device.app_stop(APP)
check("app_stop", device.app_current()["package"] != APP, device.app_current())
device.app_start(APP)
check("app_start again", device(text="Documents").wait(timeout=3))

device(description="Search").click()
field = device(className="android.widget.EditText")
check("a field", field.wait(timeout=3), device.dump_hierarchy())
for text in ["plain", "Grüße aus Köln", "日本語", "😀 🎉", "שלום", "'; reboot; '", "$(reboot) `reboot`", "100% %s \\ \" |"]:
    device.clear_text()
    device.send_keys(text)
    check(f"send_keys {text!r}", field.get_text() == text, field.get_text())
device.clear_text()
check("clear_text", "reboot" not in (field.get_text() or ""), field.get_text())
field.set_text("set")
check("set_text", field.get_text() == "set", field.get_text())
device.app_clear(APP)
device.app_start(APP)

device.orientation = "left"
check("orientation", device.orientation == "left" and device.info["displayWidth"] == 1920, device.info)
rows = device(text="Documents").info["bounds"]["top"]
device.swipe(0.5, 0.8, 0.5, 0.3)
moved = not device(text="Documents").exists or device(text="Documents").info["bounds"]["top"] != rows
check("swipe", moved)
device.swipe(0.5, 0.3, 0.5, 0.8)
device.drag(0.5, 0.8, 0.5, 0.3, 0.5)
moved = not device(text="Documents").exists or device(text="Documents").info["bounds"]["top"] != rows
check("drag", moved)
device.orientation = "natural"
check("orientation back", device.info["displayWidth"] == 1080)

check("open_notification", device.open_notification() and device(text="No notifications").exists)
device.press("back")
check("back closes it", not device(text="No notifications").exists)

keyboard = "com.github.uiautomator/.AdbKeyboard"
before = device.current_ime()
device.set_input_ime(True)
check("set_input_ime", device.current_ime() == keyboard, device.current_ime())
device(description="Search").click()
device.send_keys("Größe")
field = device(className="android.widget.EditText")
check("send_keys by the keyboard", field.get_text() == "Größe", field.get_text())
device.set_input_ime(False)
check("set_input_ime off", device.current_ime() == before, device.current_ime())
device.app_uninstall("com.github.uiautomator")
check("app_uninstall", "com.github.uiautomator" not in device.app_list())
device.press("back")
device.press("back")

local, copy = os.path.join(folder, "local.bin"), os.path.join(folder, "copy.bin")
content = bytes(range(256)) * 300
with open(local, "wb") as file:
    file.write(content)
device.push(local, "/data/local/tmp/pushed.bin")
device.pull("/data/local/tmp/pushed.bin", copy)
with open(copy, "rb") as file:
    check("push, pull", file.read() == content)
output, code = device.shell("echo out; sh -c 'exit 3'")
check("shell", output.strip() == "out" and code == 3, (output, code))
output, code = device.shell(["echo", "a b"])
check("shell of words", "a b" in output and code == 0, (output, code))

print("failed:", failed)
sys.exit(failed > 0)
