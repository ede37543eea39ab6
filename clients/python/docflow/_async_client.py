"""The client for asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, List, Optional, Sequence

from ._client import DEFAULT_RETRIES, DEFAULT_TIMEOUT, DEFAULT_URL, Docflow
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


class AsyncDocflow:
    """Docflow for asyncio: each call runs in a thread, and cancelling it stops waiting for its answer."""

    def __init__(
        self,
        api_key: str,
        base_url: str = DEFAULT_URL,
        retries: int = DEFAULT_RETRIES,
        timeout: float = DEFAULT_TIMEOUT,
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
        """Poll an execution until it has ended; raises WaitTimeout after the time limit."""
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
        """Read the corrections of an execution, and its output with the corrected values."""
        return await asyncio.to_thread(self._blocking.corrections, execution_id)

    async def test_set(self, execution_id: str) -> ExportedCase:
        """Read what people corrected as a test set, with the document if the organization allows that."""
        return await asyncio.to_thread(self._blocking.test_set, execution_id)

    async def backtest(self, flow_id: str, version: Optional[str] = None) -> List[BacktestExecution]:
        """Run the corrected executions of a flow again with a version: how each compares with what people corrected."""
        return await asyncio.to_thread(lambda: list(self._blocking.backtest(flow_id, version)))

    async def save_corrections(
        self,
        execution_id: str,
        if_match: int,
        values: Sequence[Correction] = (),
        confirmed: Sequence[str] = (),
        reverted: Sequence[str] = (),
    ) -> Corrections:
        """Correct or confirm values, or withdraw that; `if_match` is the `ifMatch` that `corrections` returned."""
        return await asyncio.to_thread(
            self._blocking.save_corrections, execution_id, if_match, values, confirmed, reverted
        )

    async def events(self, execution_id: str, after: str = "") -> AsyncIterator[Event]:
        """The events of an execution until it has ended."""
        events = self._blocking.events(execution_id, after)
        while True:
            event = await asyncio.to_thread(next, events, None)
            if event is None:
                return
            yield event
