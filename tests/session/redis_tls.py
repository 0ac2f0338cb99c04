"""TLS to Redis: the stores of `parley chezz` and `parley serve`, and the queue of `--queue`."""
import contextlib
import os
import shutil
import socket
import time

import chezz_client
import chezz_trouble
from chezz_client import Browser, Redis, play_out, seats_across
from configuration import check_share_a_game, started, wait_for
from harness import Skip, check, test, test_each
from json_messages import move
from secure_redis import Authority, SecureRedis, secure_redis, secure_store
from web import Server
from websocket_client import to_text
from worker_client import Workers
from workers import GAMES, annotate, text

MOVES = ["e2e4", "e7e5", "g1f3"]


def refusal_without_tls(start):
    """What a build without TLS says; None if this one has it."""
    errors = start.run("queue", "status", "--queue", "rediss://localhost:1").errors
    return errors.strip() if "without" in errors else None


def needs_tls(start):
    if refusal := refusal_without_tls(start):
        raise Skip(refusal)


@contextlib.contextmanager
def secure_workers(start):
    """Workers with a Redis that has an authority of its own."""
    needs_tls(start)
    with Authority() as authority, Workers(start, lambda slow: SecureRedis(slow, authority)) as workers:
        yield workers


def queue_status(start, url):
    return start.run("queue", "status", "--queue", url)


@test_each([(name, name) for name in ("worker", "serve", "chezz", "annotate")])
def a_url_with_tls_is_looked_at_by(name, start):
    run = start.run(name, "--queue", "rediss://localhost?ca=/no/such")
    reason = refusal_without_tls(start) or "'/no/such' cannot be used"
    check(run.status == 2 and reason.split("; ")[0].split(": ")[-1] in run.errors, run.errors)


# The stores.

@test
def chezzs_servers_share_a_redis_with_tls(start):
    needs_tls(start)
    with secure_store(start.slow) as (arguments, redis), \
            chezz_client.Server(start, **arguments) as one, chezz_client.Server(start, **arguments) as other:
        check("games in Redis at localhost" in one.errors() and "with TLS" in one.errors(), one.errors())
        play_out(MOVES, *seats_across(one, other))
        keys = redis.command("KEYS", "*")
        check(sum(key.startswith("chezz:game.") for key in keys) == 1, str(keys))


@test
def serves_servers_share_a_redis_with_tls(start):
    needs_tls(start)
    with secure_redis(start.slow) as redis:
        environment = redis.variables("games:")
        with Server(start, "serve", "--store", "redis", environment=environment) as one, \
                Server(start, "serve", "--store", "redis", environment=environment) as other:
            check_share_a_game(one, other)


@test
def with_tls_and_a_redis_that_hangs_every_request_fails_within_two_seconds(start):
    needs_tls(start)
    chezz_trouble.check_requests_while_redis_hangs(secure_store, start)


@test
def with_tls_servers_hear_each_other_again_after_redis_was_away(start):
    needs_tls(start)
    chezz_trouble.check_servers_after_redis_was_away(secure_store, start)


def open_files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def threads(server):
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


@test
def connections_that_come_and_go_leave_nothing_behind(start):
    needs_tls(start)
    with secure_store(start.slow) as (arguments, redis), chezz_client.Server(start, **arguments) as server:
        number = Browser(server).create()
        before = open_files(server), threads(server)
        for _ in range(200):
            check(redis.command("CLIENT", "KILL", "TYPE", "normal") >= 1, "there was no connection")
            Browser(server).game(number)
        after = open_files(server), threads(server)
        # The client that asked for the files may still have its connection.
        check(after[0] <= before[0] + 2 and after[1] == before[1], f"files and threads: {before}, then {after}")


