"""The fallback chain: several models in an order, each given the context that fits it (M-8)."""

from vademecum.chain.chain import FallbackChain
from vademecum.chain.member import Member
from vademecum.chain.reply import ChainReply, Decision
from vademecum.chain.streaming import ChainStream

__all__ = ["ChainReply", "ChainStream", "Decision", "FallbackChain", "Member"]
