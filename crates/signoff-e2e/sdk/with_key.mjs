// Stands before a gateway and adds the key of an agent, for clients that cannot send one. Its arguments are the address and the key; it says its own.
import http from "node:http";

const [address, key] = process.argv.slice(2);
const target = new URL(address);
const server = http.createServer((request, response) => {
  const own = `localhost:${server.address().port}`;
  const swap = (value) => value?.replace(own, target.host);
  const headers = { ...request.headers, authorization: `Bearer ${key}`, host: swap(request.headers.host) };
  if (headers.origin) headers.origin = swap(headers.origin);
  const onwards = http.request({ hostname: target.hostname, port: target.port, path: request.url, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onwards.on("error", () => response.destroy());
  response.on("close", () => onwards.destroy());
  request.pipe(onwards);
});
server.listen(0, "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/mcp`));
