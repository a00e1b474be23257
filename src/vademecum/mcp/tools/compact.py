"""`compact`: a compaction now instead of at the trigger."""

from __future__ import annotations

from vademecum.compactor import Options
from vademecum.compactor.stored import compact_stored
from vademecum.core.receipt import Receipt
from vademecum.errors import ArchiveError
from vademecum.mcp.arguments import Given
from vademecum.mcp.desk import Answer, Desk
from vademecum.mcp.tools.context import known_window

_NOTES = {
    "crowded": "Another round will not fit below the trigger.",
    "above_trigger": "It is still above the trigger.",
}
_ASKED = (
    "a compaction is asked for; its window is not known here, so the next request through the Vademecum proxy or "
    "library serves it. Give `window`, the model's limit in tokens, to compact the archived session at once."
)
_NEXT = "It takes effect with the session's next request through the Vademecum proxy or library."


def answer(desk: Desk, given: Given) -> Answer:
    """Compacts a session and answers with the receipt; where its window is not known, asks its caller to."""
    with desk.another() as archive:  # of its own: searches do not wait for it
        session = desk.session(archive, given["session"])
        window = known_window(desk.config, session, given["window"])
        if window is None:  # only its caller knows it
            session.request_compaction(given["focus"] or "")
            return Answer((f"session {session.id}: {_ASKED}",))
        options = Options(
            budget=desk.config.budget(window),
            preset=desk.config.preset,
            token_compression=desk.config.token_compression,
            focus=given["focus"] or "",
        )
        receipt = compact_stored(archive, session.id, options).receipt
    if receipt.outcome == "failed":
        raise ArchiveError(f"session {receipt.session!r} was not compacted: {receipt.failure}")
    return Answer((_told(receipt),))


def _told(receipt: Receipt) -> str:
    name = f"session {receipt.session}"
    if receipt.outcome not in ("compacted", *_NOTES):
        why = receipt.outcome.replace("_", " ")
        size = f"the context has {receipt.tokens_before:,} tokens"
        return f"{name}: nothing was compacted ({why}); {size}. {receipt.failure}".rstrip()
    share = 100 * (1 - receipt.tokens_after / receipt.tokens_before) if receipt.tokens_before else 0
    sizes = f"{receipt.tokens_before:,} → {receipt.tokens_after:,} tokens (−{share:.0f} %)"
    tier = next((tier.name for tier in reversed(receipt.tiers) if tier.outcome in ("fits", "helped")), "the ladder")
    window = f"window {receipt.window.tokens:,} ({receipt.window.origin})"
    rows = (
        f"{name}, cycle {receipt.cycle}: {sizes}, {len(receipt.removed):,} parts archived, by {tier}",
        f"trigger {receipt.trigger_tokens:,}, target {receipt.target_tokens:,}, {window}",
        _NOTES.get(receipt.outcome, ""),
        _NEXT,
        "What left is found by session_search and restored by restore_tool_result.",
    )
    return "\n".join(filter(None, rows))
