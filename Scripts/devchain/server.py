"""HTTP POST and WebSocket on one loopback port."""

import asyncio
import json

from aiohttp import WSCloseCode, WSMsgType, web

from devchain import dispatch, limits
from devchain.errors import RPCError
from devchain.subscriptions import Connection

HOST = "127.0.0.1"
HINT = "devchain: POST JSON-RPC 2.0 here, or open a WebSocket.\n"


class Server:
    """Answers requests, disturbed by the faults that are on."""

    def __init__(self, methods):
        self.methods, self.node = methods, methods.node
        self.connections = set()

    async def start(self, port):
        """Binds; returns the port, which the system chooses if `port` is 0."""
        application = web.Application(client_max_size=limits.BODY_BYTES_MAX)
        application.add_routes([web.post("/", self._post), web.get("/", self._get)])
        self.runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
        await self.runner.setup()
        site = web.TCPSite(self.runner, HOST, port)
        await site.start()
        return self.runner.addresses[0][1]

    async def stop(self):
        for socket in list(self.connections):
            await socket.close(code=WSCloseCode.GOING_AWAY)
        await self.runner.cleanup()

    async def _post(self, request):
        try:
            body = await request.read()
        except ConnectionResetError:
            # The client has gone meanwhile; nobody reads this.
            return web.Response(status=400)
        value, answer, status, text = self._answer(body, self.methods.answer, request.headers)
        broken = self.node.faults.breakage(dispatch.names(value))
        if broken:
            return await self._disturbed(request, answer, broken)
        if text is not None:
            return web.Response(status=status, text=text)
        return respond(json.dumps(answer) if answer is not None else "", status)

    def _answer(self, body, ask, headers):
        """Returns the parsed body, its answer, the HTTP status, and the text that replaces it."""
        try:
            value = dispatch.parse(body)
        except RPCError as error:
            return None, dispatch.failure(error), 200, None
        provider = self.node.faults.provider(headers)
        if provider is not None:
            played = provider.answer(value, ask, self.methods.reading, headers)
            if played is not None:
                return value, *played
            ask = provider.asking(ask, self.methods.reading)
        return value, dispatch.answers(value, ask), 200, None

    async def _disturbed(self, request, answer, broken):
        """Returns the answer as the faults leave it."""
        answer = await self._spoilt(answer, broken)
        text = json.dumps(answer) if answer is not None else ""
        if "http_status" in broken:
            return web.Response(status=broken["http_status"]["status"], text="fault\n")
        if "garbage" in broken:
            return respond("<html>\x00fault</html>")
        if "cut" in broken:
            response = web.StreamResponse(headers={"Content-Length": str(len(text))})
            await response.prepare(request)
            await response.write(text[:len(text) // 2].encode())
            request.transport.close()
            return response
        return respond(text)

    async def _spoilt(self, answer, broken):
        """Applies the faults that do not depend on the transport."""
        if "delay" in broken:
            await asyncio.sleep(broken["delay"]["ms"] / 1_000)
        if "hang" in broken:
            cleared = asyncio.Event()
            self.node.faults.cleared.append(cleared)
            await cleared.wait()
        if "error" in broken:
            error = RPCError(broken["error"]["code"], broken["error"]["message"])
            answer = each(answer, lambda one: dispatch.failure(error, one["id"]))
        if "wrong_id" in broken:
            answer = each(answer, lambda one: one | {"id": 999_999_999})
        return answer

    async def _get(self, request):
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return web.Response(text=HINT)
        if len(self.connections) >= limits.CONNECTIONS_MAX:
            return web.Response(status=503, text="devchain: too many connections\n")
        socket = web.WebSocketResponse(max_msg_size=limits.BODY_BYTES_MAX)
        await socket.prepare(request)
        connection = Connection(self.methods, request.headers)
        self.connections.add(socket)
        self.node.events.listeners.append(connection.heard)
        helpers = [asyncio.create_task(self._write(socket, connection)),
                   asyncio.create_task(self._drop(request.transport, connection))]
        try:
            await self._read(socket, connection, request.headers)
        finally:
            self.node.events.listeners.remove(connection.heard)
            self.connections.discard(socket)
            for helper in helpers:
                helper.cancel()
        return socket

    async def _read(self, socket, connection, headers):
        async for message in socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                continue
            value, answer, _, text = self._answer(message.data, connection.ask, headers)
            broken = self.node.faults.breakage(dispatch.names(value))
            answer = await self._spoilt(answer, broken) if broken else answer
            if text is not None or set(broken) & {"garbage", "cut", "http_status"}:
                await socket.close(code=WSCloseCode.INTERNAL_ERROR)
            elif answer is not None:
                connection.say(answer)

    async def _write(self, socket, connection):
        """Sends what is queued."""
        while True:
            text = await connection.outbox.get()
            try:
                await socket.send_str(text)
            except ConnectionError:
                return

    async def _drop(self, transport, connection):
        """Disconnects a reader that fell too far behind; its writer could wait for it for ever."""
        await connection.overrun.wait()
        transport.abort()


def each(answer, change):
    if answer is None:
        return None
    return [change(one) for one in answer] if isinstance(answer, list) else change(answer)


def respond(text, status=200):
    return web.Response(text=text, content_type="application/json", status=status)
