"""Server-sent events."""

from __future__ import annotations

import json
from typing import Iterable, Iterator, List, Optional

from ._types import Event


def parse_events(lines: Iterable[bytes]) -> Iterator[Event]:
    """Read the events of a stream; comments and events without data are left out."""
    name = "message"
    event_id: Optional[str] = None
    data: List[str] = []
    for raw in lines:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "":
            if data:
                yield {"event": name, "id": event_id, "data": json.loads("\n".join(data))}
            name, event_id, data = "message", None, []
            continue
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "id":
            event_id = value
        elif field == "data":
            data.append(value)
