"""Searches by workers (`parley worker`) through Redis."""
import json
import subprocess
import threading
import time

from harness import check, test, test_each
from worker_client import Workers

GAMES = b"""[White "Anna"]
[Black "Bert"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1

[White "Cora"]
[Black "Dirk"]
[SetUp "1"]
[FEN "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w GEge - 0 1"]
[Variant "Chess960"]

1. O-O b5 2. -- b4 3. e4 *

1. f3 e5 2. g4 Qh4# 0-1
"""
SUITE = b"""6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8+ ; id "mates.001";
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7+; id "mates.002";
7k/5Q2/6K1/8/8/8/8/8 b - - id "over";
8/8/8/8/8/5k2/6q1/7K w - - id "mated";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
"""


def annotate(start):
    """The command whose output is compared."""
    return ("annotate", "--nodes", f"{3000 / start.slow:.0f}", "--lines", "2", "--words")


def text(done):
    return "\n".join(done.lines)


def without_times(line):
    answer = json.loads(line)
    for moment in ("end", "found"):
        if answer.get(moment):
            del answer[moment]["ms"]
    return {name: value for name, value in answer.items() if name not in ("ms", "found_ms", "suites")}


@test
def annotations_by_workers_are_those_of_one_process(start):
    alone = start.run(*annotate(start), input=GAMES)
    check("[%eval" in text(alone) and "mate" in text(alone), alone.errors)
    with Workers(start) as workers:
        workers.start("--threads", "2")
        workers.start()
        shared = workers.run(*annotate(start), input=GAMES, within=60)
        check(shared.errors == "", shared.errors)
        check(text(shared) == text(alone), f"alone:\n{text(alone)}\nby workers:\n{text(shared)}")
        status = workers.status()
        check(status["priorities"]["bulk"]["done"] > 20, status)
        left = [key for key in workers.redis.command("KEYS", "*") if ":r:" in key or ":p:" in key]
        check(not left, left)


@test
def suites_by_workers_are_those_of_one_process(start):
    arguments = ("epd", "--nodes", "5000", "--json")
    alone = start.run(*arguments, input=SUITE)
    with Workers(start) as workers:
        workers.start("--threads", "2")
        shared = workers.run(*arguments, input=SUITE)
        check(shared.errors == alone.errors, shared.errors)
        check([without_times(line) for line in shared.lines] == [without_times(line) for line in alone.lines],
              f"{alone.lines}\n{shared.lines}")
        done = workers.run(*arguments, "--threads", "2", input=SUITE)
        check(done.status == 2 and "one thread" in done.errors, done.errors)


@test_each([(repr(url), url, reason) for url, reason in (
    ("localhost", "must begin with redis://"), ("redis://", "the host is missing"),
    ("redis://h:0", "the port must be from 1 to 65535"), ("redis://a@h", "a user needs a password"),
    ("redis://h/x", "the database must be from 0"), ("redis://:%zz@h", "% without"))])
def a_wrong_url_is_refused(url, reason, start):
    done = start.run("worker", "--queue", url)
    if "without Redis" not in done.errors:
        check(done.status == 2 and reason in done.errors and "zz" not in done.errors, done.errors)


@test
def without_redis_or_workers_the_process_works_itself(start):
    alone = start.run(*annotate(start), input=GAMES)
    with Workers(start) as workers:
        nobody = start.run(*annotate(start), "--queue", "redis://127.0.0.1:1", input=GAMES)
        check(nobody.status == 0 and text(nobody) == text(alone), nobody.errors)
        check("the work goes on in this process" in nobody.errors and nobody.errors.count("\n") <= 1, nobody.errors)
        began = time.monotonic()
        idle = workers.run(*annotate(start), input=GAMES, within=60)
        check(text(idle) == text(alone) and "no worker" in idle.errors, idle.errors)
        check(time.monotonic() - began > 9, "it did not wait for workers")


