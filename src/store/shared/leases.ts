import type { Leases } from '../../ports/leases.ts';
import { Unavailable } from '../../unavailable.ts';
import { script, type Valkey, ValkeyLost } from './valkey.ts';

export interface LeaseOptions {
  /** What the names are of: the key. */
  readonly kind: string;
  /** The name of this instance, without spaces; chosen anew at each start. */
  readonly self: string;
  readonly leaseMs: number;
  /** A sentence for the client whose request cannot be answered. */
  readonly whenLost: string;
}

/** One hash has all names of a kind, each with `<until> <holder>`. It goes when nobody keeps any of them. */
const LEASES = `local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function read(text)
  if not text then return nil end
  local limit, holder = string.match(text, '^(%d+) (.*)$')
  if tonumber(limit) > now then return holder end
end
local function has(name) return read(redis.call('HGET', KEYS[1], name)) end
local function give(name)
  redis.call('HSET', KEYS[1], name, string.format('%.0f %s', now + ARGV[2], ARGV[1]))
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
end
`;

/** Arguments of all that give: holder, lease, and then the names. */
const TAKE = script(`${LEASES}
local before = has(ARGV[3])
give(ARGV[3])
if before and before ~= ARGV[1] then return before end`);

const CLAIM = script(`${LEASES}
local before = has(ARGV[3])
if before and before ~= ARGV[1] then return before end
give(ARGV[3])`);

const KEEP = script(`${LEASES}
for i = 3, #ARGV do
  local before = has(ARGV[i])
  if not before or before == ARGV[1] then give(ARGV[i]) end
end
local all = redis.call('HGETALL', KEYS[1])
local held = {}
for i = 1, #all, 2 do
  local holder = read(all[i + 1])
  if holder then
    held[#held + 1] = all[i]
    held[#held + 1] = holder
  else
    redis.call('HDEL', KEYS[1], all[i])
  end
end
return held`);

/** Arguments: the name. */
const HOLDER = script(`${LEASES}
return has(ARGV[1])`);

/** Arguments: the name, the holder. */
const RELEASE = script(`${LEASES}
if has(ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end`);

export function leasesOver(valkey: Pick<Valkey, 'run'>, options: LeaseOptions): Leases {
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
    holder: async (name) => ofAnother(await run(HOLDER, [name])),
    release: async (name) => void (await run(RELEASE, [name, self])),
  };
}

function pairs(flat: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    found.set(flat[index] ?? '', flat[index + 1] ?? '');
  return found;
}
