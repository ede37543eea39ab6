"""Calls a docflow service and verifies its webhooks."""

from ._async_client import AsyncDocflow
from ._client import Docflow, document_of
from ._errors import ApiError, ConnectionFailed, WaitTimeout, WebhookRefused
from ._types import (
    BacktestExecution,
    Correction,
    Corrections,
    Document,
    Event,
    Execution,
    ExportedCase,
    Flow,
    FlowPage,
    Response,
)
from ._webhook import verify_webhook

__all__ = [
    "ApiError",
    "AsyncDocflow",
    "BacktestExecution",
    "ConnectionFailed",
    "Correction",
    "Corrections",
    "Docflow",
    "Document",
    "Event",
    "Execution",
    "ExportedCase",
    "Flow",
    "FlowPage",
    "Response",
    "WaitTimeout",
    "WebhookRefused",
    "document_of",
    "verify_webhook",
]
