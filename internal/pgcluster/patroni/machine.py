# Stands for the machine of a node: PostgreSQL outlives the process that starts it, and the
# dead are collected by process 1, which in a container may not do so. Ends when everything
# on it has ended; SIGTERM is for Patroni, which then stops PostgreSQL.
import ctypes, os, signal, sys

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
patroni = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(patroni, signal.SIGTERM))
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
