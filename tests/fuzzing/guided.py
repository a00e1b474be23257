"""Coverage-guided fuzzing of one parser: `guided.py NAME CORPUS SECONDS`; needs `pip install atheris`."""

import sys

import atheris

with atheris.instrument_imports(include=["vademecum"]):
    from fuzzing.targets import SEEDS, tried


def main() -> None:
    name, corpus, seconds = sys.argv[1:]
    from pathlib import Path

    folder = Path(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(SEEDS[name]):
        (folder / f"seed{number}").write_bytes(data)
    options = [
        f"-max_total_time={seconds}",
        "-max_len=8192",
        "-rss_limit_mb=2048",
        "-timeout=20",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], lambda data: tried(name, data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
