import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { openValkey, createScript, type Valkey, type ValkeyOptions } from '../../store/shared/valkey.ts';

/** Tests with Valkey run if `SLUICE_TEST_VALKEY_URL` names a server; null when it does not. */
export const TEST_VALKEY_URL = process.env.SLUICE_TEST_VALKEY_URL ?? null;

export interface TestValkey {
  readonly valkey: Valkey;
  readonly namespace: string;
  /** The calls of `onChange`: the reason for losing the connection, or null for having it back. */
  readonly changes: (string | null)[];
}

/** Connects to the server under a namespace that is empty. */
export async function openTestValkey(
  url = TEST_VALKEY_URL ?? '',
  namespace = `test-${randomBytes(8).toString('hex')}`,
  options: Partial<Pick<ValkeyOptions, 'every' | 'sentinels'>> = {},
): Promise<TestValkey> {
  const changes: (string | null)[] = [];
  const onChange = (lost: string | null) => void changes.push(lost);
  const valkey = await openValkey({ url, sentinels: [], namespace, random: () => 0, onChange, ...options });
  return { valkey, namespace, changes };
}

const END_LEASE = createScript(`redis.call('HSET', KEYS[1], 'until', redis.call('TIME')[1] * 1000 - 1)`);

/** Ends the lease of an execution by the server's clock, as when its holder was killed or stopped. */
export async function endLease(valkey: Valkey, key: string): Promise<void> {
  await valkey.run(END_LEASE, key, []);
}

/** A proxy before the server whose connections can be cut, paused or lost. */
export interface ValkeyLine {
  readonly url: string;
  readonly cut: () => void;
  readonly restore: () => Promise<void>;
  readonly holdUp: () => void;
  readonly letGo: () => void;
  /** Existing connections stop forwarding data, without either end noticing. */
  readonly lose: () => void;
  readonly close: () => Promise<void>;
}

export async function openLine(to = TEST_VALKEY_URL ?? ''): Promise<ValkeyLine> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let held = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 6379), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    if (held) near.pause();
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut: () => void close(),
    restore: async () => void (await listen(port)),
    holdUp: () => {
      held = true;
      for (const socket of sockets) socket.pause();
    },
    letGo: () => {
      held = false;
      for (const socket of sockets) socket.resume();
    },
    lose: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close,
  };
}
