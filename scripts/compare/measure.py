"""Runs a program on one core and says what it took."""

import os
import subprocess
import time


class Cost:
    """CPU seconds (user and system, of the program and what it started) and the most memory, in MB."""

    def __init__(self, cpu, memory, wall):
        self.cpu, self.memory, self.wall = cpu, memory, wall


def one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(command, folder, log, environment=None):
    """Returns its exit code and cost. Threads are limited to one by all means that the codes know."""
    single = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NGS_NUM_THREADS",
                                     "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT")}
    begin = time.monotonic()
    with open(log, "wb") as output:
        child = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, preexec_fn=one_core,
                                 env={**os.environ, **single, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, time.monotonic() - begin)
