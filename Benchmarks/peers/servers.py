"""A server process of its own session in a folder, started, waited for and ended by its id."""

import os
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def dial(port):
    return socket.create_connection(("127.0.0.1", port), timeout=60)


class Server:
    """`end` is the signal on which it and its processes end in order."""

    def __init__(
            self, command, folder, port, user=None, log="server.log", end=signal.SIGINT):
        self.end = end
        self.log = open(f"{folder}/{log}", "wb")
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=self.log, stderr=self.log, start_new_session=True,
            user=user)
        self.leader = self.process.pid
        deadline = time.monotonic() + 60
        while True:
            try:
                dial(port).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    self.stop()
                    raise SystemExit(f"{command[0]} does not listen; see {folder}/{log}")
                time.sleep(0.05)

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.leader, self.end)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.leader, signal.SIGKILL)
                self.process.wait()
        self.log.close()
