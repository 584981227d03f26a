import { formatUnits } from '../../../../base/format-amount.ts';
import { formatDollars, formatShare } from '../../../../base/format-dollars.ts';
import { CONTRACT_DECIMALS } from './parse-book.ts';

/** Formats contracts with their unit. */
export function formatContracts(contracts: bigint | null): string {
  if (contracts === null) return 'unknown';
  return `${formatUnits(contracts, CONTRACT_DECIMALS)} ${contracts === 1_000_000n ? 'contract' : 'contracts'}`;
}

/** Formats an amount of dollars that may be absent. */
export function formatOptionalDollars(nanoDollars: bigint | null): string {
  return nanoDollars === null ? 'none' : formatDollars(nanoDollars);
}

/** Formats the price of a contract, which has at least its cents. */
export function formatContractPrice(nanoDollars: bigint): string {
  const text = formatDollars(nanoDollars);
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Formats the chance that the price of a contract stands for: a contract pays one dollar. */
export function formatChance(nanoDollars: bigint): string {
  return formatShare(nanoDollars / 1_000n);
}
