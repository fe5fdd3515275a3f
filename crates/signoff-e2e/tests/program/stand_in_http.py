"""An MCP server over streamable HTTP that answers everything, in every odd way that it is asked for, and writes down what it is told."""
import json, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

heard, lock = open(sys.argv[1], "a"), threading.Lock()
elsewhere = sys.argv[2] if len(sys.argv) > 2 else ""
sessions, made = set(), [0]
cancelled, answered, changed = threading.Event(), threading.Event(), threading.Event()
description = ["first"]
resumable = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, body):
        headers = {name.lower(): value for name, value in self.headers.items()}
        with lock:
            heard.write(json.dumps({"http": self.command, "headers": headers, "body": body}) + "\n")
            heard.flush()

    def whole(self, status, text, kind="application/json", **more):
        data = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **more}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def answer(self, id, result, **more):
        # With ends of lines in it, as JSON may have.
        self.whole(200, json.dumps({"jsonrpc": "2.0", "id": id, "result": result}, indent=1), **more)

    def events(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def end(self):
        self.wfile.write(b"0\r\n\r\n")

    def message(self, message, id=None):
        self.piece((f"id: {id}\n" if id else "") + "data: " + json.dumps(message) + "\n\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.note(body)
        message = json.loads(body)
        method, id = message.get("method"), message.get("id")
        if method == "initialize":
            made[0] += 1
            sessions.add(f"s{made[0]}")
            return self.answer(id, {"protocolVersion": "2025-11-25"}, Mcp_Session_Id=f"s{made[0]}")
        stateless = self.headers.get("Mcp-Protocol-Version") == "2026-07-28"
        if not stateless and self.headers.get("Mcp-Session-Id") not in sessions:
            return self.whole(404, "no such session", "text/plain")
        if method is None:
            answered.set()
        if method == "notifications/cancelled":
            cancelled.set()
        if method == "x/changed":
            changed.set()
        if id is None or method is None:
            return self.whole(202, "", "text/plain")
        result = {"jsonrpc": "2.0", "id": id, "result": {"content": [], "was": method}}
        if method == "tools/list":
            tool = {"name": "delete_page", "description": description[0], "inputSchema": {"type": "object", "properties": {"wiki": {"type": "string", "x-mcp-header": "Wiki"}}}}
            return self.answer(id, {"tools": [tool], "nextCursor": "2"})
        if method == "x/odd":
            self.events()
            text = "\ufeff: ping\r\n\r\nevent: message\r\ndata: " + json.dumps(result, indent=1).replace("\n", "\rdata: ") + "\r\n\r\n"
            for byte in text.encode():
                self.piece(bytes([byte]))
            return self.end()
        if method == "x/large":
            return self.answer(id, {"x": "y" * 20_000_000})
        if method == "x/large_event":
            self.events()
            self.message({"jsonrpc": "2.0", "id": id, "result": {"x": "y" * 20_000_000}})
            return self.end()
        if method == "x/redirect":
            return self.whole(307, "", "text/plain", Location=elsewhere)
        if method == "x/html":
            return self.whole(200, "<html>", "text/html")
        if method == "x/other":
            return self.answer(999, {})
        if method == "x/batch":
            return self.whole(200, json.dumps([result]))
        if method == "x/fail":
            return self.whole(500, "broken", "text/plain")
        if method == "x/cut":
            self.events()
            self.piece("data: {\"jsonrpc\":")
            self.close_connection = True
            return
        if method == "x/break":
            self.events()
            resumable["e1"] = result
            self.piece("id: e1\nretry: 100\ndata:\n\n")
            return self.end()
        if method == "x/refuse":
            return self.whole(400, json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32042, "message": "no"}}))
        if method == "x/forget":
            sessions.clear()
            return self.answer(id, {})
        if method == "x/slow":
            cancelled.wait(20)
            time.sleep(0.3)
            return self.answer(id, {"late": True})
        if method == "x/ask":
            self.events()
            self.message({"jsonrpc": "2.0", "id": "q1", "method": "sampling/createMessage"})
            answered.wait(20)
            self.message(result)
            return self.end()
        return self.answer(id, result["result"])

    def do_GET(self):
        self.note("")
        self.events()
        last = self.headers.get("Last-Event-ID")
        if last in resumable:
            self.message(resumable[last], "e2")
            return self.end()
        self.message({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "hello"}}, "g1")
        if changed.wait(20):
            self.message({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, "g2")
        time.sleep(20)

    def do_DELETE(self):
        self.note("")
        self.whole(200, "", "text/plain")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    import ssl
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
