"""Drives the served phone with the unmodified python package adbutils.

Usage: python adbutils_client.py SERIAL FOLDER

The served phone has Files in front, with empty data. Prints one line a check and ends with 1 if one failed.
"""

import os
import sys

import adbutils

serial, folder = sys.argv[1:]
APP = "org.taproof.files"
failed = 0


def check(what, holds, seen=""):
    global failed
    failed += not holds
    print("ok  " if holds else "FAIL", what, repr(seen)[:160] if not holds else "")


device = adbutils.adb.device(serial=serial)
check("get_state", device.get_state() == "device", device.get_state())
check("shell2", device.shell2("echo -n hello; false").returncode == 1)
check("window_size", tuple(device.window_size()) == (1080, 1920), device.window_size())
check("rotation", device.rotation() == 0, device.rotation())
check("root", "production builds" in device.root(), device.root())
check("screenshot", device.screenshot().size == (1080, 1920))
picture = device.framebuffer()
check("framebuffer", picture.size == (1080, 1920) and picture.getextrema() != ((0, 0),) * 3, picture)
check("wlan_ip", device.wlan_ip() == "10.0.2.16", device.wlan_ip())
check("battery", device.battery().level == 100, device.battery())

device.app_start(APP)
check("dump_hierarchy", "Documents" in device.dump_hierarchy())
current = device.app_current()
check("app_current", current.package == APP, current)
check("app_info", device.app_info(APP).version_name == "1.0", device.app_info(APP))

local = os.path.join(folder, "Grüße.txt")
with open(local, "w", encoding="utf-8") as file:
    file.write("Hallo")
device.sync.push(local, "/sdcard/Grüße.txt")
check("push, read", device.sync.read_text("/sdcard/Grüße.txt") == "Hallo")
check("a pushed file is in Files", "Grüße.txt" in device.dump_hierarchy())
check("iter_directory", "Grüße.txt" in [entry.path for entry in device.sync.iter_directory("/sdcard/")])
device.remove("/sdcard/Grüße.txt")
check("remove", not device.sync.exists("/sdcard/Grüße.txt"))

apk = os.path.join(folder, "files.apk")
path = device.shell(["pm", "path", APP]).strip().removeprefix("package:")
device.sync.pull(path, apk)
device.uninstall(APP)
check("uninstall", APP not in device.list_packages(), device.list_packages())
device.install(apk, nolaunch=True)
check("install", APP in device.list_packages(), device.list_packages())

device.shell(["log", "-p", "i", "-t", "TAG", "hello"])
check("log, logcat", "hello" in device.shell("logcat -d -s TAG"))
check("tcpip", "restarting in TCP mode" in device.tcpip(5555))

print("failed:", failed)
sys.exit(failed > 0)
