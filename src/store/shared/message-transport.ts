import type { Broadcast, MessageTransport } from '../../common/ports/message-transport.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { createScript, type Valkey, ValkeyLost } from './valkey.ts';

/**
 * Publishes a message, and returns the number of connections that the server wrote it to. A connection that died silently
 * counts until the server notices, so only zero is conclusive: no instance has received the message.
 */
const SEND = createScript("return redis.call('PUBLISH', KEYS[1], ARGV[1])");

/**
 * Returns a transport over Valkey, for messages to one instance.
 *
 * @param self - Name of this instance, chosen at each start.
 * @param kind - The kind of messages. Each kind has channels of its own.
 *
 * @example
 * ```ts
 * import { createSharedTransport } from './message-transport.ts';
 * import type { Valkey } from './valkey.ts';
 *
 * async function greet(valkey: Valkey): Promise<boolean> {
 *   const transport = createSharedTransport(valkey, 'instance-1', 'greetings');
 *   await transport.receive(console.log);
 *   return transport.send('instance-2', 'hello');
 * }
 * ```
 */
export function createSharedTransport(
  valkey: Pick<Valkey, 'run' | 'subscribe'>,
  self: string,
  kind: string,
): MessageTransport {
  const channel = (name: string) => `${kind}:${name}`;
  return {
    self,
    send: async (to, message) => (await publish(valkey, channel(to), message)) !== 0,
    receive: (handler) => valkey.subscribe(channel(self), handler),
  };
}

/**
 * Returns a broadcast over Valkey, for messages to all instances.
 *
 * @param kind - The kind of messages. Each kind has a channel of its own.
 */
export function createSharedBroadcast(valkey: Pick<Valkey, 'run' | 'subscribe'>, kind: string): Broadcast {
  return {
    send: async (message) => void (await publish(valkey, kind, message)),
    receive: (handler) => valkey.subscribe(kind, handler),
  };
}

/**
 * Returns the number of connections that the message was written to.
 *
 * @throws Unavailable when Valkey does not answer.
 */
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
