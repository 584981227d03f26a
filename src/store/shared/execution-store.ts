import type {
  BeginResult,
  ExecutionStore,
  ExecutionStoreOptions,
} from '../../common/ports/execution-store.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { MAX_CLOCK_BACK_MS, createScript, type Valkey, ValkeyLost } from './valkey.ts';

/**
 * The id of the server's data. It changes when a replica is promoted, which may have missed the last writes, and when a
 * server restarts. A server that does not tell it is treated as always the same.
 */
const HISTORY = `local info = redis.pcall('INFO', 'replication')
local history = type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''`;

const NOW = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * Returns whether a run is held. A lease that ends later than is possible was taken before the server's clock was set back.
 * It starts again, so that a run whose holder has vanished becomes free after one lease.
 */
const IS_HELD = `local function isHeld(holder, limit, lease)
  if not holder then return false end
  local left = tonumber(limit) - now
  if left > lease + ${MAX_CLOCK_BACK_MS} then redis.call('HSET', KEYS[1], 'until', now + lease) end
  return left > 0
end`;

const PUT = createScript(`${HISTORY}
redis.call('HSET', KEYS[1], 'task', ARGV[1], 'history', history)
redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

const GET = createScript(`return redis.call('HGET', KEYS[1], 'task')`);

/** Arguments: lease. */
const LOOK = createScript(`${NOW}
${IS_HELD}
local state = redis.call('HMGET', KEYS[1], 'answer', 'holder', 'until')
if state[1] then return { 'ended', state[1] } end
if isHeld(state[2], state[3], tonumber(ARGV[1])) then return { 'held' } end
return { 'free' }`);

/**
 * Arguments: task, holder, lease, life of the task. A run of an earlier history counts as marked, because its mark may be
 * among the writes that were lost in the failover.
 */
const BEGIN = createScript(`${NOW}
${HISTORY}
${IS_HELD}
local state = redis.call('HMGET', KEYS[1], 'answer', 'holder', 'until', 'marked', 'history')
if state[1] then return { 'ended', state[1] } end
if isHeld(state[2], state[3], tonumber(ARGV[3])) then return { 'held' } end
if state[5] and state[5] ~= history then
  state[4] = '1'
  redis.call('HSET', KEYS[1], 'marked', 1)
end
redis.call('HSET', KEYS[1], 'task', ARGV[1], 'holder', ARGV[2], 'until', now + ARGV[3], 'history', history)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return { 'begun', state[4] or '' }`);

/**
 * Stores a run again that the server has lost with its data, or whose beginning it has lost in a failover. Without a task
 * nothing is stored.
 */
const RESTORE = `${HISTORY}
if ARGV[4] then
  local run = redis.call('HMGET', KEYS[1], 'task', 'holder', 'answer', 'history')
  local isBeginningLost = run[4] and run[4] ~= history and not run[2] and not run[3]
  if isBeginningLost then redis.call('HSET', KEYS[1], 'marked', 1) end
  if not run[1] or isBeginningLost then
    redis.call('HSET', KEYS[1], 'task', ARGV[4], 'holder', ARGV[1], 'until', now + ARGV[2], 'history', history)
  end
end`;

/** Arguments: holder, lease, life of the task, and the task when it may be restored. */
const MARK = createScript(`${NOW}
${IS_HELD}
${RESTORE}
local state = redis.call('HMGET', KEYS[1], 'answer', 'holder', 'until')
if state[1] or state[2] ~= ARGV[1] or not isHeld(state[2], state[3], tonumber(ARGV[2])) then return 0 end
redis.call('HSET', KEYS[1], 'until', now + ARGV[2], 'marked', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`);

/** Arguments: holder, lease, life of the task, and the task when it may be restored. */
const KEEP = createScript(`${NOW}
${RESTORE}
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`);

/** Arguments: holder, life of the answer, task, and the answer when there is one. */
const END = createScript(`if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'holder', 'until')
end
if ARGV[4] then
  redis.call('HSETNX', KEYS[1], 'task', ARGV[3])
  redis.call('HSETNX', KEYS[1], 'answer', ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end`);

/**
 * The key never expires, so if it is missing, the server has lost its data. The age starts again if the history is another
 * one, or if the clock was put back. The history has its own key, because earlier versions read this one as a number.
 */
const AGE = createScript(`${NOW}
${HISTORY}
local since = tonumber(redis.call('GET', KEYS[1]) or now)
if redis.call('GET', KEYS[1] .. '-history') ~= history then since = now end
if since >= now then redis.call('MSET', KEYS[1], now, KEYS[1] .. '-history', history) end
return math.max(0, now - since)`);

/**
 * Returns an execution store that all instances on one Valkey share.
 *
 * @example
 * ```ts
 * import { createSharedExecutionStore } from './execution-store.ts';
 * import type { Valkey } from './valkey.ts';
 *
 * async function runOnce(valkey: Valkey, id: string, run: (task: string) => Promise<string>): Promise<string | null> {
 *   const limits = { taskLifeMs: 120_000, leaseMs: 6_000, answerLifeMs: 600_000 };
 *   const store = createSharedExecutionStore(valkey, { kind: 'order', whenLost: 'try again', ...limits });
 *   const task = await store.get(id);
 *   if (task === null) return null;
 *   const begun = await store.begin(id, task, 'instance-1');
 *   if (begun.kind === 'ended') return begun.answer;
 *   if (begun.kind === 'held') return null;
 *   const answer = await run(task);
 *   await store.end(id, 'instance-1', answer, task);
 *   return answer;
 * }
 * ```
 */
export function createSharedExecutionStore(
  valkey: Pick<Valkey, 'run'>,
  options: ExecutionStoreOptions,
): ExecutionStore {
  const { kind, whenLost, taskLifeMs, leaseMs, answerLifeMs } = options;
  const run: Valkey['run'] = (text, id, args) => runOn(`${kind}:${id}`, text, args);
  // The keys of tasks have a colon after the kind, so this key cannot be the key of a task.
  const runOn = async (
    key: string,
    text: Parameters<Valkey['run']>[0],
    args: Parameters<Valkey['run']>[2],
  ) => {
    try {
      return await valkey.run(text, key, args);
    } catch (error) {
      throw error instanceof ValkeyLost ? new Unavailable(whenLost, { cause: error }) : error;
    }
  };
  const held = (holder: string, task: string | null) => [
    holder,
    leaseMs,
    taskLifeMs,
    ...(task === null ? [] : [task]),
  ];
  return {
    put: async (id, task) => void (await run(PUT, id, [task, taskLifeMs])),
    get: async (id) => (await run(GET, id)) as string | null,
    look: async (id) => {
      const [state, answer] = (await run(LOOK, id, [leaseMs])) as ['ended' | 'held' | 'free', string];
      return state === 'ended' ? { kind: state, answer } : { kind: state };
    },
    begin: async (id, task, holder) => {
      const begun = await run(BEGIN, id, [task, holder, leaseMs, taskLifeMs]);
      const [state, text = ''] = begun as [BeginResult['kind'], string?];
      if (state === 'ended') return { kind: state, answer: text };
      return state === 'begun' && text !== '' ? { kind: state, isMarked: true } : { kind: state };
    },
    mark: async (id, holder, task) => (await run(MARK, id, held(holder, task))) === 1,
    keep: async (id, holder, task) => (await run(KEEP, id, held(holder, task))) === 1,
    end: async (id, holder, answer, task) =>
      void (await run(END, id, [holder, answerLifeMs, task, ...(answer === null ? [] : [answer])])),
    age: async () => Number(await runOn(`${kind}-since`, AGE, [])),
  };
}
