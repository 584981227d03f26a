import { type Script, createScript, type Valkey } from './valkey.ts';

/** The state of a sliding log after a hit, by the clock of the server. */
export interface LogState {
  /** Entries in the window including this one, which is kept only if the limit is not exceeded. */
  readonly count: number;
  /** Unix milliseconds of the entry that must leave the window before another one fits. */
  readonly leaving: number;
}

export interface SharedLogs {
  /**
   * Adds an entry unless the window is full.
   *
   * @throws ValkeyLost.
   */
  readonly hit: (key: string, limit: number, windowMs: number) => Promise<LogState>;
  /**
   * Removes the newest entry, if there is one.
   *
   * @throws ValkeyLost.
   */
  readonly takeBack: (key: string) => Promise<void>;
  /**
   * Counts the entries in the window that ends now.
   *
   * @throws ValkeyLost.
   */
  readonly count: (key: string, windowMs: number) => Promise<number>;
}

/** Reads the clock of the server, the only one that all instances share. */
const SERVER_TIME = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * The key holds a list of times in ascending order. Those that have left the window are found by bisection, because there
 * may be thousands after a burst, and the server does nothing else in the meantime. If the clock was set back by more than
 * a window, which is rare, all times are moved back with it, so that the newest is now.
 */
const FIND_GONE = `
local function at(index)
  return tonumber(redis.call('LINDEX', KEYS[1], index))
end
local count = redis.call('LLEN', KEYS[1])
local time = now
if count > 0 and at(-1) - now > window then
  local back = at(-1) - now
  local times = redis.call('LRANGE', KEYS[1], 0, -1)
  redis.call('DEL', KEYS[1])
  for _, one in ipairs(times) do redis.call('RPUSH', KEYS[1], one - back) end
  redis.call('PEXPIRE', KEYS[1], window)
elseif count > 0 then
  time = math.max(now, at(-1))
end
local gone = 0
if count > 0 and at(0) <= time - window then
  local stays = count
  while stays - gone > 1 do
    local middle = math.floor((gone + stays) / 2)
    if at(middle) <= time - window then gone = middle else stays = middle end
  end
  gone = gone + 1
end`;

/** Arguments: the window, then the limit. Returns the count, and the time of the entry that leaves next. */
const hitScript = (time: string) =>
  createScript(`local window, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
${time}
${FIND_GONE}
if gone > 0 then redis.call('LTRIM', KEYS[1], gone, -1) end
local left = count - gone
if left >= limit then
  if left == 0 then return { 1, time } end
  return { left + 1, at(left - limit) }
end
redis.call('RPUSH', KEYS[1], time)
redis.call('PEXPIRE', KEYS[1], time - now + window)
return { left + 1, at(0) }`);

const countScript = (time: string) =>
  createScript(`local window = tonumber(ARGV[1])
${time}
${FIND_GONE}
return count - gone`);

const TAKE_BACK = createScript("redis.call('RPOP', KEYS[1])");

/** @param time - Lua that sets `now`; tests set it themselves. */
export function createSharedLogs(valkey: Pick<Valkey, 'run'>, time: string = SERVER_TIME): SharedLogs {
  const scripts: Readonly<Record<'hit' | 'count', Script>> = {
    hit: hitScript(time),
    count: countScript(time),
  };
  return {
    hit: async (key, limit, windowMs) => {
      const [count, leaving] = (await valkey.run(scripts.hit, key, [windowMs, limit])) as [number, number];
      return { count, leaving };
    },
    takeBack: async (key) => void (await valkey.run(TAKE_BACK, key, [])),
    count: async (key, windowMs) => (await valkey.run(scripts.count, key, [windowMs])) as number,
  };
}
