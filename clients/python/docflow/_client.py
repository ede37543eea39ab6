"""The blocking client."""

from __future__ import annotations

import base64
import json
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple
from urllib.parse import quote, urlencode

from ._errors import ApiError, ConnectionFailed, WaitTimeout
from ._events import parse_events
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

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_RETRIES = 4
DEFAULT_TIMEOUT = 120.0
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
    """Follows no redirect, because the key must not be sent to its target."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _run_path(execution_id: str, rest: str = "") -> str:
    return f"/runs/{quote(execution_id, safe='')}{rest}"


def _error_of(text: bytes, response: Response) -> ApiError:
    try:
        error = json.loads(text)["error"]
        return ApiError(error["code"], error["message"], error.get("details", {}), response)
    except (ValueError, KeyError, TypeError):
        return ApiError("UNKNOWN", f"The service answered {response.status}", {}, response)


def _base_of(address: str) -> str:
    """Return the base of all paths: behind a proxy the API may be elsewhere, so a path of the address is kept as it is."""
    base = address.rstrip("/")
    return f"{base}/api/v1" if re.fullmatch(r"https?://[^/]+", base, re.IGNORECASE) else base


class Docflow:
    """Calls a docflow service. `last_response` has the request id and the rate state of the last answer."""

    def __init__(
        self,
        api_key: str,
        base_url: str = DEFAULT_URL,
        retries: int = DEFAULT_RETRIES,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self._key = api_key
        self._base = _base_of(base_url)
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
        """Run a flow. A failed execution is a result, not an error."""
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
        return self._call("GET", _run_path(execution_id) + query)

    def wait_for(self, execution_id: str, longest: float = 600.0) -> Execution:
        """Poll an execution until it has ended; raises WaitTimeout after the time limit."""
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
        return self._call("POST", _run_path(execution_id, "/cancel"), repeatable=False)

    def replay(
        self, execution_id: str, from_step: Optional[str] = None, version: Optional[str] = None
    ) -> Execution:
        """Run an execution again from a step: a new execution."""
        body: Dict[str, Any] = {"idempotencyKey": uuid.uuid4().hex}
        if from_step is not None:
            body["fromStep"] = from_step
        if version is not None:
            body["version"] = version
        return self._call("POST", _run_path(execution_id, "/replay"), body)

    def corrections(self, execution_id: str) -> Corrections:
        """Read the corrections of an execution, and its output with the corrected values."""
        return self._call("GET", _run_path(execution_id, "/corrections"))

    def test_set(self, execution_id: str) -> ExportedCase:
        """Read what people corrected as a test set, with the document if the organization allows that."""
        return self._call("GET", _run_path(execution_id, "/test-set"))

    def backtest(self, flow_id: str, version: Optional[str] = None) -> Iterator[BacktestExecution]:
        """Run the corrected executions of a flow again with a version: how each compares with what people corrected."""
        query: Dict[str, str] = {} if version is None else {"version": version}
        while True:
            part = self._call("POST", f"/flows/{quote(flow_id, safe='')}/backtest?{urlencode(query)}")
            if any(one["status"] == "running" for one in part["executions"]):
                time.sleep(1)
                continue
            yield from part["executions"]
            if part["next"] is None:
                return
            query["after"] = part["next"]

    def save_corrections(
        self,
        execution_id: str,
        if_match: int,
        values: Sequence[Correction] = (),
        confirmed: Sequence[str] = (),
        reverted: Sequence[str] = (),
    ) -> Corrections:
        """Correct or confirm values, or withdraw that; `if_match` is the `ifMatch` that `corrections` returned."""
        body = {
            "ifMatch": if_match,
            "values": list(values),
            "confirmed": list(confirmed),
            "reverted": list(reverted),
        }
        path = _run_path(execution_id, "/corrections")
        return self._call("PUT", path, body, repeatable=False)

    def events(self, execution_id: str, after: str = "") -> Iterator[Event]:
        """The events of an execution until it has ended; resumes after a broken connection."""
        path = _run_path(execution_id, "/events")
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
                raise ConnectionFailed("The response does not come from docflow") from error
            except OSError as error:
                if not repeatable or count == self._retries:
                    raise ConnectionFailed("The connection was lost during the response") from error
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
    # These two have changed nothing, so any request may be sent again.
    if error.status in (429, 503):
        return True
    return repeatable and error.status >= 500 and error.code != "EXECUTION_TIMEOUT"
