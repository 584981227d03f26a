import { toWords } from '../../base/to-words.ts';
import { formatUnits, formatWhole } from '../../base/format-amount.ts';
import { formatUtcTime } from '../../base/format-time.ts';

const WHOLE_NUMBER = /^-?\d+$/;
const PERCENT_DECIMALS = 2;
/** Between 2001 and 2286. Smaller and larger numbers are no times in seconds. */
const TIME = /^[1-9]\d{9}$/;
const TIME_NAME = /(_at|_time|timestamp)$/;

/** Names of instructions that say little to those who do not know them. */
const KNOWN_NAMES: ReadonlyMap<string, string> = new Map([
  ['createIdempotent', 'create token account if missing'],
  ['syncNative', 'wrap SOL'],
  ['closeAccount', 'close token account'],
  ['transferChecked', 'transfer tokens'],
  ['getAccountDataSize', 'compute account size'],
  ['initializeAccount3', 'initialize token account'],
  ['setComputeUnitLimit', 'limit compute units'],
  ['setComputeUnitPrice', 'set priority fee'],
  ['route', 'swap by a route'],
  ['route_v2', 'swap by a route'],
  ['shared_accounts_route', 'swap by a route'],
  ['shared_accounts_route_v2', 'swap by a route'],
  ['exact_out_route', 'swap for an exact amount'],
  ['exact_out_route_v2', 'swap for an exact amount'],
]);

/** Names an instruction in words. */
export function nameInstruction(name: string | null): string {
  if (name === null) return 'unknown instruction';
  return KNOWN_NAMES.get(name) ?? toWords(name);
}

/** Names a field in words. The unit of `slippage_bps` stands with its value. */
export function nameField(name: string): string {
  return toWords(name.replace(/_bps$/, ''));
}

/** Formats the value of a field that is no amount, by what its name says that it is. */
export function formatFieldValue(name: string, value: string): string {
  if (!WHOLE_NUMBER.test(value)) return value;
  if (name.endsWith('_bps')) return `${formatUnits(BigInt(value), PERCENT_DECIMALS)} %`;
  if (TIME_NAME.test(name) && TIME.test(value)) return formatUnixTime(Number(value));
  return formatWhole(BigInt(value));
}

/** Formats Unix seconds as a date and a time of UTC. */
export function formatUnixTime(seconds: number): string {
  return formatUtcTime(seconds * 1_000);
}
