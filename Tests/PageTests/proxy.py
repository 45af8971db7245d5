"""Debian's nginx before a node, with the recipe of Docs/operations.md."""

import os
import random
import re
import socket
import subprocess
import textwrap
from pathlib import Path

from market import until

RECIPE = Path(__file__).resolve().parents[2] / "Docs" / "operations.md"
NGINX = "/usr/sbin/nginx"


def free_port(host):
    """A free port below those that the system gives to connections by itself."""
    for port in random.sample(range(20_000, 32_000), 50):
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError(f"no free port at {host}")


class Proxy:
    """nginx in a folder of its own, before a node's API: at https, or at plain http."""

    def __init__(self, folder, node, host, port, has_tls):
        self.folder = Path(folder)
        self.node = node
        self.host = host
        self.port = port
        self.has_tls = has_tls
        self.process = None

    @property
    def origin(self):
        return f"{'https' if self.has_tls else 'http'}://{self.host}:{self.port}"

    def recipe(self, address):
        """The recipe's server, with this one's addresses and certificate."""
        server = textwrap.dedent(re.search(r"^    server \{\n.*?^    \}\n", RECIPE.read_text(), re.MULTILINE | re.DOTALL).group())
        changes = {
            "listen 443 ssl;": f"listen {address}:{self.port}{' ssl' if self.has_tls else ''};",
            "server_name shop.example;": f"server_name {self.host};" + self.certificate(),
            "proxy_pass http://127.0.0.1:8080;": f"proxy_pass {self.node};",
        }
        for old, new in changes.items():
            assert server.count(old) == 1, f"the recipe has no '{old}'"
            server = server.replace(old, new)
        return server

    def certificate(self):
        if not self.has_tls:
            return ""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={self.host}", "-keyout", "key.pem", "-out",
             "certificate.pem"], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        return f" ssl_certificate {self.folder}/certificate.pem; ssl_certificate_key {self.folder}/key.pem;"

    def start(self, address):
        folders = "\n".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = self.folder / "nginx.conf"
        # Started by root, nginx would become a user who cannot read the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        configuration.write_text(f"daemon off; {user} worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/error.log;\nevents {{ }}\n"
                                 f"http {{\naccess_log off;\n{folders}\n{self.recipe(address)}}}\n")
        self.process = subprocess.Popen([NGINX, "-e", str(self.folder / "error.log"), "-p", str(self.folder), "-c", str(configuration)],
                                        stdin=subprocess.DEVNULL)
        until("nginx answers", lambda: self.answers(address))

    def answers(self, address):
        assert self.process.poll() is None, (self.folder / "error.log").read_text()
        try:
            socket.create_connection((address, self.port), timeout=1).close()
        except OSError:
            return None
        return True

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
