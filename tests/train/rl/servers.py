"""A policy in a folder, and servers of completions in a thread of the test."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import torch

from tests.train.vocabularies import tiny
from wellshaped.train.models.tiny import tiny_config


def policy_folder(folder, *, width=16, seed=0):
    """A policy of this width, with weights that make its choices uneven."""
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(tiny_config(tiny(), width=width, positions=64))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8.0 if parameter.ndim > 1 else 1.0)
    model.save_pretrained(folder)
    tiny().save_pretrained(folder)
    return folder


class _Handler(BaseHTTPRequestHandler):
    """Answers by the routes of its server; 404 where there is none, 500 where one fails."""

    def do_GET(self):
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else None
        answer = self.server.routes.get((self.command, self.path))
        try:
            status, found = (404, {}) if answer is None else (200, answer(body))
        except Exception as error:
            status, found = 500, {"error": {"message": f"{type(error).__name__}: {error}"}}
        data = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET

    def log_message(self, *_):
        """Tests print nothing."""


@contextlib.contextmanager
def running(routes):
    """The address of a server with these routes, from method and path to a function of the body."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.routes = routes
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
