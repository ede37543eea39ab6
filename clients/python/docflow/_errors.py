"""What can go wrong."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ._types import Response


class ApiError(Exception):
    """The service refused a request; `code` and `status` are those of the API's error table."""

    def __init__(self, code: str, message: str, details: Dict[str, Any], response: Response) -> None:
        suffix = f" (request {response.request_id})" if response.request_id else ""
        super().__init__(message + suffix)
        self.code = code
        self.status = response.status
        self.details = details
        self.response = response

    @property
    def request_id(self) -> Optional[str]:
        return self.response.request_id

    @property
    def retry_after(self) -> float:
        """Seconds after which it is worth trying again; 0 if the service named none."""
        value = self.response.headers.get("retry-after", "")
        return float(value) if value.isdigit() else 0.0


class ConnectionFailed(Exception):
    """The service was not reached, did not answer in time, or something else answered in its place."""


class WaitTimeout(Exception):
    """The execution has not ended within the time limit of the wait; it continues."""

    def __init__(self, execution_id: str, seconds: float) -> None:
        super().__init__(f"The execution {execution_id} did not end within {seconds:g} seconds; it continues")
        self.execution_id = execution_id


class WebhookRefused(Exception):
    """A webhook was not sent by the service with this secret just now."""
