import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { InstancePool, PooledInstance } from './instance-pool.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the pool of shared instances on loopback. */
    instancePool: number;
  }
}

/** What the pool writes to a file that has connected to get an instance: JSON lines. */
export type PoolMessage =
  | { readonly kind: 'lent'; readonly banner: string; readonly folder: string; readonly resetSlot: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Whatever the instance writes while it is lent. */
  | { readonly kind: 'output'; readonly text: string };

/**
 * Lends started instances to the test files of a run, which are processes of their own. A connection is a loan: who
 * connects gets an instance, and gives it back by ending the connection, or by crashing. Nothing is loaded or started
 * before the first file asks.
 */
export default async function openInstancePool(project: TestProject): Promise<() => Promise<void>> {
  let opened: Promise<InstancePool> | null = null;
  const loadPool = async () => new (await import('./instance-pool.ts')).InstancePool();
  const connections = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    opened ??= loadPool();
    void opened.then((pool) => lend(pool, connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('instancePool', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    for (const connection of connections) connection.destroy();
    await (await opened)?.close();
  };
}

async function lend(pool: InstancePool, connection: Socket): Promise<void> {
  // A file that crashes resets its connection.
  connection.on('error', () => connection.destroy());
  const returned = Promise.race([once(connection, 'end'), once(connection, 'close')]).catch(() => {});
  connection.resume();
  const write = (message: PoolMessage) => void connection.write(`${JSON.stringify(message)}\n`);
  let lent: PooledInstance;
  try {
    const taken = await pool.take();
    lent = taken.lent;
    const { banner, folder } = lent;
    write({ kind: 'lent', banner, folder, resetSlot: taken.resetSlot });
  } catch (error) {
    write({ kind: 'failed', reason: String(error) });
    connection.end();
    return;
  }
  const stopListening = lent.instance.onOutput((text) => write({ kind: 'output', text }));
  await returned;
  stopListening();
  await pool.giveBack(lent);
  connection.end();
}
