"""`vademecum simulate`: the same as `vademecum bench simulate`."""

from __future__ import annotations

from copy import copy

from vademecum.cli.bench.simulate import command as _of_the_bench

command = copy(_of_the_bench)
command.examples = tuple((line.replace(" bench ", " "), what) for line, what in command.examples)