@contextlib.contextmanager
def silent_server():
    """Accepts connections and says nothing. Its port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield listener.getsockname()[1]


@contextlib.contextmanager
def plain_server():
    with Redis(1) as redis:
        yield redis.port


@test_each([("it never shakes hands", silent_server), ("it is a Redis without TLS", plain_server)])
def requests_fail_in_time_when_there_is_no_tls(server, start):
    needs_tls(start)
    with server() as port:
        variables = {"REDIS_HOST": "127.0.0.1", "REDIS_PORT": str(port), "REDIS_TLS": "yes"}
        with chezz_client.Server(start, store=(), variables=variables) as chezz:
            for _ in range(3):
                began = time.monotonic()
                status, _, body = Browser(chezz).request("POST", "/game")
                check(status == 503, f"{status} {body}")
                check(time.monotonic() - began < 2 * start.slow, "too late")
            wait_for("speak TLS", chezz.errors, start.slow)
        run = queue_status(start, f"rediss://127.0.0.1:{port}")
        check(run.status == 1 and "speak TLS" in run.errors and run.seconds < 4 * start.slow, run.errors)


# The queue.

@test
def annotations_by_workers_behind_tls_are_those_of_one_process(start):
    alone = start.run(*annotate(start), input=GAMES)
    with secure_workers(start) as workers:
        workers.start("--threads", "2")
        shared = workers.run(*annotate(start), input=GAMES, within=60)
        check(shared.errors == "", shared.errors)
        check(text(shared) == text(alone), f"alone:\n{text(alone)}\nby workers:\n{text(shared)}")
        measured = workers.run("queue", "measure", "--jobs", "3000", within=60)
        check(measured.status == 0, measured.errors)


@test
def a_redis_with_tls_is_restarted_in_between(start):
    with secure_workers(start) as workers:
        worker = workers.start("--threads", "1")
        check(workers.run("queue", "measure", "--jobs", "10", within=30).status == 0, "no work")
        workers.redis.end()
        time.sleep(1)
        workers.redis.start()
        check(workers.run("queue", "measure", "--jobs", "10", within=30).status == 0, "no work after the restart")
        check(worker.process.poll() is None, worker.errors())


# What is refused. Each has what it changes in the Redis, in the URL of its client, and the sentence.

def a_stranger(own, other):
    return {}, {"ca": other.file}, "its certificate is not signed by a trusted authority"


def the_systems_authorities(own, other):
    return {}, {"ca": None}, "its certificate is not signed by a trusted authority"


def another_host(own, other):
    return {}, {"host": "127.0.0.1"}, "its certificate is not for '127.0.0.1'"


def another_name(own, other):
    return {"certificate": own.issue("elsewhere", "DNS:redis.example")}, {}, "its certificate is not for 'localhost'"


def an_old_certificate(own, other):
    return {"certificate": own.issue("old", days=-1)}, {}, "certificate has expired"


def no_client_certificate(own, other):
    return {"client": own.issue("client")}, {"cert": None, "key": None}, "it demands a client certificate"


def old_tls_and_no_certificate(own, other):
    options, changes, sentence = no_client_certificate(own, other)
    return {**options, "options": ["--tls-protocols", "TLSv1.2"]}, changes, sentence


def a_foreign_client(own, other):
    certificate, key = other.issue("foreign")
    return {"client": own.issue("client")}, {"cert": certificate, "key": key}, "it refuses the client certificate"


REFUSALS = [("another authority", a_stranger), ("only the system's authorities", the_systems_authorities),
            ("an address", another_host), ("another name", another_name), ("expired", an_old_certificate),
            ("no client certificate", no_client_certificate),
            ("no client certificate, TLS 1.2", old_tls_and_no_certificate),
            ("a foreign client certificate", a_foreign_client)]


@test_each(REFUSALS)
def what_does_not_prove_itself_is_refused(case, start):
    needs_tls(start)
    with Authority() as own, Authority() as other:
        options, changes, sentence = case(own, other)
        with SecureRedis(start.slow, own, **options) as redis:
            run = queue_status(start, redis.url(**changes))
            check(run.status == 1 and run.lines == [] and sentence in run.errors, f"{run.status}: {run.errors}")
            for name, path, body in (("chezz", "/game", ""), ("serve", "/message", to_text(move("E2", "E4")))):
                variables = redis.variables(**changes)
                with started(start, name, ["port = 0", 'store = "redis"'], variables) as server:
                    status = server.request("POST", path, body)
                    check(status == 503, f"{name}: status {status}")
                    wait_for(sentence, server.log, start.slow)
            check(redis.command("DBSIZE") == 0, "something was stored")
            # What proves itself is served by the same Redis.
            if not options.get("certificate"):
                run = queue_status(start, redis.url())
                check(run.status == 0, run.errors)


@test
def a_client_certificate_serves_all(start):
    needs_tls(start)
    with Authority() as own, SecureRedis(start.slow, own, client=own.issue("client")) as redis:
        both = own.path("both.pem")
        with open(both, "wb") as file:
            for part in redis.client:
                with open(part, "rb") as read:
                    file.write(read.read())
        run = queue_status(start, redis.url(cert=both, key=None))
        check(run.status == 0, run.errors)
        arguments = {"store": (), "variables": redis.variables("chezz:")}
        with chezz_client.Server(start, **arguments) as one, chezz_client.Server(start, **arguments) as other:
            play_out(MOVES, *seats_across(one, other))


@test
def a_file_that_is_replaced_is_read_again(start):
    needs_tls(start)
    with Authority() as own, Authority() as other, SecureRedis(start.slow, own) as redis:
        trusted = own.path("trusted.crt")
        shutil.copy(other.file, trusted)
        with chezz_client.Server(start, store=(), variables=redis.variables(ca=trusted)) as server:
            status = Browser(server).request("POST", "/game")[0]
            check(status == 503, f"status {status}")
            shutil.copy(own.file, trusted)
            time.sleep(0.6 * start.slow)
            Browser(server).create()


@test
def files_that_cannot_be_used_are_named_at_the_start(start):
    needs_tls(start)
    with Authority() as own:
        certificate, key = own.issue("client")
        locked = own.path("locked.key")
        own.openssl("ec", "-in", key, "-aes256", "-passout", "pass:secret", "-out", locked)
        for files, sentence in (
                ({"ca": "/no/such"}, "'/no/such' cannot be used: No such file or directory"),
                ({"ca": key}, f"the certificates of trusted authorities in the file '{key}' cannot be used"),
                ({"cert": key}, f"the client certificate in the file '{key}' cannot be used"),
                ({"cert": certificate, "key": certificate}, f"the client's key in the file '{certificate}'"),
                ({"cert": certificate, "key": own.path("ca.key")}, "key values mismatch"),
                ({"cert": certificate, "key": locked}, f"the client's key in the file '{locked}'"),
                ({"key": key}, "a key needs a certificate")):
            query = "&".join(f"{name}={file}" for name, file in files.items())
            for name in ("worker", "chezz"):
                run = start.run(name, "--queue", f"rediss://localhost:1?{query}")
                check(run.status == 2 and sentence in run.errors, f"{name} {files}: {run.status} {run.errors}")
            variables = {f"REDIS_TLS_{name.upper()}": file for name, file in files.items()}
            for name in ("chezz", "serve"):
                run = start.run(name, "--port", "0", "--store", "redis", environment=variables)
                check(run.status == 1 and sentence in run.errors, f"{name} {files}: {run.status} {run.errors}")


@test_each([("a file for something else", "rediss://h?cafile=x", "only ca=FILE, cert=FILE and key=FILE"),
            ("no file", "rediss://h?ca=", "a file is missing"),
            ("a wrong %", "rediss://h?ca=%2", "% without")])
def a_wrong_url_with_tls_is_refused(url, reason, start):
    needs_tls(start)
    run = start.run("worker", "--queue", url)
    check(run.status == 2 and reason in run.errors, f"{run.status}: {run.errors}")
