"""The shapes of requests and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, TypedDict


class Document(TypedDict, total=False):
    """A document of a run; `document_of` makes one from bytes."""

    base64: str
    filename: str
    mimeType: str


class Execution(TypedDict, total=False):
    """An execution as the API shows it."""

    id: str
    flowId: str
    version: str
    status: str
    createdAt: str
    completedAt: str
    cancelledAt: str
    progress: Dict[str, Any]
    output: Any
    error: Dict[str, Any]
    metrics: Dict[str, Any]
    artifacts: Dict[str, Any]
    metadata: Dict[str, Any]
    corrections: "Corrections"
    replayOf: str
    reusedSteps: List[str]


class Correction(TypedDict, total=False):
    """A value of the output that a person corrects; without `value`, the text in `bbox` on `page` is read."""

    path: str
    value: Any
    page: int
    bbox: Dict[str, float]


class Corrections(TypedDict, total=False):
    """What people corrected of an execution, and its output with the right values."""

    ifMatch: int
    values: List[Dict[str, Any]]
    confirmed: List[Dict[str, Any]]
    open: int
    output: Any


class ExportedCase(TypedDict, total=False):
    """A corrected execution as a test set of one case; `document` has `filename` and `base64`."""

    name: str
    text: str
    document: Dict[str, str]


class BacktestExecution(TypedDict, total=False):
    """A corrected execution that was run again: the values that people checked, and `new` paths that changed."""

    executionId: str
    status: str
    replayId: str
    message: str
    values: List[Dict[str, Any]]
    new: List[str]


class Flow(TypedDict, total=False):
    """A flow; those of a list have no `schema`, `config` and `versions`."""

    id: str
    name: str
    description: str
    version: str
    createdAt: str
    updatedAt: str
    versions: List[str]
    schema: Dict[str, Any]
    config: Dict[str, Any]


class FlowPage(TypedDict):
    """A page of flows."""

    flows: List[Flow]
    total: int
    limit: int
    offset: int


class Event(TypedDict):
    """What happened to an execution; `progress` has no id."""

    event: str
    id: Optional[str]
    data: Dict[str, Any]


@dataclass(frozen=True)
class Response:
    """The response that an answer or an error came with."""

    status: int
    headers: Mapping[str, str]

    @property
    def request_id(self) -> Optional[str]:
        """The id of the request, for questions to the operator of the service."""
        return self.headers.get("x-request-id")

    @property
    def remaining(self) -> Optional[int]:
        """The number of requests left in this minute."""
        value = self.headers.get("x-ratelimit-remaining", "")
        return int(value) if value.isdigit() else None
