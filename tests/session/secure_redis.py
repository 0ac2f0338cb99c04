"""A Redis that speaks nothing but TLS, and certificates for it."""
import contextlib
import os
import shutil
import ssl
import subprocess
import tempfile
import urllib.parse

from chezz_client import Redis
from harness import Skip


class Authority:
    """A certificate authority in a folder of its own. `file` has its certificate."""

    def __init__(self):
        if not shutil.which("openssl"):
            raise Skip("no openssl found")
        self.folder = tempfile.mkdtemp(prefix="parley-tls-")
        self.file = self.path("ca.crt")
        self.openssl("req", "-x509", *self._new_key("ca"), "-days", "2", "-subj", "/CN=Authority", "-out", self.file)

    def path(self, name):
        return os.path.join(self.folder, name)

    def issue(self, name, alternatives="DNS:localhost", days=2):
        """A certificate and its key: two files."""
        self.openssl("req", *self._new_key(name), "-subj", f"/CN={name}", "-out", self.path(f"{name}.csr"))
        with open(self.path(f"{name}.ext"), "w", encoding="ascii") as file:
            file.write(f"subjectAltName = {alternatives}\n")
        self.openssl("x509", "-req", "-in", self.path(f"{name}.csr"), "-CA", self.file, "-CAkey", self.path("ca.key"),
                      "-CAcreateserial", "-days", str(days), "-extfile", self.path(f"{name}.ext"),
                      "-out", self.path(f"{name}.crt"))
        return self.path(f"{name}.crt"), self.path(f"{name}.key")

    def _new_key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.path(f"{name}.key")]

    @staticmethod
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


class SecureRedis(Redis):
    """Its certificate is for `localhost`, unless another one is given. It asks for a client certificate of the same
    authority if `client` has one, which is that of the test. `options` are more arguments of redis-server."""

    host = "localhost"

    def __init__(self, slow, authority, certificate=None, client=None, options=()):
        self.authority = authority
        self.certificate = certificate or authority.issue("server")
        self.client = client
        self.options = options
        super().__init__(slow)

    def listening(self):
        certificate, key = self.certificate
        return ["--port", "0", "--tls-port", str(self.port), "--tls-cert-file", certificate, "--tls-key-file", key,
                "--tls-ca-cert-file", self.authority.file, "--tls-auth-clients", "yes" if self.client else "no", *self.options]

    def connect(self):
        context = ssl.create_default_context(cafile=self.authority.file)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # it may have a bad certificate on purpose
        if self.client:
            context.load_cert_chain(*self.client)
        return context.wrap_socket(super().connect())

    def files(self, **changes):
        """The files that a client needs, by their names in a URL. A change to None leaves one out."""
        files = {"ca": self.authority.file}
        if self.client:
            files["cert"], files["key"] = self.client
        return {name: file for name, file in {**files, **changes}.items() if file}

    def variables(self, prefix="", host=None, **changes):
        files = {f"REDIS_TLS_{name.upper()}": file for name, file in self.files(**changes).items()}
        return {**super().variables(prefix), "REDIS_HOST": host or self.host, "REDIS_TLS": "1", **files}

    def url(self, host=None, **changes):
        return f"rediss://{host or self.host}:{self.port}?{urllib.parse.urlencode(self.files(**changes))}"


@contextlib.contextmanager
def secure_redis(slow, **options):
    """A Redis with an authority of its own."""
    with Authority() as authority, SecureRedis(slow, authority, **options) as redis:
        yield redis


@contextlib.contextmanager
def secure_store(slow):
    """The arguments of chezz_client.Server for a new Redis with TLS, and that Redis."""
    with secure_redis(slow) as redis:
        yield {"store": (), "variables": redis.variables("chezz:")}, redis
