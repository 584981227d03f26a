import type { ExactJson } from '../../../../base/exact-json.ts';
import { DOLLAR_DECIMALS } from '../../../../base/format-dollars.ts';
import { shortenAddress, shortenName } from '../../../../base/format-text.ts';
import { isAddress } from '../../../../base/is-address.ts';
import {
  getCoordinate,
  getFixed,
  getItems,
  getMember,
  getText,
  isFlagSet,
} from '../../../../base/read-json.ts';
import { getMillisecondTime } from '../../../../base/read-times.ts';
import { AMOUNT_PLACES, type AssetNote, type HeldAsset, PRICE_PLACES } from './position.ts';

const MAX_NAME = 48;
const MAX_SYMBOL = 16;
const MAX_TAGS = 6;

/** Finds what a token is called. */
export type FindSymbol = (mint: string) => string;

/** Returns how tokens are called by the descriptions that came with a portfolio. Anybody may have chosen the symbol of a token that is not verified. */
export function createFindSymbol(tokenInfo: ExactJson | undefined): FindSymbol {
  const known = getMember(tokenInfo, 'solana');
  return (mint) => {
    const info = getMember(known, mint);
    const symbol = shortenName(getText(info, 'symbol') ?? '', MAX_SYMBOL);
    const short = shortenAddress(mint);
    if (symbol === '' || symbol === short) return short;
    return getItems(info, 'tags').includes('verified') ? symbol : `${symbol} ${short}`;
  };
}

/** Reads an asset of an element. */
export function readAsset(entry: ExactJson | undefined, findSymbol: FindSymbol): HeldAsset {
  const type = getText(entry, 'type');
  const data = getMember(entry, 'data');
  const address = readAddress(data, 'address');
  const ownName = readName(entry, 'name') ?? readName(data, 'name');
  const isToken = type === 'token';
  return {
    kind: isToken ? 'token' : type === 'collectible' ? 'collectible' : 'other',
    address,
    label: isToken && address !== null ? findSymbol(address) : (ownName ?? nameUnknown(address)),
    amount: getFixed(data, 'amount', AMOUNT_PLACES),
    price: getFixed(data, 'price', PRICE_PLACES),
    value: readDollars(entry, 'value'),
    notes: readNotes(getMember(entry, 'attributes'), data),
    account: readAddress(entry, 'ref'),
  };
}

/** Reads the assets of a list. */
export function readAssets(
  value: ExactJson | undefined,
  name: string,
  findSymbol: FindSymbol,
): readonly HeldAsset[] {
  return getItems(value, name).map((entry) => readAsset(entry, findSymbol));
}

/** Reads a member that is an address; null if it is none. */
export function readAddress(value: ExactJson | undefined, name: string): string | null {
  const text = getText(value, name);
  return text !== null && isAddress(text) ? text : null;
}

/** Reads a name that anybody may have chosen. */
export function readName(value: ExactJson | undefined, name: string): string | null {
  return shortenName(getText(value, name) ?? '', MAX_NAME) || null;
}

/** Reads an amount of US dollars, in nano dollars. */
export function readDollars(value: ExactJson | undefined, name: string): bigint | null {
  return getFixed(value, name, DOLLAR_DECIMALS);
}

/** Reads the yearly rate of a list of yields, in millionths: the sum of those that have one. */
export function readRate(yields: readonly ExactJson[]): bigint | null {
  const rates = yields.flatMap((entry) => getFixed(entry, 'apr', 6) ?? getFixed(entry, 'apy', 6) ?? []);
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0n);
}

/** Reads the first tags of a list. */
export function readTags(value: ExactJson | undefined): readonly string[] {
  return getItems(value, 'tags')
    .flatMap((tag) => (typeof tag === 'string' ? [shortenName(tag, MAX_SYMBOL)] : []))
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}

function readNotes(attributes: ExactJson | undefined, data: ExactJson | undefined): readonly AssetNote[] {
  const notes: AssetNote[] = readTags(attributes).map((text) => ({ kind: 'tag', text }));
  if (isFlagSet(attributes, 'isClaimable')) notes.push({ kind: 'claimable' });
  if (getCoordinate(attributes, 'lockedUntil') !== null)
    notes.push({ kind: 'locked', until: getMillisecondTime(attributes, 'lockedUntil') });
  const validator = readAddress(getMember(attributes, 'validator'), 'address');
  if (validator !== null) notes.push({ kind: 'validator', address: validator });
  const prediction = getMember(attributes, 'prediction');
  const market = readName(getMember(prediction, 'market'), 'marketTitle');
  if (market !== null)
    notes.push({ kind: 'prediction', market, side: readName(prediction, 'sideName') ?? 'unknown side' });
  const rate = readRate(getItems(data, 'yields'));
  if (rate !== null) notes.push({ kind: 'rate', rate });
  return notes;
}

function nameUnknown(address: string | null): string {
  return address === null ? 'Asset without a name' : shortenAddress(address);
}
