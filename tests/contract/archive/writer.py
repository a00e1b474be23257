"""A process that appends: `writer.py DB SESSION NAME COUNT`; each message that is durable is named on stdout."""

import sys

from vademecum.archive import Archive, Session
from vademecum.core.messages import Message
from vademecum.errors import SessionGrew
from vademecum.wire import dialect


def appended(session: Session, message: Message) -> bool:
    """Whether it could be appended before another process appended something else."""
    try:
        session.append([message], [9])
    except SessionGrew:
        return False
    return True


def main(path: str, session: str, name: str, count: int) -> None:
    chat = dialect("openai-chat")
    with Archive.open(path) as archive:
        held = archive.session(session)
        for number in range(count):
            text = f"{name} {number} writes src/{name}_{number}.py"
            message = chat.load({"role": "user", "content": text}, number)
            while not appended(held, message):
                pass
            sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
