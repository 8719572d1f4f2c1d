"""A server of Python's asyncio, for tests: prints its port, and runs until its input ends."""
import asyncio
import base64
import hashlib
import sys


async def head_of(reader):
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.split(": ", 1) for line in lines[1:] if line)
    return lines[0].split(" "), {name.lower(): value for name, value in pairs}


async def body_of(reader, fields):
    if fields.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(fields.get("content-length", "0")))
    body = b""
    while True:
        size = int(await reader.readline(), 16)
        body += (await reader.readexactly(size + 2))[:-2]
        if size == 0:
            return body


async def websocket(reader, writer, key):
    accept = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 b"Sec-WebSocket-Accept: " + base64.b64encode(accept) + b"\r\n\r\n")
    while True:
        first, length = await reader.readexactly(2)
        mask = await reader.readexactly(4)
        data = bytes(b ^ mask[i % 4] for i, b in enumerate(await reader.readexactly(length & 127)))
        writer.write(bytes([first, len(data)]) + data)
        await writer.drain()
        if first & 15 == 8:
            return


async def serve(reader, writer):
    try:
        while True:
            (method, target, _), fields = await head_of(reader)
            if fields.get("upgrade") == "websocket":
                await websocket(reader, writer, fields["sec-websocket-key"])
                return
            body = await body_of(reader, fields)
            if target == "/stream":
                writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for number in range(100):
                    line = b"line %d\n" % number
                    writer.write(b"%x\r\n%s\r\n" % (len(line), line))
                    await writer.drain()
                writer.write(b"0\r\n\r\n")
            else:
                text = ("%s %s %d\n" % (method, target, len(body))).encode() + body
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
