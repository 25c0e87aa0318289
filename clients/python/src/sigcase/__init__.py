"""Client of sigcase: electronic-signature cases, kiosks, webhooks and verification."""

from .aio import AsyncParticipantClient, AsyncSigcaseClient, listen_kiosk
from .client import SigcaseClient
from .errors import SigcaseError
from .kiosk import KioskEvent, KioskListener, PairedKiosk, pair_kiosk
from .participant import ParticipantClient
from .types import API_VERSION
from .webhook import WebhookEvent, read_webhook, verify_webhook

__version__ = API_VERSION
__all__ = [
    "API_VERSION",
    "AsyncParticipantClient",
    "AsyncSigcaseClient",
    "KioskEvent",
    "KioskListener",
    "PairedKiosk",
    "ParticipantClient",
    "SigcaseClient",
    "SigcaseError",
    "WebhookEvent",
    "listen_kiosk",
    "pair_kiosk",
    "read_webhook",
    "verify_webhook",
]
