"""A python-socketio client that a test drives.

Each line of stdin is a JSON object `{"id", "do", ...}`, each line of stdout `{"id", "value"}` or `{"id", "error"}`.
Payloads and answers come as Python source and go out as `repr`, so that a test says what Python code would say and
shows what Python code would see.
"""

import asyncio
import inspect
import json
import sys

import socketio

NAMESPACE = "/smcp"


class Peer:
    def __init__(self):
        self.client = socketio.AsyncClient(reconnection=False)
        self.received = []
        self.connect_errors = []
        self.answers = {}
        self.client.on("connect_error", self.on_connect_error)
        self.client.on("connect_error", self.on_connect_error, namespace=NAMESPACE)
        self.client.on("*", self.on_event, namespace=NAMESPACE)

    async def on_connect_error(self, data):
        self.connect_errors.append(data)

    async def on_event(self, event, *args):
        self.received.append((event, *args))
        answer = eval(self.answers.get(event, "None"))
        return await answer if inspect.isawaitable(answer) else answer

    async def do_connect(self, url, transports, auth):
        try:
            await self.client.connect(
                url, auth=auth, namespaces=[NAMESPACE], transports=transports
            )
        except socketio.exceptions.ConnectionError:
            return self.connect_errors

    async def do_call(self, event, payload):
        return await self.client.call(event, eval(payload), namespace=NAMESPACE, timeout=10)

    async def do_answer(self, event, value):
        self.answers[event] = value

    async def do_received(self):
        return self.received

    async def do_connected(self):
        return NAMESPACE in self.client.namespaces

    async def do_disconnect(self):
        await self.client.disconnect()


async def serve():
    peer = Peer()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        request = json.loads(line)
        number, name = request.pop("id"), request.pop("do")
        try:
            reply = {"value": repr(await getattr(peer, "do_" + name)(**request))}
        except Exception as error:
            reply = {"error": repr(error)}
        print(json.dumps({"id": number, **reply}), flush=True)
    if peer.client.connected:
        await peer.client.disconnect()


asyncio.run(serve())
