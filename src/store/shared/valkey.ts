import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { OperatorError } from '../../common/operator-error.ts';
import { every as everyOfSystem } from '../../common/ports/timers.ts';

/** A Lua script, which Valkey and Redis run atomically. It is sent once per server and named by its hash afterwards. */
export interface Script {
  readonly lua: string;
  readonly hash: string;
}

export function script(lua: string): Script {
  return { lua, hash: createHash('sha1').update(lua).digest('hex') };
}

/**
 * The server's clock may be put back by as many milliseconds, as by a failover to a server whose clock is behind, while
 * what ends by it just ends later by as much.
 */
export const MAX_CLOCK_BACK_MS = 60_000;

/** Fast state that several instances share. */
export interface Valkey {
  /**
   * Runs a script on one key, in one round trip; `key` is within what belongs to these instances.
   * @throws ValkeyLost at once while there is no connection, and when there is no answer in time: then the script may
   * have run
   */
  readonly run: (script: Script, key: string, args?: readonly (string | number)[]) => Promise<unknown>;
  /** Calls back with what is published on the channel while there is a connection. */
  readonly subscribe: (channel: string, handler: (message: string) => void) => Promise<void>;
  /**
   * Null when the server keeps what it was given until that expires; otherwise the name of the policy by which it forgets
   * some of it when its memory is full. Also null when the server does not say.
   */
  readonly evictionPolicy: () => Promise<string | null>;
  /** Null when it answers and can be written; otherwise why not, as a sentence. */
  readonly unhealthy: () => Promise<string | null>;
  readonly close: () => void;
}

/** Valkey does not answer for now; the connection is being made anew. */
export class ValkeyLost extends Error {
  override readonly name = 'ValkeyLost';
}

export interface ValkeyOptions {
  /** May hold a password: no message repeats it. */
  readonly url: string;
  /** What every key begins with. */
  readonly namespace: string;
  /** 0 up to 1, for the waits between attempts to connect. */
  readonly random: () => number;
  /** Told when the connection is lost, with the reason, and with null when it is back. */
  readonly onChange: (lost: string | null) => void;
  /** Calls `work` every `milliseconds` until the returned function is called. Default: the system's. */
  readonly every?: (milliseconds: number, work: () => void) => () => void;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** Longer than any pause of this process, which would look like one of the server. */
const SILENCE_MS = 1_000;
const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;
/**
 * A connection on which nothing is asked would not notice that nothing passes any more, so each is tried this often. A
 * dead one is noticed after this long and `SILENCE_MS`, which together are less than an instance waits for the answer of
 * another.
 */
const HEARTBEAT_MS = 1_000;
const NO_EVICTION = 'noeviction';
/** How long what is written to see whether it can be stays there. */
const WRITTEN_MS = 60_000;

/** @throws OperatorError when the server does not let us in, or does not answer, at the start */
export async function openValkey({
  url,
  namespace,
  random,
  onChange,
  every = everyOfSystem,
}: ValkeyOptions): Promise<Valkey> {
  const redis = connection(url, random);
  let lost: string | null = 'the connection is not made yet';
  let lastError = 'the connection was closed';
  redis.on('error', (error: Error) => {
    lastError = reasonOf(error);
  });
  await redis.connect().catch((error: unknown) => {
    redis.disconnect();
    throw new OperatorError(`valkey-url cannot be connected to: ${openingReason(error, lastError)}`);
  });
  lost = null;
  redis.on('ready', () => {
    if (lost === null) return;
    lost = null;
    onChange(null);
  });
  let isClosing = false;
  redis.on('close', () => {
    if (lost !== null || isClosing) return;
    lost = lastError;
    onChange(lost);
  });
  const run = async (text: Script, key: string, args: readonly (string | number)[] = []) => {
    try {
      return await runScript(redis, text, `${namespace}:${key}`, args);
    } catch (error) {
      throw new ValkeyLost(sentence(lost, error));
    }
  };
  const stopHeartbeat = every(HEARTBEAT_MS, () => void redis.ping().catch(() => undefined));
  const subscriptions = subscriptionsBeside(redis, namespace, every);
  return {
    run,
    subscribe: subscriptions.add,
    evictionPolicy: async () => {
      const memory = await redis.info('memory').catch(() => '');
      const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? NO_EVICTION;
      return policy === NO_EVICTION ? null : policy;
    },
    // A server whose memory is full, or that became a replica, answers and takes nothing.
    unhealthy: () =>
      redis.set(`${namespace}:written`, '1', 'PX', WRITTEN_MS).then(
        () => null,
        (error: unknown) => sentence(lost, error),
      ),
    close: () => {
      isClosing = true;
      stopHeartbeat();
      subscriptions.close();
      redis.disconnect();
    },
  };
}

/** Not connected yet. */
function connection(url: string, random: ValkeyOptions['random']): Redis {
  return new Redis(urlForClient(url), {
    lazyConnect: true,
    protocol: 2,
    connectionName: 'sluice',
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A server that takes commands and does not answer is given up, so that nobody else waits for it.
    socketTimeout: SILENCE_MS,
    // Nothing waits for a connection: whoever asks is told at once that there is none.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => waitBefore(attempt, random()),
    // A replica that a failover has left behind.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
}

/** Connections of their own, each for one channel: one that listens can do nothing else. */
function subscriptionsBeside(redis: Redis, namespace: string, every: typeof everyOfSystem) {
  const subscribers: Redis[] = [];
  const stops: (() => void)[] = [];
  const add: Valkey['subscribe'] = async (channel, handler) => {
    // Subscriptions are made anew with a connection that was lost.
    const subscriber = redis.duplicate();
    subscribers.push(subscriber);
    subscriber.on('error', () => undefined);
    subscriber.on('message', (_channel: string, message: string) => handler(message));
    await subscriber.connect();
    await subscriber.subscribe(`${namespace}:${channel}`);
    // The server confirms each time, and a subscription that it lost is made again. A connection that is not answered in
    // time is given up, and another is made.
    const subscribeAgain = () => void subscriber.subscribe(`${namespace}:${channel}`).catch(() => undefined);
    stops.push(every(HEARTBEAT_MS, subscribeAgain));
  };
  const close = () => {
    for (const stop of stops) stop();
    for (const one of subscribers) one.disconnect();
  };
  return { add, close };
}

async function runScript(
  redis: Redis,
  { lua, hash }: Script,
  key: string,
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(hash, 1, key, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await redis.eval(lua, 1, key, ...args);
  }
}

/** The client knows the schemes of Redis only. */
function urlForClient(url: string): string {
  return url.replace(/^valkey(?=s?:)/, 'redis');
}

/** Twice as long each time, and of that a random part from a half on, so that instances do not come all at once. */
function waitBefore(attempt: number, random: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_WAIT_MS);
  return Math.round(longest * (0.5 + random / 2));
}

function sentence(lost: string | null, error: unknown): string {
  if (lost === null && error instanceof Error && error.name === 'ReplyError') {
    return `Valkey refuses what it is told: ${error.message}`;
  }
  return `Valkey does not answer: ${lost ?? reasonOf(error)}`;
}

function openingReason(error: unknown, lastError: string): string {
  const reason = reasonOf(error);
  return reason === 'Connection is closed.' ? lastError : reason;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
