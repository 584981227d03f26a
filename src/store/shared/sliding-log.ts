import { type Script, script, type Valkey } from './valkey.ts';

/** What a hit came to, by the server's clock. */
export interface LogState {
  /** Entries in the window with this one, which stays there only if they are not more than the limit. */
  readonly count: number;
  /** Unix milliseconds of the entry whose leaving makes place for another. */
  readonly leaving: number;
}

export interface SharedLogs {
  /**
   * Adds an entry unless the window is full.
   * @throws ValkeyLost
   */
  readonly hit: (key: string, limit: number, windowMs: number) => Promise<LogState>;
  /** Entries in the window that ends now. @throws ValkeyLost */
  readonly count: (key: string, windowMs: number) => Promise<number>;
}

/** The one clock that all instances have in common. */
const SERVER_TIME = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * Times in ascending order in a list. Those that have left the window are found by bisection, because a minute after a
 * burst they may be thousands, while the server does nothing else. When the clock was put back by more than a window, which
 * is seldom, they are put back with it, as if the newest were of now.
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

/** Arguments: the window, then the limit. Answers the count and the time of the entry that leaves. */
const hitScript = (time: string) =>
  script(`local window, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
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
  script(`local window = tonumber(ARGV[1])
${time}
${FIND_GONE}
return count - gone`);

/** @param time Lua that sets `now`; tests set it themselves */
export function sharedLogs(valkey: Pick<Valkey, 'run'>, time: string = SERVER_TIME): SharedLogs {
  const scripts: Readonly<Record<'hit' | 'count', Script>> = {
    hit: hitScript(time),
    count: countScript(time),
  };
  return {
    hit: async (key, limit, windowMs) => {
      const [count, leaving] = (await valkey.run(scripts.hit, key, [windowMs, limit])) as [number, number];
      return { count, leaving };
    },
    count: async (key, windowMs) => (await valkey.run(scripts.count, key, [windowMs])) as number,
  };
}
