"""Names: tokens that are not words of a language, and what kind of thing each one names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from vademecum.redaction import MARK


@dataclass(frozen=True, slots=True)
class Name:
    """One name found in a text; `kind` is a key of `WEIGHTS`."""

    text: str
    kind: str


#: How much a name of each kind is worth to somebody who goes on with the work.
WEIGHTS: dict[str, float] = {
    "url": 1.2,
    "uuid": 1.2,
    "commit": 1.3,
    "issue": 1.1,
    "env": 1.3,
    "flag": 1.1,
    "host": 1.3,
    "path": 1.0,
    "file": 0.9,
    "version": 0.9,
    "id": 1.3,
    "symbol": 0.8,
    "code": 0.7,
    "number": 0.6,
}

_FILE_TYPES = (
    "py|pyi|go|rs|ts|tsx|js|jsx|mjs|cjs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|zsh|sql|md|mdx|txt|rst|json"
    "|jsonl|yaml|yml|toml|ini|cfg|conf|env|lock|xml|html|css|scss|vue|svelte|proto|graphql|ipynb|csv|tsv|log|db"
    "|sqlite|png|jpg|jpeg|gif|svg|pdf|zip|gz|tar|wasm|tf|mod|sum|plist|gradle|dockerfile|makefile|pen|patch|diff"
)

# Errors of operating systems: EADDRINUSE, ENOENT, ECONNRESET.
_ERRNO = (
    "E(?:ACC|ADDR|AGAIN|BADF|BUSY|CONN|EXIST|FAULT|HOST|INVAL|IO|ISDIR|LOOP|MFILE|NAME|NO|PERM|PIPE|PROTO|TIMED|XDEV)"
    "[A-Z]*"
)

# The order is the precedence: the first pattern that matches the whole token names its kind.
_SHAPES = re.compile(
    rf"""
      (?P<url>    [a-z][a-z+.-]*://\S+ )
    | (?P<uuid>   [0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}} )
    | (?P<commit> (?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{{7,64}} )
    | (?P<issue>  \#\d{{1,7}} | [A-Z][A-Z0-9]{{1,9}}-\d{{1,7}} )
    | (?P<flag>   --[A-Za-z][\w-]+ )
    | (?P<file>   [\w@.+-]+\.(?:{_FILE_TYPES})(?::\d+)*(?:-\d+)? )
    | (?P<host>   (?:\d{{1,3}}\.){{3}}\d{{1,3}}(?::\d{{1,5}})? | [A-Za-z][\w-]*(?:\.[\w-]+)*:\d{{2,5}} )
    | (?P<path>   (?=[^/]*/)(?=.*[A-Za-z]{{2}}) [\w@.+~$%:#-]*(?:/[\w@.+~$%:#-]+)+/? )
    | (?P<version> v?\d+(?:\.\d+){{1,4}}(?:[-+][\w.]+)? )
    | (?P<env>    [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+ )
    | (?P<id>     (?=.*\d)(?=.*[A-Za-z])(?:[A-Za-z0-9]+[_-])+[A-Za-z0-9]+ | (?=\D*\d)(?=.*[A-Za-z])[A-Za-z0-9]{{5,}}
                  | 0x[0-9a-fA-F]+ | [A-Z]{{1,4}}\d{{2,6}} | {_ERRNO} )
    | (?P<symbol> _*[A-Za-z]\w*_\w+ | [a-z]+\d*(?:[A-Z][a-z0-9]*)+ | [A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+
                  | [A-Za-z_][\w]*(?:(?:\.|::|->)[A-Za-z_]\w+)+ )
    | (?P<number> \d{{3,}}(?:[.,]\d+)* )
    """,
    re.VERBOSE,
)

_SEPARATORS = r"""\s"'`<>()\[\]{},;|=*!?&\\^"""
_EDGES = ".:/-…→•│"
# Words, also with hyphens, make up most of a text and name nothing: they are passed over without being found.
_TOKEN = re.compile(
    rf"(?:[A-Z]?[a-z]++(?:-[a-z]++)*+[{re.escape(_EDGES)}]*+[{_SEPARATORS}]++)++|([^{_SEPARATORS}]{{3,200}})"
)
_CODE = re.compile(r"`([^`\n]{3,80})`")
_SCHEME = re.compile(r"[a-z][a-z+.-]{1,20}\Z")
_AFTER_SCHEME = re.compile(r"://[^\s\"'`<>()\[\]{}|\\^]{2,300}")


def names_in(text: str) -> dict[str, str]:
    """The names of a text, in order of first occurrence, each with its kind."""
    found: dict[str, str] = {}
    if "[redacted " in text:
        text = MARK.sub(" ", text)  # a mark names nothing
    if "`" in text:
        for span in _CODE.findall(text):
            kind = kind_of(span) or ("code" if " " not in span else "")
            if kind:
                found.setdefault(span, kind)
    if "://" in text:  # their marks would be taken for separators
        urls, text = _parted(text)
        found.update(dict.fromkeys((url.rstrip(_EDGES + ",;!?*") for url in urls), "url"))
    for named in filter(None, map(_named, dict.fromkeys(_TOKEN.findall(text)))):
        found.setdefault(*named)
    return found


def _parted(text: str) -> tuple[list[str], str]:
    """The URLs of a text, and the text with a space in place of each."""
    urls: list[str] = []
    rest: list[str] = []
    done, at = 0, text.find("://")
    while at >= 0:
        scheme = _SCHEME.search(text, max(done, at - 21), at)
        after = _AFTER_SCHEME.match(text, at) if scheme else None
        if scheme and after:
            rest.append(text[done : scheme.start()])
            urls.append(text[scheme.start() : after.end()])
            done = after.end()
        at = text.find("://", max(done, at + 1))
    rest.append(text[done:])
    return urls, " ".join(rest)


@lru_cache(maxsize=4_096)
def _named(token: str) -> tuple[str, str] | None:
    """The name that a token is without the punctuation around it, and its kind."""
    stripped = token if token.startswith(("--", "/", ".")) else token.lstrip(_EDGES)
    stripped = stripped.rstrip(_EDGES)
    kind = kind_of(stripped)
    return (stripped, kind) if kind else None


def kind_of(token: str) -> str:
    """What a token names, or an empty string when it is a word like any other."""
    if len(token) < 2 or (token.isalpha() and _is_word(token)):
        return ""
    found = _SHAPES.fullmatch(token)
    return found.lastgroup or "" if found else ""


def _is_word(token: str) -> bool:
    """Whether letters are cased as those of a word; an error of the operating system is none."""
    return token.islower() or token.istitle() or (token.isupper() and not re.fullmatch(_ERRNO, token))
