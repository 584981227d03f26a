import type { Broadcast, Relay } from '../../common/ports/relay.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { script, type Valkey, ValkeyLost } from './valkey.ts';

/**
 * Returns how many connections the server wrote it to. A connection that was lost without a word counts until the server
 * notices, so the number says nothing about who has read it, unless it is zero.
 */
const SEND = script("return redis.call('PUBLISH', KEYS[1], ARGV[1])");

/**
 * @param self a name that is chosen anew at each start
 * @param kind what is sent: each kind has a relay of its own
 */
export function relayOver(valkey: Pick<Valkey, 'run' | 'subscribe'>, self: string, kind: string): Relay {
  const channel = (name: string) => `${kind}:${name}`;
  return {
    self,
    send: async (to, message) => (await publish(valkey, channel(to), message)) !== 0,
    receive: (handler) => valkey.subscribe(channel(self), handler),
  };
}

/** @param kind what is sent: each kind has a broadcast of its own */
export function broadcastOver(valkey: Pick<Valkey, 'run' | 'subscribe'>, kind: string): Broadcast {
  return {
    send: async (message) => void (await publish(valkey, kind, message)),
    receive: (handler) => valkey.subscribe(kind, handler),
  };
}

/** Resolves to how many connections it was written to. @throws Unavailable */
async function publish(valkey: Pick<Valkey, 'run'>, channel: string, message: string): Promise<unknown> {
  try {
    return await valkey.run(SEND, channel, [message]);
  } catch (error) {
    if (!(error instanceof ValkeyLost)) throw error;
    throw new Unavailable('Other instances cannot be reached at the moment; try again in a second', {
      cause: error,
    });
  }
}
