"""Client of sigcase: electronic-signature cases, kiosks, webhooks and verification."""

from .aio import AsyncSigcaseClient, listen_kiosk
from .client import SigcaseClient
from .errors import SigcaseError
from .kiosk import KioskEvent, KioskListener
from .types import API_VERSION
from .webhook import WebhookEvent, read_webhook, verify_webhook

__version__ = API_VERSION
__all__ = [
    "API_VERSION",
    "AsyncSigcaseClient",
    "KioskEvent",
    "KioskListener",
    "SigcaseClient",
    "SigcaseError",
    "WebhookEvent",
    "listen_kiosk",
    "read_webhook",
    "verify_webhook",
]
