"""Clients: one way to ask a model in each wire format, by its provider's own SDK (M-10)."""

from vademecum.models.clients.answer import Answer
from vademecum.models.clients.client import Client
from vademecum.models.clients.failure import verdict_of
from vademecum.models.clients.plain_model import ClientModel
from vademecum.models.clients.request import body_of
from vademecum.models.clients.streaming import Piece, Stream

__all__ = ["Answer", "Client", "ClientModel", "Piece", "Stream", "body_of", "verdict_of"]
