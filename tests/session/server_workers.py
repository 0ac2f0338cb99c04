"""Searches of the servers (`parley serve`, `parley chezz`) by workers."""
import contextlib
import subprocess
import time

from admin import FOLLOW, NEW_GAME, Server, free_port
from chezz_client import Browser
from harness import check, test, test_each
from worker_client import Workers

BY_WORKER = ("parley_queue_searches_total", 'by="worker"')
FALLBACK = ("parley_queue_searches_total", 'by="fallback"')
SERVERS = [("serve", "serve"), ("chezz", "chezz")]
LONG = "600000"


def of_priority(name, priority):
    return (f"parley_queue_jobs_{name}", f'priority="{priority}"')


def metric(name):
    return (f"parley_queue_{name}", None)


def wait_for(server, holds, what, within=20):
    """Waits until the server's metrics are as wanted. The last ones."""
    deadline = time.monotonic() + within * server.slow
    while True:
        metrics = server.metrics()
        if holds(metrics):
            return metrics
        queue = {key: value for key, value in metrics.items() if "queue" in key[0]}
        check(time.monotonic() < deadline, f"not {what}: {queue} {server.log()[-2000:]}")
        time.sleep(0.05)


def wait_for_move_of_worker(server, ask, move):
    """Has the engine move until a worker does it: one that connects again, or is late, may miss a search."""
    done = server.metrics()[BY_WORKER]

    def is_made(_):
        ask(50)
        check(move(), "no move")
        return server.metrics()[BY_WORKER] > done

    wait_for(server, is_made, "done by a worker")


@contextlib.contextmanager
def server_with_workers(start, name, count=1, *options):
    """A server, its workers with one thread each, and the list of these."""
    with Workers(start) as workers:
        running = [workers.start("--threads", "1") for _ in range(count)]
        with Server(start, name, "--queue", workers.url, "--store", "memory", *options) as server:
            wait_for(server, lambda metrics: metrics[metric("workers")] == count, "all workers there")
            yield server, workers, running


@contextlib.contextmanager
def game(server, name):
    """A game; a function that has the engine move there in so many milliseconds, without waiting, and one
    that waits for that move."""
    if name == "serve":
        with server.socket() as client:
            client.request(NEW_GAME)
            yield (lambda time: client.send({"message_type": "engine_move", "milliseconds": time}),
                   lambda: client.receive_type("engine_move", 40 * server.slow))
        return
    games = []

    def ask(milliseconds):
        player = Browser(server)
        games.append(player.play(player.create(f"?opponent=engine&movetime={milliseconds}&is_black=1")))

    try:
        yield ask, lambda: games[-1].receive_type("move", 40 * server.slow)
    finally:
        for socket in games:
            socket.cut()


@test_each(SERVERS)
def the_engine_of_a_server_is_a_worker(name, start):
    with server_with_workers(start, name) as (server, workers, _), game(server, name) as (ask, move):
        wait_for_move_of_worker(server, ask, move)
        metrics = wait_for(server, lambda metrics: metrics[of_priority("done_total", "player")] > 0, "counted")
        check(metrics[BY_WORKER] == 1, f"{metrics} {server.log()}")
        check(metrics[metric("up")] == metrics[metric("worker_threads")] == 1, str(metrics))
        check(metrics[metric("jobs_dead")] == metrics[metric("oldest_job_seconds")] == 0, str(metrics))
        check(metrics[("parley_search_nodes_total", None)] > 0, "no nodes")
        check("workers do the searches" in server.log() and f":{workers.redis.port}" in server.log(), server.log())


@test
def hints_explanations_analyses_and_reviews_are_those_of_a_worker(start):
    with server_with_workers(start, "serve", 1, "--hash", "4") as (server, _, _), server.socket() as client:
        client.request(NEW_GAME)
        for message in ({"message_type": "hint", "nodes": 500}, {"message_type": "explain"}):
            client.send(message)
            client.receive_type({"explain": "explanation"}.get(message["message_type"], "hint"), 30 * server.slow)
        client.request({"message_type": "start_analysis", "lines": 2})
        report = client.receive_type("analysis", 20 * server.slow)
        check(len(report["lines"]) == 2 and report["depth"] > 0, str(report))
        client.send({"message_type": "stop_analysis"})
        client.send(FOLLOW)
        client.send({"message_type": "load_pgn", "pgn": "1. f3 e5 2. g4 Qh4# 0-1"})
        client.send({"message_type": "start_review"})
        while client.receive_type("review", 60 * server.slow)["state"] == "running":
            pass
        done = of_priority("done_total", "analysis")
        # On a busy machine a worker may be late for one of them.
        wait_for(server, lambda metrics: metrics[done] >= 6 and metrics[done] + metrics[FALLBACK] >= 7, "counted")


