import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Resolves to a port of loopback that nothing listened on a moment ago, for a program that cannot choose one itself. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
