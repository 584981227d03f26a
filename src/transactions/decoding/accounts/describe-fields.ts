import {
  type AccountFieldHint,
  type AccountFieldHints,
  OWN_ADDRESS,
} from '../../../protocol/accounts/program-accounts.ts';
import { ArgumentVariant } from '../../../protocol/instructions/read-arguments.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { formatDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import type { AccountFacts } from '../account-facts.ts';
import { SOL_UNIT } from '../form/sol-unit.ts';
import type { DecodedUnit } from '../form/decoded-transaction.ts';
import type { ShownField } from './shown-account.ts';

/** What is shown of one account. Anybody can write an account of 10 MB, and a page shows only so much. */
const MAX_FIELDS = 800;
const MAX_ITEMS = 200;
const MAX_DEPTH = 6;
const MAX_TEXT = 400;
const MAX_HEX_BYTES = 64;
/** Ten billion seconds from 1970 on: later times are a marker, such as the largest number. */
const LAST_SECOND = 10_000_000_000n;
const U64_MAX = 2n ** 64n - 1n;

/** What the fields of an account are shown with. */
export interface FieldContext {
  /** The account's own address. */
  readonly address: Address;
  readonly hints: AccountFieldHints;
  readonly facts: Pick<AccountFacts, 'mints' | 'holdings'>;
  readonly labels: ReadonlyMap<Address, string>;
}

/** Shows the values that a codec has read, within bounds. */
export function describeFields(value: object, context: FieldContext): readonly ShownField[] {
  return new FieldWriter(value, context).showStruct(value, 0);
}

type Scope = Readonly<Record<string, unknown>>;

class FieldWriter {
  readonly #root: Scope;
  readonly #context: FieldContext;
  #left = MAX_FIELDS;

  constructor(root: object, context: FieldContext) {
    this.#root = root as Scope;
    this.#context = context;
  }

  showStruct(value: object, depth: number): readonly ShownField[] {
    const fields: ShownField[] = [];
    const scope = value as Scope;
    for (const [name, each] of Object.entries(scope)) {
      const hint = this.#context.hints[name];
      if (each === undefined || typeof each === 'function' || hint === 'hidden') continue;
      if (this.#left <= 0) break;
      fields.push(this.#showField({ name, hint, scope, place: null }, each, depth));
    }
    return fields;
  }

  #showField(at: FieldPlace, value: unknown, depth: number): ShownField {
    this.#left -= 1;
    const { name } = at;
    if (value === null) return { name, value: 'none', kind: 'text' };
    if (typeof value === 'bigint' || typeof value === 'number') return this.#showNumber(at, value);
    if (typeof value === 'boolean') return { name, value: value ? 'yes' : 'no', kind: 'bool' };
    if (typeof value === 'string') return this.#showText(at, value);
    if (value instanceof Uint8Array) return { name, value: formatBytes(value), kind: 'text' };
    if (depth >= MAX_DEPTH) return { name, value: '…', kind: 'text' };
    if (value instanceof ArgumentVariant) return this.#showVariant(name, value, depth);
    if (value instanceof Map) return this.#showList(at, mapToItems(value), depth);
    if (Array.isArray(value)) return this.#showList(at, value, depth);
    const children = this.showStruct(value as object, depth + 1);
    return { name, value: '', kind: 'struct', children };
  }

  #showVariant(name: string, { variant, fields }: ArgumentVariant, depth: number): ShownField {
    const children = this.showStruct(fields, depth + 1);
    return children.length === 0
      ? { name, value: variant, kind: 'text' }
      : { name, value: variant, kind: 'struct', children };
  }

