"""How much of a restored part a window still has room for."""

from __future__ import annotations

from vademecum.archive import Session

#: A page has at least so many bytes, however full the window is.
LEAST_PAGE = 2_000
#: Bytes of a token, low, so that a page of code or digits fits too; and the share of what is left that it may take.
_BYTES_PER_TOKEN, _SHARE = 3, 0.5


def page_bytes(session: Session, usable: int) -> int:
    """Bytes of a page that does not overflow the context which it is restored into.

    Args:
        session: Whose context that is.
        usable: Tokens of the window that messages may have.
    """
    standing = session.compaction()
    size = session.tokens() if standing is None else standing.tokens + session.tokens(standing.covered)
    return max(LEAST_PAGE, int((usable - size) * _SHARE * _BYTES_PER_TOKEN))
