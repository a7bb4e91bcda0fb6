# SPDX-License-Identifier: BSD-3-Clause
"""A ring of messages in Python: what it calls of MPI is known."""
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
out, found = bytearray(400), bytearray(400)

for _ in range(10):
    world.Sendrecv(out, (rank + 1) % size, 0, found, (rank - 1) % size, 0)
requests = [world.Irecv(found, (rank - 1) % size), world.Isend(out, (rank + 1) % size)]
MPI.Request.Waitall(requests)
world.Bcast(out, 0)
world.Barrier()