  #showList(at: FieldPlace, items: readonly unknown[], depth: number): ShownField {
    const children: ShownField[] = [];
    for (const [place, item] of items.slice(0, MAX_ITEMS).entries()) {
      if (this.#left <= 0) break;
      children.push(this.#showField({ ...at, name: String(place), place }, item, depth + 1));
    }
    const missing = items.length - children.length;
    if (missing > 0) children.push({ name: '', value: `and ${missing} more`, kind: 'text' });
    const value = items.length === 1 ? '1 item' : `${items.length} items`;
    return { name: at.name, value, kind: 'list', children };
  }

  #showNumber(at: FieldPlace, number: bigint | number): ShownField {
    const { name, hint } = at;
    const text = String(number);
    if (hint === undefined || (typeof number === 'number' && !Number.isInteger(number)))
      return { name, value: number === U64_MAX ? 'none (the largest number)' : text, kind: 'number' };
    const value = BigInt(number);
    if (hint === 'time') return showTime(name, value);
    if (hint === 'lamports') return showAmount(name, value, SOL_UNIT);
    if (typeof hint === 'string') return { name, value: text, kind: 'number' };
    if ('names' in hint) return { name, value: hint.names[text] ?? text, kind: 'text' };
    if ('outOf' in hint) return { name, value: formatShare(value, hint.outOf), kind: 'number' };
    if ('decimals' in hint) return { name, value: text, kind: 'amount', ...hint };
    const unit = this.#findUnit(hint.amountOf, at);
    return unit === null ? { name, value: text, kind: 'number' } : showAmount(name, value, unit);
  }

  /** The mint that a hint names is in the struct of the amount, or at the top of the account. */
  #findUnit(amountOf: string, { scope, place }: FieldPlace): DecodedUnit | null {
    const { address, facts } = this.#context;
    const named = amountOf === OWN_ADDRESS ? address : (scope[amountOf] ?? this.#root[amountOf]);
    const mint: unknown = Array.isArray(named) && place !== null ? named[place] : named;
    if (typeof mint !== 'string') return null;
    return facts.mints.get(facts.holdings.get(mint as Address)?.mint ?? (mint as Address)) ?? null;
  }

  #showText({ name, hint }: FieldPlace, text: string): ShownField {
    const address = hint === undefined || typeof hint === 'object' ? parseAddress(text) : null;
    if (address === null) {
      const shown = typeof hint === 'object' && 'names' in hint ? (hint.names[text] ?? text) : text;
      return { name, value: shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown, kind: 'text' };
    }
    // Programs store zeros, which read as the address of the System program, where there is no address.
    if (address === SYSTEM_PROGRAM && !/program|owner/i.test(name))
      return { name, value: 'none', kind: 'text' };
    const label = this.#context.labels.get(address);
    return { name, value: address, kind: 'address', ...(label === undefined ? {} : { label }) };
  }
}

interface FieldPlace {
  readonly name: string;
  readonly hint: AccountFieldHint | undefined;
  /** The struct that has the field. */
  readonly scope: Scope;
  /** The place in a list; null for a field of a struct. */
  readonly place: number | null;
}

function mapToItems(map: ReadonlyMap<unknown, unknown>): readonly unknown[] {
  return [...map].map(([key, value]) => ({ key, value }));
}

function showTime(name: string, seconds: bigint): ShownField {
  if (seconds === 0n) return { name, value: 'none', kind: 'text' };
  if (seconds < 0n || seconds > LAST_SECOND) return { name, value: String(seconds), kind: 'number' };
  return { name, value: String(seconds), kind: 'time' };
}

function showAmount(name: string, atoms: bigint, { mint, symbol, decimals }: DecodedUnit): ShownField {
  const value = String(atoms);
  return { name, value, kind: 'amount', decimals, mint, ...(symbol === null ? {} : { symbol }) };
}

const PERCENT = 100n;
const SHARE_DECIMALS = 6;

function formatShare(value: bigint, outOf: number): string {
  const size = value < 0n ? -value : value;
  const percent = (size * PERCENT * 10n ** BigInt(SHARE_DECIMALS)) / BigInt(outOf);
  return `${value < 0n ? '-' : ''}${formatDecimalAmount(percent, SHARE_DECIMALS)}%`;
}

function formatBytes(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'none';
  const hex = Buffer.from(bytes.subarray(0, MAX_HEX_BYTES)).toString('hex');
  return bytes.length > MAX_HEX_BYTES ? `${hex}…` : hex;
}
