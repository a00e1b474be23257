"""Fitting one request: runs in a worker thread, so that the event loop never computes for long."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.compactor import Compactor
from vademecum.core.receipt import Receipt
from vademecum.errors import VademecumError
from vademecum.proxy.body import asked, written
from vademecum.proxy.caller import Caller
from vademecum.proxy.router import Router


@dataclass(frozen=True, slots=True)
class Fitted:
    """What to send upstream.

    Attributes:
        body: The bytes: the client's own where nothing was needed.
        receipt: What was done; None for a request that passes through.
        compactor: What the reply's usage is told to; None for a request that passes through.
        session: Id of the session; empty for a request that passes through.
    """

    body: bytes
    receipt: Receipt | None = None
    compactor: Compactor | None = None
    session: str = ""


def fitted(router: Router, caller: Caller, path: str, body: bytes) -> Fitted:
    """The body to send upstream. Whatever goes wrong here, the client's request goes out as it came."""
    request = asked(path, body)
    if request is None:
        return Fitted(body)
    system, tools = request.outside.get("system"), request.outside.get("tools")
    try:
        compactor = router.compactor(caller, request.dialect, request.messages, system=system, has_tools=bool(tools))
        done = compactor.fit(
            request.wires, system=system, tools=tools, max_output=request.max_output, raws=request.raws
        )
    except VademecumError:
        return Fitted(body)
    session = compactor.session
    name = session.id if session is not None else ""
    if done.receipt.cycle == 0:
        return Fitted(body, done.receipt, compactor, name)
    return Fitted(written(request, done.context), done.receipt, compactor, name)
