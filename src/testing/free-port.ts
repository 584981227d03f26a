import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any port. */
const [FIRST, END] = [20_000, 32_768];

/**
 * Resolves to a port of loopback that nothing listens on, for a program that cannot choose one itself, or that is started again on
 * the port that it had. No other process is given the port meanwhile because it asks for any.
 */
export async function findFreePort(): Promise<number> {
  for (let port = randomInt(FIRST, END); ; port = port + 1 < END ? port + 1 : FIRST)
    if (await isFree(port)) return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
