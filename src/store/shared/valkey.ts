import { createHash } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { OperatorError } from '../../common/operator-error.ts';
import { repeatEvery as everyOfSystem } from '../../common/ports/timers.ts';
import type { RemoteHealthCheck } from '../../common/ports/health-check.ts';

/** A Lua script, which Valkey and Redis run atomically. It is sent once per server, and called by its hash afterwards. */
export interface Script {
  readonly lua: string;
  readonly hash: string;
}

export function createScript(lua: string): Script {
  return { lua, hash: createHash('sha1').update(lua).digest('hex') };
}

/**
 * The tolerated step of the server's clock, for example after a failover to a server whose clock is behind. If the clock is
 * set back by less, leases only end later by as much.
 */
export const MAX_CLOCK_BACK_MS = 60_000;

/** A connection to Valkey or Redis, for fast state that several instances share. */
export interface Valkey {
  /**
   * Runs a script on one key, in one round trip. The namespace is added to `key`.
   *
   * @throws ValkeyLost immediately while there is no connection, and when no answer arrives in time, although the script
   *   may have run.
   */
  readonly run: (script: Script, key: string, args?: readonly (string | number)[]) => Promise<unknown>;
  /** Calls `handler` with every message that is published on the channel while there is a connection. */
  readonly subscribe: (channel: string, handler: (message: string) => void) => Promise<void>;
  /**
   * Resolves to the policy by which the server evicts keys when its memory is full. Null when it evicts none, or does not
   * report its policy.
   */
  readonly evictionPolicy: () => Promise<string | null>;
  /**
   * Resolves to whether a master without replicas refuses writes, so that one that was cut off from the others does not go on
   * beside the one that was promoted.
   */
  readonly needsReplicas: () => Promise<boolean>;
  /** Resolves to the server's version, such as `7.0.15`, and its time in Unix milliseconds. */
  readonly readServer: () => Promise<{ readonly version: string; readonly now: number }>;
  /** Resolves to the bytes of memory that the server uses. Null when it does not say. */
  readonly readMemory: () => Promise<number | null>;
  /** Checks that the server answers and accepts writes. */
  readonly unhealthy: RemoteHealthCheck;
  readonly close: () => void;
}

/** Where Valkey is. URLs may contain passwords, and are therefore never part of a message. */
export interface ValkeyPlace {
  /** The URL of the server. With sentinels, its host is the name by which they know the master. */
  readonly url: string;
  /** The URLs of the sentinels that know the master, with one scheme, user name and password. None: `url` names the server. */
  readonly sentinels: readonly string[];
}

/** Thrown when Valkey does not answer. The client reconnects by itself. */
export class ValkeyLost extends Error {
  override readonly name = 'ValkeyLost';
}

export interface ValkeyOptions extends ValkeyPlace {
  /** Prefix of every key and channel. */
  readonly namespace: string;
  /** Returns a number from 0 up to 1, for the pauses between attempts to connect. */
  readonly random: () => number;
  /** Called with the reason when the connection is lost, and with null when it is back. */
  readonly onChange: (lost: string | null) => void;
  /** Calls `work` every `milliseconds` until the returned function is called. Default: the timer of the system. */
  readonly every?: (milliseconds: number, work: () => void) => () => void;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** The time limit of answers. It is longer than any pause of this process, which would look the same. */
const SILENCE_MS = 1_000;
const SENTINEL_PORT = 26_379;
const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;
/**
 * The interval at which each connection is tested, because an idle one does not notice that the server is gone. A dead
 * connection is noticed within this and `SILENCE_MS`, which together are shorter than `ANSWER_WITHIN_MS` of peer requests.
 */
const HEARTBEAT_MS = 1_000;
const NO_EVICTION = 'noeviction';
/** The lifetime of the key that `unhealthy` writes. */
const WRITTEN_MS = 60_000;

/**
 * Connects to Valkey or Redis.
 *
 * @throws OperatorError when the server refuses the connection or does not answer.
 */
export async function openValkey({
  url,
  sentinels,
  namespace,
  random,
  onChange,
  every = everyOfSystem,
}: ValkeyOptions): Promise<Valkey> {
  let isOpen = false;
  const redis = createClient({ url, sentinels, random, isOpen: () => isOpen });
  let lost: string | null = 'there is no connection yet';
  let lastError = 'the connection was closed';
  redis.on('error', (error: Error) => {
    lastError = describeValkeyFailure(error);
  });
  let sentinelProblem: string | null = null;
  redis.on('sentinelError', (error: Error) => {
    sentinelProblem = describeValkeyFailure(error);
  });
  await redis.connect().catch((error: unknown) => {
    redis.disconnect();
    const reason = sentinelProblem ?? openingReason(error, lastError);
    throw new OperatorError(
      sentinels.length === 0
        ? `valkey-url cannot be connected to: ${reason}`
        : `no server of valkey-sentinel names a master that can be connected to: ${reason}; the host of valkey-url must be the name of the master there`,
    );
  });
  isOpen = true;
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
    needsReplicas: async () =>
      /^min_slaves_good_slaves:/m.test(await redis.info('replication').catch(() => '')),
    readServer: async () => {
      const [seconds, microseconds] = await redis.time();
      const info = await redis.info('server');
      const version = /^(?:valkey|redis)_version:([\d.]+)/m.exec(info)?.[1] ?? '0';
      return { version, now: Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000) };
    },
    readMemory: async () => {
      const used = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1];
      return used === undefined ? null : Number(used);
    },
    // A server whose memory is full, or that became a replica, answers but accepts no writes.
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