@test
def a_password_a_user_and_a_database_are_used(start):
    with Workers(start) as workers:
        workers.redis.command("ACL", "SETUSER", "anna", "on", ">p@ss:1", "~*", "+@all")
        workers.redis.command("CONFIG", "SET", "requirepass", "other")
        plain, workers.url = workers.url, workers.url.replace("//", "//anna:p%40ss%3a1@") + "/3"
        worker = workers.start()
        done = workers.run("queue", "measure", "--jobs", "10")
        check(done.status == 0 and done.lines[0].startswith("10 jobs"), done.errors)
        check("p@ss" not in worker.errors() and "p%40" not in worker.errors(), worker.errors())
        workers.url = plain
        refused = workers.run("queue", "status")
        check(refused.status == 1 and "NOAUTH" in refused.errors, refused.errors)


def started(start, workers, *arguments):
    """A program with this queue that goes on running."""
    return subprocess.Popen([start.command, *arguments, "--queue", workers.url],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@test
def a_job_of_a_killed_worker_is_done_by_another(start):
    with Workers(start) as workers:
        first = workers.start()
        producer = started(start, workers, "queue", "measure", "--jobs", "1", "--pause", "3000")
        workers.wait_for(lambda status: status["busy"] == 1, "busy")
        first.kill()
        workers.start()
        out, errors = producer.communicate(timeout=60 * start.slow)
        check(b"1 jobs in" in out and not errors, out + errors)


@test
def a_job_that_ends_three_workers_is_put_aside(start):
    with Workers(start) as workers:
        producer = started(start, workers, "queue", "measure", "--jobs", "1", "--pause", "600000")
        worker = workers.start()
        for _ in range(3):
            workers.wait_for(worker.is_busy, "busy", within=40)
            # The next one is there before, so that the producer does not work itself.
            spare = workers.start()
            workers.wait_for(spare.is_there, "there")
            worker.kill()
            worker = spare
        out, errors = producer.communicate(timeout=60 * start.slow)
        check(producer.returncode == 1 and b"3 workers fell silent over it" in errors, out + errors)
        [dead] = workers.run("queue", "dead", "--json").lines
        check(json.loads(dead)["priority"] == "bulk" and '"pause"' in json.loads(dead)["job"], dead)
        check(workers.status()["dead"] == 1, "not counted")
        check("1 jobs are deleted" in text(workers.run("queue", "dead", "--delete")), "not deleted")
        check(workers.status()["dead"] == 0, "still there")


@test_each([(repr(job), job, reason) for job, reason in (
    ("nonsense", "is not a JSON object"), ("[1]", "is not a JSON object"), ("", "is not a JSON object"),
    ('{"kind":"swim"}', "unknown value"),
    ('{"kind":"pause","fen":"8/8/8/8/8/8/8/8 w - - 0 1","limits":{"movetime":1}}', "'fen'"),
    ('{"kind":"search","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","limits":{},'
     '"multipv":1,"hash":1,"salt":0}', "do not end the search"))])
def a_malformed_job_is_put_aside(job, reason, start):
    with Workers(start) as workers:
        worker = workers.start()
        workers.wait_for(lambda status: len(status["workers"]) == 1, "there")
        workers.redis.command("XADD", workers.queue_key("bulk"), "*", "id", "1", "from", "x", "job", job)
        workers.wait_for(lambda status: status["dead"] == 1, "put aside")
        check(reason in text(workers.run("queue", "dead")), text(workers.run("queue", "dead")))
        workers.redis.command("XADD", workers.queue_key("bulk"), "*", "what", "ever")
        workers.wait_for(lambda status: status["dead"] == 2, "put aside")
        check(worker.process.poll() is None, worker.errors())
        check(workers.run("queue", "measure", "--jobs", "5").status == 0, "the worker does no more jobs")


@test
def a_player_goes_before_bulk_and_bulk_does_not_starve(start):
    with Workers(start) as workers:
        ends = {}
        counts = workers.queue_key("counts")

        def run(priority, jobs):
            done = workers.run("queue", "measure", "--jobs", jobs, "--pause", "50", "--priority", priority, within=60)
            check(done.status == 0, done.errors)
            ends[priority] = time.monotonic()

        threads = [threading.Thread(target=run, args=arguments) for arguments in (("bulk", "60"), ("player", "60"))]
        for thread in threads:
            thread.start()
        workers.wait_for(lambda status: all(status["priorities"][name]["waiting"] == 60 for name in ("bulk", "player")),
                         "queued")
        workers.start("--threads", "1")
        workers.wait_for(lambda status: status["jobs_per_second"] > 5, "at work")
        threads[1].join()
        bulk = int(workers.redis.command("HGET", counts, "bulk") or 0)
        threads[0].join()
        check(ends["player"] < ends["bulk"], "bulk was done first")
        check(1 <= bulk <= 30, f"{bulk} jobs in bulk before the player's last")


@test
def a_worker_that_is_stopped_ends_its_job_or_gives_it_back(start):
    with Workers(start) as workers:
        first = workers.start("--threads", "1")
        producer = started(start, workers, "queue", "measure", "--jobs", "2", "--pause", "2500")
        workers.wait_for(first.is_busy, "busy")
        check(first.terminate(10 * start.slow) == 0, first.errors())
        status = workers.status()
        check(status["workers"] == [] and status["priorities"]["bulk"]["done"] == 1, status)
        second = workers.start("--threads", "1")
        check(producer.wait(20 * start.slow) == 0, producer.stderr.read())
        check(second.terminate(10 * start.slow) == 0, second.errors())
        third = workers.start("--drain-time", "0")
        workers.wait_for(third.is_there, "there")
        producer = started(start, workers, "queue", "measure", "--jobs", "1", "--pause", "6000")
        workers.wait_for(third.is_busy, "busy")
        check(third.terminate(10 * start.slow) == 0, third.errors())
        check(workers.status()["priorities"]["bulk"]["waiting"] == 1, workers.status())
        workers.start()
        check(producer.wait(20 * start.slow) == 0, producer.stderr.read())


@test
def redis_is_restarted_in_between(start):
    games = GAMES * 3
    arguments = ("annotate", "--nodes", f"{60_000 / start.slow:.0f}")
    alone = start.run(*arguments, input=games, within=120)
    with Workers(start) as workers:
        worker = workers.start()
        producer = started(start, workers, *arguments)
        producer.stdin.write(games)
        producer.stdin.close()
        producer.stdin = None
        workers.wait_for(lambda status: status["priorities"]["bulk"]["done"] >= 5, "begun")
        workers.redis.end()
        time.sleep(1)
        workers.redis.start()
        out, errors = producer.communicate(timeout=120 * start.slow)
        check(out.decode().rstrip("\n") == text(alone), f"{errors.decode()}\n{text(alone)}\n{out.decode()}")
        check(worker.process.poll() is None, worker.errors())
        workers.redis.command("FLUSHALL")
        check(workers.run("queue", "measure", "--jobs", "5", within=30).status == 0, "no work after FLUSHALL")


@test
def redis_goes_for_good(start):
    arguments = ("annotate", "--nodes", f"{400_000 / start.slow:.0f}")
    alone = start.run(*arguments, input=GAMES, within=120)
    with Workers(start) as workers:
        workers.start()
        producer = started(start, workers, *arguments)
        producer.stdin.write(GAMES)
        producer.stdin.close()
        producer.stdin = None
        workers.wait_for(lambda status: status["priorities"]["bulk"]["done"] >= 3, "begun")
        workers.redis.end()
        out, errors = producer.communicate(timeout=120 * start.slow)
        check(out.decode().rstrip("\n") == text(alone), out.decode())
        check(b"the work goes on in this process" in errors, errors)


@test
def another_network_has_another_queue(start):
    with Workers(start) as workers:
        key = workers.queue_key("bulk")
        version, _, _ = key.partition("-")
        workers.start()
        workers.wait_for(lambda status: len(status["workers"]) == 1, "there")
        other = f"{version}-00000000}}:bulk"
        workers.redis.command("XADD", other, "*", "id", "1", "from", "x", "job", "{}")
        check(workers.run("queue", "measure", "--jobs", "5").status == 0, "no work")
        check(workers.redis.command("XLEN", other) == 1, "another queue was read")
