"""`vademecum sessions --live`: what a proxy serves just now, read from the archive while it runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proxy.harness import CHAT, run
from proxy.test_chain import chained, model_called
from proxy.transcripts import MAKERS, body
from requirement import requirement
from vademecum.cli.app import main


@requirement("P-9")
def test_live_sessions_of_every_key_are_listed_while_the_proxy_runs(
    db: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def live(*more: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["sessions", "--live", "--db", str(db), *more])
        return int(ended.value.code or 0), capsys.readouterr().out

    async def work() -> None:
        async with chained(db, model_called("a"), model_called("b")) as proxy:
            for key, rounds in (("one", 2), ("two", 40)):
                sent = {"Authorization": f"Bearer {key}", "x-vademecum-session": f"of-{key}"}
                reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](rounds)), headers=sent)
                assert reply.status == 200
            code, told = live("--json")
            assert code == 0
            rows = {row["id"]: row for row in json.loads(told)["sessions"]}
            assert rows.keys() == {"of-one", "of-two"}
            assert rows["of-one"]["owner"] != rows["of-two"]["owner"]
            assert rows["of-two"]["messages"] == len(MAKERS[CHAT](40))
            assert {row["window"] for row in rows.values()} == {1_000_000}
            code, text = live()
            assert (code, "of-one" in text, "port the module" in text) == (0, True, False)

    run(work())