interface ClientOptions extends ValkeyPlace {
  readonly random: ValkeyOptions['random'];
  /** Whether the first connection was made. Until then, sentinels are asked once each, so that a start ends. */
  readonly isOpen: () => boolean;
}

/** Returns a client that is not connected yet. */
function createClient({ url, sentinels, random, isOpen }: ClientOptions): Redis {
  const reconnect = (attempt: number) => reconnectDelayMs(attempt, random());
  return new Redis(urlForClient(url), {
    lazyConnect: true,
    protocol: 2,
    connectionName: 'sluice',
    connectTimeout: CONNECT_TIMEOUT_MS,
    // The connection to a server that accepts commands and does not answer is closed, so that nothing waits for it.
    socketTimeout: SILENCE_MS,
    // Commands do not wait for a connection: they fail immediately while there is none.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnect,
    // After a failover, the server may have become a replica.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(sentinels.length === 0 ? {} : sentinelOptions(url, sentinels)),
    sentinelRetryStrategy: (attempt) => (isOpen() ? reconnect(attempt) : null),
    sentinelReconnectStrategy: reconnect,
  });
}

/** With these, the client asks the sentinels for the master at each attempt to connect, and is told of a failover. */
function sentinelOptions(url: string, sentinels: readonly string[]): Omit<RedisOptions, 'replyMapping'> {
  const places = sentinels.map((one) => new URL(one));
  const [first] = places;
  const decode = (text: string | undefined) => (text ? decodeURIComponent(text) : undefined);
  return {
    name: readMasterName(url),
    role: 'master',
    sentinels: places.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || SENTINEL_PORT),
    })),
    sentinelUsername: decode(first?.username),
    sentinelPassword: decode(first?.password),
    ...(isTls(first) ? { sentinelTLS: {} } : {}),
    ...(isTls(new URL(url)) ? { enableTLSForSentinelMode: true, tls: {} } : {}),
    sentinelCommandTimeout: SILENCE_MS,
    // A master that was cut off is left even if it still answers.
    failoverDetector: true,
    // Exactly the sentinels that were configured are asked: those that one names are not trusted with a password.
    updateSentinels: false,
  };
}

function readMasterName(url: string): string {
  return decodeURIComponent(new URL(url).hostname);
}

function isTls(url: URL | undefined): boolean {
  return url?.protocol === 'valkeys:' || url?.protocol === 'rediss:';
}

/** Opens a connection for each channel, because a connection that subscribes cannot run commands. */
function subscriptionsBeside(redis: Redis, namespace: string, every: typeof everyOfSystem) {
  const subscribers: Redis[] = [];
  const stops: (() => void)[] = [];
  const add: Valkey['subscribe'] = async (channel, handler) => {
    // The client subscribes again after it has reconnected.
    const subscriber = redis.duplicate();
    subscribers.push(subscriber);
    subscriber.on('error', () => undefined);
    subscriber.on('message', (_channel: string, message: string) => handler(message));
    await subscriber.connect();
    await subscriber.subscribe(`${namespace}:${channel}`);
    // Subscribing again has no effect on a live subscription, and restores one that the server has lost. If the server
    // does not answer in time, the client reconnects.
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

/** Replaces the scheme, because the client only knows those of Redis. */
function urlForClient(url: string): string {
  return url.replace(/^valkey(?=s?:)/, 'redis');
}

/**
 * Returns the milliseconds before the next attempt to connect. They double each time, and up to half is subtracted
 * randomly, so that instances do not reconnect all at once.
 */
function reconnectDelayMs(attempt: number, random: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_WAIT_MS);
  return Math.round(longest * (0.5 + random / 2));
}

function sentence(lost: string | null, error: unknown): string {
  if (lost === null && error instanceof Error && error.name === 'ReplyError') {
    return `Valkey refuses the command: ${error.message}`;
  }
  return `Valkey does not answer: ${lost ?? describeValkeyFailure(error)}`;
}

function openingReason(error: unknown, lastError: string): string {
  const reason = describeValkeyFailure(error);
  return reason === 'Connection is closed.' ? lastError : reason;
}

function describeValkeyFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message === '' ? code : error.message;
}
