import { formatUnits, formatWhole } from '../../base/format-amount.ts';

const WHOLE_NUMBER = /^-?\d+$/;
const PERCENT_DECIMALS = 2;
/** Between 2001 and 2286. Smaller and larger numbers are no times in seconds. */
const TIME = /^[1-9]\d{9}$/;
const TIME_NAME = /(_at|_time|timestamp)$/;

/** Formats the value of a field that is no amount, by what its name says that it is. */
export function formatFieldValue(name: string, value: string): string {
  if (!WHOLE_NUMBER.test(value)) return value;
  if (name.endsWith('_bps')) return `${formatUnits(BigInt(value), PERCENT_DECIMALS)} %`;
  if (TIME_NAME.test(name) && TIME.test(value)) return formatUnixTime(Number(value));
  return formatWhole(BigInt(value));
}

/** Formats Unix seconds as a date and a time of UTC. */
export function formatUnixTime(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
