"""An upstream that answers each message after a fixed time, thousands at once."""

import asyncio
import json
import sys


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        message = json.loads(await reader.readexactly(length))["message"]
        await asyncio.sleep(seconds)
        body = json.dumps({"success": True, "chatId": "a-chat", "message": f"You said: {message}"}).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the client has gone
    finally:
        writer.close()


async def main(seconds: float) -> None:
    server = await asyncio.start_server(lambda r, w: answer(r, w, seconds), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
