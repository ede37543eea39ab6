"""The clients: Docflow blocks, AsyncDocflow does not."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, AsyncIterator, Dict, Iterator, List, Optional, Sequence, Tuple
from urllib.parse import quote, urlencode

from ._errors import ApiError, ConnectionFailed, WaitTimeout
from ._events import parse_events
from ._types import Correction, Corrections, Document, Event, Execution, ExportedCase, Flow, FlowPage, Response

_ENDED = ("completed", "failed", "cancelled")
_LONGEST_PAUSE = 60.0


def document_of(content: bytes, filename: Optional[str] = None, mime_type: Optional[str] = None) -> Document:
    """Make a document for a run from its bytes."""
    document: Document = {"base64": base64.b64encode(content).decode()}
    if filename is not None:
        document["filename"] = filename
    if mime_type is not None:
        document["mimeType"] = mime_type
    return document


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key must not travel to wherever a redirect points."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _error_of(text: bytes, response: Response) -> ApiError:
    try:
        error = json.loads(text)["error"]
        return ApiError(error["code"], error["message"], error.get("details", {}), response)
    except (ValueError, KeyError, TypeError):
        return ApiError("UNKNOWN", f"The service answered {response.status}", {}, response)


class Docflow:
    """Calls a docflow service. `last_response` has the request id and the rate state of the last answer."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "http://127.0.0.1:8080/api/v1",
        retries: int = 4,
        timeout: float = 120.0,
    ) -> None:
        self._key = api_key
        self._base = base_url.rstrip("/")
        self._retries = retries
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)
        self.last_response: Optional[Response] = None

    def list_flows(self, limit: int = 100, offset: int = 0) -> FlowPage:
        """List one page of the flows, newest first."""
        return self._call("GET", f"/flows?{urlencode({'limit': limit, 'offset': offset})}")

    def flows(self) -> Iterator[Flow]:
        """Iterate over all flows, page by page."""
        offset = 0
        while True:
            page = self.list_flows(offset=offset)
            yield from page["flows"]
            offset += len(page["flows"])
            if not page["flows"] or offset >= page["total"]:
                return

    def get_flow(self, flow_id: str, version: Optional[str] = None) -> Flow:
        """Read a flow: the version, or the latest."""
        query = "" if version is None else "?" + urlencode({"version": version})
        return self._call("GET", f"/flows/{quote(flow_id, safe='')}{query}")

    def run(
        self,
        flow_id: str,
        document: Document,
        *,
        variables: Optional[Dict[str, Any]] = None,
        version: Optional[str] = None,
        wait: bool = False,
        metadata: Optional[Dict[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        webhook_secret: Optional[str] = None,
        webhook_events: Optional[Sequence[str]] = None,
    ) -> Execution:
        """Run a flow. A failed execution is an answer, not an error."""
        given: Dict[str, Any] = {
            "version": version,
            "metadata": metadata,
            "webhookUrl": webhook_url,
            "webhookSecret": webhook_secret,
            "webhookEvents": webhook_events,
        }
        body: Dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        body["idempotencyKey"] = idempotency_key or uuid.uuid4().hex
        body["wait"] = wait
        body["input"] = {"document": document}
        if variables is not None:
            body["input"]["variables"] = variables
        return self._call("POST", f"/flows/{quote(flow_id, safe='')}/run", body)

    def run_to_end(
        self, flow_id: str, document: Document, *, longest: float = 600.0, **options: Any
    ) -> Execution:
        """Run a flow and wait for its end."""
        try:
            return self.run(flow_id, document, wait=True, **options)
        except ApiError as error:
            if error.code != "EXECUTION_TIMEOUT":
                raise
            return self.wait_for(error.details["executionId"], longest=longest)

    def get(self, execution_id: str, include: Sequence[str] = ()) -> Execution:
        """Read an execution; `include` adds its artifacts or metrics."""
        query = "?" + urlencode({"include": ",".join(include)}) if include else ""
        return self._call("GET", f"/runs/{quote(execution_id, safe='')}{query}")

    def wait_for(self, execution_id: str, longest: float = 600.0) -> Execution:
        """Ask for an execution until it has ended; raises WaitTimeout."""
        until = time.monotonic() + longest
        pause = random.uniform(2, 3)
        while True:
            execution = self.get(execution_id)
            if execution["status"] in _ENDED:
                return execution
            left = until - time.monotonic()
            if left <= 0:
                raise WaitTimeout(execution_id, longest)
            time.sleep(min(pause, left))
            pause = min(pause * 1.1, 30.0)

    def cancel(self, execution_id: str) -> Execution:
        """Cancel an execution."""
        return self._call("POST", f"/runs/{quote(execution_id, safe='')}/cancel", repeatable=False)

    def replay(
        self, execution_id: str, from_step: Optional[str] = None, version: Optional[str] = None
    ) -> Execution:
        """Run an execution again from a step: a new execution."""
        body: Dict[str, Any] = {"idempotencyKey": uuid.uuid4().hex}
        if from_step is not None:
            body["fromStep"] = from_step
        if version is not None:
            body["version"] = version
        return self._call("POST", f"/runs/{quote(execution_id, safe='')}/replay", body)

    def corrections(self, execution_id: str) -> Corrections:
        """Read what people corrected of an execution, and its output with the right values."""
        return self._call("GET", f"/runs/{quote(execution_id, safe='')}/corrections")

    def test_set(self, execution_id: str) -> ExportedCase:
        """Read what people corrected as a test set, with the document if the organization allows that."""
        return self._call("GET", f"/runs/{quote(execution_id, safe='')}/test-set")

    def save_corrections(
        self,
        execution_id: str,
        if_match: int,
        values: Sequence[Correction] = (),
        confirmed: Sequence[str] = (),
    ) -> Corrections:
        """Correct or confirm values; `if_match` is the `ifMatch` that `corrections` returned."""
        body = {"ifMatch": if_match, "values": list(values), "confirmed": list(confirmed)}
        path = f"/runs/{quote(execution_id, safe='')}/corrections"
        return self._call("PUT", path, body, repeatable=False)

    def events(self, execution_id: str, after: str = "") -> Iterator[Event]:
        """The events of an execution until it has ended; goes on where it was when the connection breaks."""
        path = f"/runs/{quote(execution_id, safe='')}/events"
        last = after
        while True:
            headers = {"last-event-id": last} if last else {}
            status, _, stream = self._open_again("GET", path, None, headers, repeatable=True)
            if status == 204:
                return
            try:
                for event in parse_events(stream):
                    last = event["id"] or last
                    yield event
                    if event["event"].split(".")[-1] in _ENDED and event["event"].startswith("execution."):
                        return
            except (OSError, ValueError):
                pass
            finally:
                stream.close()
            time.sleep(1)

    def _call(self, method: str, path: str, body: Any = None, repeatable: bool = True) -> Any:
        for count in range(self._retries + 1):
            try:
                _, _, stream = self._open_again(method, path, body, {}, repeatable)
                with stream:
                    return json.loads(stream.read())
            except ValueError as error:
                raise ConnectionFailed("The answer is not one of docflow") from error
            except OSError as error:
                if not repeatable or count == self._retries:
                    raise ConnectionFailed("The answer broke off") from error
        raise ConnectionFailed("The service could not be reached")

    def _open_again(
        self, method: str, path: str, body: Any, headers: Dict[str, str], repeatable: bool
    ) -> Tuple[int, Response, Any]:
        for count in range(self._retries + 1):
            try:
                return self._open(method, path, body, headers)
            except (ApiError, ConnectionFailed) as error:
                if count == self._retries or not _is_passing(error, repeatable):
                    raise
                asked = error.retry_after if isinstance(error, ApiError) else 0.0
                time.sleep(max(0.5 * 2**count * random.uniform(0.8, 1.2), min(asked, _LONGEST_PAUSE)))
        raise ConnectionFailed("The service could not be reached")

    def _open(self, method: str, path: str, body: Any, headers: Dict[str, str]) -> Tuple[int, Response, Any]:
        request = urllib.request.Request(
            self._base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={**headers, "authorization": f"Bearer {self._key}", "content-type": "application/json"},
        )
        try:
            answer = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                response = Response(error.code, {k.lower(): v for k, v in error.headers.items()})
                self.last_response = response
                raise _error_of(error.read(), response) from None
        except OSError as error:
            raise ConnectionFailed("The service could not be reached") from error
        response = Response(answer.status, {k.lower(): v for k, v in answer.headers.items()})
        self.last_response = response
        return answer.status, response, answer


def _is_passing(error: Exception, repeatable: bool) -> bool:
    if not isinstance(error, ApiError):
        return repeatable
    # These two have changed nothing, so they may be sent again whatever they are.
    if error.status in (429, 503):
        return True
    return repeatable and error.status >= 500 and error.code != "EXECUTION_TIMEOUT"


class AsyncDocflow:
    """Docflow for asyncio: each call runs in a thread, and cancelling it stops waiting for its answer."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "http://127.0.0.1:8080/api/v1",
        retries: int = 4,
        timeout: float = 120.0,
    ) -> None:
        self._blocking = Docflow(api_key, base_url, retries, timeout)

    @property
    def last_response(self) -> Optional[Response]:
        return self._blocking.last_response

    async def list_flows(self, limit: int = 100, offset: int = 0) -> FlowPage:
        """List one page of the flows, newest first."""
        return await asyncio.to_thread(self._blocking.list_flows, limit, offset)

    async def flows(self) -> AsyncIterator[Flow]:
        """Iterate over all flows, page by page."""
        found: List[Flow] = await asyncio.to_thread(lambda: list(self._blocking.flows()))
        for flow in found:
            yield flow

    async def get_flow(self, flow_id: str, version: Optional[str] = None) -> Flow:
        """Read a flow: the version, or the latest."""
        return await asyncio.to_thread(self._blocking.get_flow, flow_id, version)

    async def run(self, flow_id: str, document: Document, **options: Any) -> Execution:
        """Run a flow; the options are those of `Docflow.run`."""
        return await asyncio.to_thread(lambda: self._blocking.run(flow_id, document, **options))

    async def run_to_end(self, flow_id: str, document: Document, **options: Any) -> Execution:
        """Run a flow and wait for its end."""
        return await asyncio.to_thread(lambda: self._blocking.run_to_end(flow_id, document, **options))

    async def get(self, execution_id: str, include: Sequence[str] = ()) -> Execution:
        """Read an execution; `include` adds its artifacts or metrics."""
        return await asyncio.to_thread(self._blocking.get, execution_id, include)

    async def wait_for(self, execution_id: str, longest: float = 600.0) -> Execution:
        """Ask for an execution until it has ended; raises WaitTimeout."""
        return await asyncio.to_thread(self._blocking.wait_for, execution_id, longest)

    async def cancel(self, execution_id: str) -> Execution:
        """Cancel an execution."""
        return await asyncio.to_thread(self._blocking.cancel, execution_id)

    async def replay(
        self, execution_id: str, from_step: Optional[str] = None, version: Optional[str] = None
    ) -> Execution:
        """Run an execution again from a step: a new execution."""
        return await asyncio.to_thread(self._blocking.replay, execution_id, from_step, version)

    async def corrections(self, execution_id: str) -> Corrections:
        """Read what people corrected of an execution, and its output with the right values."""
        return await asyncio.to_thread(self._blocking.corrections, execution_id)

    async def test_set(self, execution_id: str) -> ExportedCase:
        """Read what people corrected as a test set, with the document if the organization allows that."""
        return await asyncio.to_thread(self._blocking.test_set, execution_id)

    async def save_corrections(
        self,
        execution_id: str,
        if_match: int,
        values: Sequence[Correction] = (),
        confirmed: Sequence[str] = (),
    ) -> Corrections:
        """Correct or confirm values; `if_match` is the `ifMatch` that `corrections` returned."""
        return await asyncio.to_thread(
            self._blocking.save_corrections, execution_id, if_match, values, confirmed
        )

    async def events(self, execution_id: str, after: str = "") -> AsyncIterator[Event]:
        """The events of an execution until it has ended."""
        events = self._blocking.events(execution_id, after)
        while True:
            event = await asyncio.to_thread(next, events, None)
            if event is None:
                return
            yield event
