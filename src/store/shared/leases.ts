import type { Leases } from '../../common/ports/leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { MAX_CLOCK_BACK_MS, createScript, type Valkey, ValkeyLost } from './valkey.ts';

export interface LeaseOptions {
  /** The kind of lease, such as `maker`. It is the key of the hash. */
  readonly kind: string;
  /** The name of this instance, without spaces. It is new at each start. */
  readonly self: string;
  readonly leaseMs: number;
  /** The message for clients while Valkey does not answer. */
  readonly whenLost: string;
}

/**
 * One hash holds all leases of a kind, each as `<until> <holder>` under its name. The hash expires when no lease is kept. A
 * lease that ends later than possible was taken before the server's clock was put back. It starts again, so that its
 * holder keeps it, but not for longer than a lease lasts.
 */
const LEASES = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lease = tonumber(ARGV[2])
local function give(name, holder)
  redis.call('HSET', KEYS[1], name, string.format('%.0f %s', now + lease, holder))
  if redis.call('PTTL', KEYS[1]) < lease then redis.call('PEXPIRE', KEYS[1], lease) end
end
local function read(name, text)
  if not text then return nil end
  local limit, holder = string.match(text, '^(%d+) (.*)$')
  local left = tonumber(limit) - now
  if left > lease + ${MAX_CLOCK_BACK_MS} then give(name, holder) end
  if left > 0 then return holder end
end
local function has(name) return read(name, redis.call('HGET', KEYS[1], name)) end
`;

/** Arguments of all scripts: the holder, the duration in milliseconds, and the names. */
const TAKE = createScript(`${LEASES}
local before = has(ARGV[3])
give(ARGV[3], ARGV[1])
if before and before ~= ARGV[1] then return before end`);

const CLAIM = createScript(`${LEASES}
local before = has(ARGV[3])
if before and before ~= ARGV[1] then return before end
give(ARGV[3], ARGV[1])`);

const KEEP = createScript(`${LEASES}
for i = 3, #ARGV do
  local before = has(ARGV[i])
  if not before or before == ARGV[1] then give(ARGV[i], ARGV[1]) end
end
local all = redis.call('HGETALL', KEYS[1])
local held = {}
for i = 1, #all, 2 do
  local holder = read(all[i], all[i + 1])
  if holder then
    held[#held + 1] = all[i]
    held[#held + 1] = holder
  else
    redis.call('HDEL', KEYS[1], all[i])
  end
end
return held`);

const HOLDER = createScript(`${LEASES}
return has(ARGV[3])`);

const RELEASE = createScript(`${LEASES}
if has(ARGV[3]) == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[3]) end`);

/**
 * Returns leases that all instances on one Valkey share.
 *
 * @example
 * ```ts
 * import { createSharedLeases } from './leases.ts';
 * import type { Valkey } from './valkey.ts';
 *
 * // Returns whether this instance owns the maker now.
 * async function own(valkey: Valkey, self: string, makerId: string): Promise<boolean> {
 *   const whenLost = 'Valkey does not answer; try again';
 *   const leases = createSharedLeases(valkey, { kind: 'maker', self, leaseMs: 6_000, whenLost });
 *   return (await leases.claim(makerId)) === null;
 * }
 * ```
 */
export function createSharedLeases(valkey: Pick<Valkey, 'run'>, options: LeaseOptions): Leases {
  const { kind, self, leaseMs, whenLost } = options;
  const run = async (text: typeof TAKE, args: readonly (string | number)[]): Promise<unknown> => {
    try {
      return await valkey.run(text, `leases:${kind}`, args);
    } catch (error) {
      throw error instanceof ValkeyLost ? new Unavailable(whenLost, { cause: error }) : error;
    }
  };
  const ofAnother = (answer: unknown) => (typeof answer === 'string' ? answer : null);
  return {
    leaseMs,
    take: async (name) => ofAnother(await run(TAKE, [self, leaseMs, name])),
    claim: async (name) => ofAnother(await run(CLAIM, [self, leaseMs, name])),
    keep: async (names) => pairs((await run(KEEP, [self, leaseMs, ...names])) as readonly string[]),
    holder: async (name) => ofAnother(await run(HOLDER, [self, leaseMs, name])),
    release: async (name) => void (await run(RELEASE, [self, leaseMs, name])),
  };
}

function pairs(flat: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    found.set(flat[index] ?? '', flat[index + 1] ?? '');
  return found;
}
