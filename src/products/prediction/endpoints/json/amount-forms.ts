import { type Static, Type } from 'typebox';
import { MICRO_PER_CONTRACT } from '../../../../exchange/exchange.ts';

const FRACTION_DIGITS = 6;

/** The three forms in which answers carry contracts. */
export const CONTRACT_FORMS = {
  contracts: Type.String({ description: 'Whole contracts; a fraction is cut off.' }),
  contractsMicro: Type.String({ description: 'Millionths of a contract.' }),
  contractsDecimal: Type.String({ description: 'Contracts, exactly.' }),
} as const;

/** A field of micro USD, as text. */
export function createUsdField(description: string) {
  return Type.String({ description: `${description} Micro USD.` });
}

/** A field of micro USD as text, or null. */
export function createUsdOrNullField(description: string) {
  return Type.Union([Type.String(), Type.Null()], { description: `${description} Micro USD.` });
}

/** Cuts micro-contracts off to whole contracts. */
export function toWholeContracts(micro: bigint): string {
  return String(micro / MICRO_PER_CONTRACT);
}

/** Writes micro-contracts as contracts with a fraction, without trailing zeros. */
export function toDecimalContracts(micro: bigint): string {
  const fraction = String(micro % MICRO_PER_CONTRACT)
    .padStart(FRACTION_DIGITS, '0')
    .replace(/0+$/, '');
  return `${micro / MICRO_PER_CONTRACT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Reads contracts with a fraction of up to six digits as micro-contracts; null for another text. */
export function parseDecimalContracts(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '0', fraction = ''] = match;
  return BigInt(whole) * MICRO_PER_CONTRACT + BigInt(fraction.padEnd(FRACTION_DIGITS, '0'));
}

/** Writes an amount as text, and what is not known as null. */
export function toTextOrNullAmount(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}

/** Writes an amount as a number, and what is not known as null. */
export function toNumberOrNull(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount);
}

/** Writes a time of Unix seconds in ISO 8601. */
export function toIsoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString();
}

/** Which part of a list an answer has. */
export const PaginationJson = Type.Object({
  start: Type.Integer({ minimum: 0, description: 'The index of the first item.' }),
  end: Type.Integer({ minimum: 0, description: 'The index after the last item.' }),
  total: Type.Integer({ minimum: 0, description: 'Items of all pages.' }),
  hasNext: Type.Boolean({ description: 'Whether items follow.' }),
});

/** Which part of a list an answer has. */
export type PaginationForm = Static<typeof PaginationJson>;
