import type { Beginning, SharedRuns } from '../../common/ports/shared-runs.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { MAX_CLOCK_BACK_MS, script, type Valkey, ValkeyLost } from './valkey.ts';

export interface RunTimes {
  /** Milliseconds that a task waits to be begun. */
  readonly taskLifeMs: number;
  readonly leaseMs: number;
  /** Milliseconds that an answer is kept. */
  readonly answerLifeMs: number;
}

export interface RunOptions extends RunTimes {
  /** What the ids are of: the first part of the keys. */
  readonly kind: string;
  /** A sentence for the client whose request cannot be answered. */
  readonly whenLost: string;
}

const NOW = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * Whether a run is held, by what the server has of it. A lease that ends later than any can was given before the server's
 * clock was put back: it begins again, so that a run whose holder has vanished becomes free after one lease.
 */
const IS_HELD = `local function isHeld(holder, limit, lease)
  if not holder then return false end
  local left = tonumber(limit) - now
  if left > lease + ${MAX_CLOCK_BACK_MS} then redis.call('HSET', KEYS[1], 'until', now + lease) end
  return left > 0
end`;

const PUT = script(`redis.call('HSET', KEYS[1], 'task', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

const GET = script(`return redis.call('HGET', KEYS[1], 'task')`);

/** Arguments: lease. */
const LOOK = script(`${NOW}
${IS_HELD}
local state = redis.call('HMGET', KEYS[1], 'answer', 'holder', 'until')
if state[1] then return { 'ended', state[1] } end
if isHeld(state[2], state[3], tonumber(ARGV[1])) then return { 'held' } end
return { 'free' }`);

/** Arguments: task, holder, lease, life of the task. */
const BEGIN = script(`${NOW}
${IS_HELD}
local state = redis.call('HMGET', KEYS[1], 'answer', 'holder', 'until', 'marked')
if state[1] then return { 'ended', state[1] } end
if isHeld(state[2], state[3], tonumber(ARGV[3])) then return { 'held' } end
redis.call('HSET', KEYS[1], 'task', ARGV[1], 'holder', ARGV[2], 'until', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return { 'begun', state[4] or '' }`);

/** Arguments: holder. */
const MARK = script(`if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'marked', 1)
end`);

/** Arguments: holder, lease, life of the task, task. */
const KEEP = script(`${NOW}
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'task', ARGV[4], 'holder', ARGV[1])
end
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])`);

/** Arguments: holder, life of the answer, task, and the answer when there is one. */
const END = script(`if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'holder', 'until')
end
if ARGV[4] then
  redis.call('HSETNX', KEYS[1], 'task', ARGV[3])
  redis.call('HSETNX', KEYS[1], 'answer', ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end`);

/** Without an end: that it is gone shows that the server has forgotten. It begins again when the clock was put back. */
const AGE = script(`${NOW}
local since = tonumber(redis.call('GET', KEYS[1]) or now)
if since >= now then redis.call('SET', KEYS[1], now) end
return math.max(0, now - since)`);

export function sharedRuns(valkey: Pick<Valkey, 'run'>, options: RunOptions): SharedRuns {
  const { kind, whenLost, taskLifeMs, leaseMs, answerLifeMs } = options;
  const run: Valkey['run'] = (text, id, args) => runOn(`${kind}:${id}`, text, args);
  // Keys of tasks have a colon after the kind, whatever the id is.
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
  return {
    put: async (id, task) => void (await run(PUT, id, [task, taskLifeMs])),
    get: async (id) => (await run(GET, id)) as string | null,
    look: async (id) => {
      const [state, answer] = (await run(LOOK, id, [leaseMs])) as ['ended' | 'held' | 'free', string];
      return state === 'ended' ? { kind: state, answer } : { kind: state };
    },
    begin: async (id, task, holder) => {
      const begun = await run(BEGIN, id, [task, holder, leaseMs, taskLifeMs]);
      const [state, text = ''] = begun as [Beginning['kind'], string?];
      if (state === 'ended') return { kind: state, answer: text };
      return state === 'begun' && text !== '' ? { kind: state, isMarked: true } : { kind: state };
    },
    mark: async (id, holder) => void (await run(MARK, id, [holder])),
    keep: async (id, holder, task) => void (await run(KEEP, id, [holder, leaseMs, taskLifeMs, task])),
    end: async (id, holder, answer, task) =>
      void (await run(END, id, [holder, answerLifeMs, task, ...(answer === null ? [] : [answer])])),
    age: async () => Number(await runOn(`${kind}-since`, AGE, [])),
  };
}
