"""Requests of several clients at the same time, and how long they take."""
import concurrent.futures
import random
import time

from harness import check


def answer_in_time(call, what, slow):
    """What a call returns, which must take less than two seconds."""
    began = time.monotonic()
    result = call()
    seconds = time.monotonic() - began
    check(seconds < 2 * slow, f"{what} took {seconds:.2f} s")
    return result


def in_parallel(calls, seconds):
    """Calls each of them again and again, with pauses, for so long. How often each was called."""
    deadline = time.monotonic() + seconds

    def repeat(index):
        dice = random.Random(index)
        count = 0
        while time.monotonic() < deadline:
            calls[index]()
            count += 1
            time.sleep(dice.uniform(0, 0.3))
        return count

    with concurrent.futures.ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(repeat, range(len(calls))))
