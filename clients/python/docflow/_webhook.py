"""Receiving webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping

from ._errors import WebhookRefused


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secret: str, tolerance: float = 300
) -> Dict[str, Any]:
    """Verify a webhook and return it; `id` is the same in every attempt to deliver it.

    `body` must be the bytes as they arrived. Raises WebhookRefused.
    """
    if not secret:
        raise WebhookRefused("The secret is empty: anybody could have signed")
    lower = {name.lower(): value for name, value in headers.items()}
    message_id = lower.get("webhook-id", "")
    timestamp = lower.get("webhook-timestamp", "")
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = lower.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(one.encode(), expected) for one in given):
        raise WebhookRefused("The signature does not belong to this body and secret")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookRefused("The webhook is too old or too new")
    message: Dict[str, Any] = json.loads(body)
    return {**message, "id": message_id}


