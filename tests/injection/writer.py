"""A process that appends one message after the other and notes how long each took: `writer.py DB SESSION COUNT`."""

import json
import statistics
import sys
import time

from vademecum import Archive
from vademecum.wire import dialect


def main(path: str, name: str, count: int) -> None:
    chat, took = dialect("openai-chat"), []
    with Archive.open(path) as archive:
        session = archive.session(name, format="openai-chat")
        for number in range(count):
            text = f"{name} writes line {number} of src/{name}_{number}.py"
            message = chat.load({"role": "user", "content": text}, number)
            began = time.monotonic_ns()
            session.append([message], [12])
            took.append((time.monotonic_ns() - began) / 1e6)
    print(json.dumps({"worst_ms": max(took), "median_ms": statistics.median(took)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