@test_each(SERVERS, patient=True)
def the_search_of_a_killed_worker_goes_on(name, start):
    with server_with_workers(start, name) as (server, workers, [first]), game(server, name) as (ask, move):
        ask(3000)
        workers.wait_for(first.is_busy, "busy")
        first.kill()
        check(move(), "no move")
        # Nobody waits for a worker that is gone.
        wait_for(server, lambda metrics: metrics[metric("workers")] == 0, "gone")
        began = time.monotonic()
        ask(50)
        check(move() and time.monotonic() - began < 5 * start.slow, "no move without workers")
        workers.start("--threads", "1")
        wait_for(server, lambda metrics: metrics[metric("workers")] == 1, "there again")
        wait_for_move_of_worker(server, ask, move)


@test_each(SERVERS, patient=True)
def without_redis_a_server_searches_itself(name, start):
    with server_with_workers(start, name) as (server, workers, [worker]), game(server, name) as (ask, move):
        ask(2000)
        workers.wait_for(worker.is_busy, "busy")
        workers.redis.end()
        check(move(), "no move")
        server.wait_for_log("searches run in this process")
        metrics = wait_for(server, lambda metrics: metrics[metric("up")] == 0, "down")
        check(metrics[FALLBACK] == 1, str(metrics))
        began = time.monotonic()
        ask(50)
        check(move() and time.monotonic() - began < 5 * start.slow, "no move while Redis is away")
        check(server.log().count("searches run in this process") == 1, server.log())
        workers.redis.start()
        wait_for(server, lambda metrics: metrics[metric("workers")] == 1, "there again", within=30)
        wait_for_move_of_worker(server, ask, move)


@test
def a_redis_that_hangs_holds_nobody_up(start):
    with server_with_workers(start, "serve") as (server, workers, _), game(server, "serve") as (ask, move):
        with workers.redis.hanging():
            began = time.monotonic()
            ask(50)
            check(move() and time.monotonic() - began < 6 * start.slow, "no move")
            server.expect("/healthz", 200)
            wait_for(server, lambda metrics: metrics[metric("up")] == 0, "down")


@test
def a_server_without_any_redis_starts_and_plays(start):
    with Server(start, "serve", "--queue", f"redis://127.0.0.1:{free_port()}", "--store", "memory") as server:
        server.wait_for_log("searches run in this process")
        with game(server, "serve") as (ask, move):
            ask(50)
            check(move(), "no move")
        check(server.metrics()[metric("up")] == 0, "up")


@test
def a_search_that_nobody_wants_leaves_the_queue(start):
    with server_with_workers(start, "serve") as (server, workers, [worker]), server.socket() as client:
        client.request(NEW_GAME)
        client.send({"message_type": "engine_move", "milliseconds": 60_000})
        workers.wait_for(worker.is_busy, "busy")
        client.send({"message_type": "resignation", "player": "white"})
        workers.wait_for(lambda status: not worker.is_busy(status), "idle", within=10)
        # Now one that no worker has begun.
        producer = subprocess.Popen([start.command, "queue", "measure", "--jobs", "1", "--pause", LONG,
                                     "--queue", workers.url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            workers.wait_for(worker.is_busy, "busy")
            client.request(NEW_GAME)
            client.request({"message_type": "start_analysis"})
            wait_for(server, lambda metrics: metrics[of_priority("waiting", "analysis")] == 1, "waiting")
            client.send({"message_type": "stop_analysis"})
            metrics = wait_for(server, lambda metrics: metrics[of_priority("waiting", "analysis")] == 0, "gone")
            check(metrics[of_priority("done_total", "analysis")] == metrics[FALLBACK] == 0, str(metrics))
            # A player does not wait for it.
            client.send({"message_type": "engine_move", "milliseconds": 50})
            client.receive_type("engine_move", 20 * start.slow)
            check(server.metrics()[FALLBACK] == 1, server.log())
        finally:
            producer.kill()
            producer.wait()


@test
def a_server_that_stops_takes_its_searches_back(start):
    with Workers(start) as workers:
        worker = workers.start("--threads", "1")
        with Server(start, "serve", "--queue", workers.url, "--store", "memory") as server:
            wait_for(server, lambda metrics: metrics[metric("workers")] == 1, "there")
            with server.socket() as client:
                client.request(NEW_GAME)
                client.send({"message_type": "engine_move", "milliseconds": 60_000})
                workers.wait_for(worker.is_busy, "busy")
        workers.wait_for(lambda status: not worker.is_busy(status), "idle", within=10)
        left = [key for key in workers.redis.command("KEYS", "*") if ":r:" in key or ":p:" in key]
        check(not left, str(left))
