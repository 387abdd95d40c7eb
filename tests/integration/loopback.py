"""A language model's server on this machine that does as it is told: answers well or badly, slowly, or hangs up."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# What a server does with one request: it gets the handler and what was asked.
Act = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    """Hands each request to the next act of the script."""

    server: Loopback
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        act = self.server.next_act(self.path, dict(self.headers), asked)
        try:
            act(self, asked)
        except (BrokenPipeError, ConnectionResetError):  # the client did not wait
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def reply(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


class Loopback(ThreadingHTTPServer):
    """Answers at ``base``. Acts of the script come one after the other, the last one again and again."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, *script: Act, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self._script, self._lock = list(script), threading.Lock()
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, *script: Act) -> None:
        with self._lock:
            self._script = list(script)

    def next_act(self, path: str, headers: dict[str, str], asked: dict[str, Any]) -> Act:
        with self._lock:
            self.paths.append(path)
            self.keys.append({name.lower(): value for name, value in headers.items()}.get("authorization", ""))
            self.asked.append(asked)
            return self._script.pop(0) if len(self._script) > 1 else self._script[0]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is what some tests are about."""

    def __enter__(self) -> Loopback:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


def completion(content: str | None, usage: tuple[int, int] = (100, 20), finish: str = "stop") -> str:
    """The body of an answer, as OpenAI and those who speak its language write it."""
    prompt, written = usage
    message = {"role": "assistant", "content": content}
    return json.dumps({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
    })  # fmt: skip


def says(content: Any, usage: tuple[int, int] = (100, 20), finish: str = "stop") -> Act:
    """Answer with a text, or with a value as JSON."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    return lambda handler, _: handler.reply(200, completion(text, usage, finish))


def answers(make: Callable[[dict[str, Any]], Any]) -> Act:
    """Answer with what ``make`` makes of the request."""
    return lambda handler, asked: handler.reply(200, completion(json.dumps(make(asked))))


def fails(status: int, message: str = "no", headers: dict[str, str] | None = None) -> Act:
    """Refuse."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": str(status)}})
    return lambda handler, _: handler.reply(status, body, headers)


def slowly(seconds: float, act: Act) -> Act:
    """Do something, but later."""

    def late(handler: Handler, asked: dict[str, Any]) -> None:
        time.sleep(seconds)
        act(handler, asked)

    return late


def drips(seconds: float) -> Act:
    """Send one byte after the other, each quickly, for a long time."""

    def drip(handler: Handler, _: dict[str, Any]) -> None:
        body = completion("{}").encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for byte in body:
            handler.wfile.write(bytes([byte]))
            time.sleep(seconds / len(body))

    return drip


def hangs_up(after: int) -> Act:
    """Close the connection after so many bytes of an answer; 0 is before its first."""

    def cut(handler: Handler, _: dict[str, Any]) -> None:
        body = completion("x" * 1000).encode()
        if after:
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body[:after])
            handler.wfile.flush()
        handler.close_connection = True

    return cut


def raw(body: str) -> Act:
    """Answer with a body that is not what was agreed on."""
    return lambda handler, _: handler.reply(200, body)
