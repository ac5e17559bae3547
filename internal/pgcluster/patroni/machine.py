# The machine of a node. PostgreSQL outlives the process that starts it, so this process reaps
# its children: process 1 may not do so in a container. It ends when everything on the machine
# has ended. It passes SIGTERM on to Patroni, which then stops PostgreSQL.
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
