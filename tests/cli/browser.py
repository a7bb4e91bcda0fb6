# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium, driven through the pipe of its debugging protocol."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT = 200  # seconds; only so that a test ends at all
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync
    --disable-dev-shm-usage --remote-debugging-pipe""".split()


class Browser:
    def __init__(self, command):
        self.folder = tempfile.mkdtemp()
        theirs_in, self.to = os.pipe()
        self.of, theirs_out = os.pipe()
        # Its ends are 3 and 4 there; here they may be others' numbers.
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (theirs_in, theirs_out)]
        self.process = subprocess.Popen(
            [command, *FLAGS, "--user-data-dir=" + self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, pass_fds=(3, 4),
            preexec_fn=lambda: (os.dup2(high[0], 3), os.dup2(high[1], 4)))
        for fd in theirs_in, theirs_out, *high:
            os.close(fd)
        self.rest, self.events, self.number = b"", [], 0
        self.session = None
        self.until = time.monotonic() + LIMIT

    def read(self):
        while b"\0" not in self.rest:
            if not select.select([self.of], [], [],
                                 max(0, self.until - time.monotonic()))[0]:
                sys.exit("the browser does not answer")
            more = os.read(self.of, 1 << 20)
            if not more:
                raise EOFError
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def starts(self):
        try:
            self.call("Browser.getVersion")
            return True
        except (EOFError, BrokenPipeError):
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
            return False

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self.call(domain + ".enable")

    def value(self, script):
        answer = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, (script, answer)
        return answer["result"].get("value")

    def wait_for(self, script):
        """A page that is just being replaced answers with an error."""
        while True:
            try:
                if self.value(script):
                    return
            except AssertionError:
                pass
            if time.monotonic() > self.until:
                sys.exit("it never came: " + script)
            time.sleep(0.05)

    def open(self, path, width=1200, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.value("window.before = true")
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("location.protocol === 'file:' && !window.before && "
                      "document.documentElement.dataset.ready !== undefined")
        assert self.value("document.documentElement.dataset.ready") == "yes"

    def click(self, selector):
        at = self.value("""(() => { const e = document.querySelector(%s);
            e.scrollIntoView({ block: "center" });
            const b = e.getBoundingClientRect();
            return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()"""
                        % json.dumps(selector))
        for kind in "mousePressed", "mouseReleased":
            self.call("Input.dispatchMouseEvent", type=kind, button="left",
                      clickCount=1, **at)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x, y, to_x, to_y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for step in range(1, 5):
            self.mouse("mouseMoved", x + (to_x - x) * step / 4,
                       y + (to_y - y) * step / 4, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)

    def key(self, key, text=None):
        parameters = {"key": key, "code": key}
        code = {"Escape": 27, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13}.get(key)
        if code:
            parameters["windowsVirtualKeyCode"] = code
        if text:
            parameters["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def end(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
