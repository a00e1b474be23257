"""`python -m vademecum` is the command `vademecum`."""

from vademecum.cli import main

main()
