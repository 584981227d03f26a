import type { Address } from '../../../../solana/address.ts';
import { ByteReader, LayoutInvalid } from '../../../../solana/codec/byte-reader.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import {
  type Extension,
  ExtensionType,
  findExtension,
  readMaybeAddress,
} from '../../../../solana/programs/token/extensions.ts';
import { decodeMint, type Mint } from '../../../../solana/programs/token/mint.ts';
import type { Account } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { Bank } from '../../ledger/bank.ts';
import { type InterestRates, interestFactor, type MintDisplay } from './token-amount.ts';

/** Returns how to format amounts of a mint, or null when there is no such mint. */
export type MintDisplays = (mint: Address) => MintDisplay | null;

const WRAPPED_SOL: MintDisplay = { decimals: 9, scale: null };

/** Returns a cached lookup for one answer. `overwrites` replace accounts by their states after a simulation. */
export function mintDisplays(
  bank: Bank,
  commitment: Commitment,
  overwrites: ReadonlyMap<Address, Account | null> = new Map(),
): MintDisplays {
  const read = new Map<Address, MintDisplay | null>([[WRAPPED_SOL_MINT, WRAPPED_SOL]]);
  return (address) => {
    const known = read.get(address);
    if (known !== undefined) return known;
    const overwrite = overwrites.get(address);
    const account = overwrite === undefined ? bank.getAccount(address, commitment) : overwrite;
    const display = account === null ? null : displayOfAccount(account, chainTime(bank, commitment));
    read.set(address, display);
    return display;
  };
}

/** Returns the time, in Unix seconds, of the newest block of the commitment. */
export function chainTime(bank: Bank, commitment: Commitment): bigint {
  return bank.blockTime(bank.slot(commitment)) ?? 0n;
}

function displayOfAccount({ owner, data }: Account, unixTimestamp: bigint): MintDisplay | null {
  if (!isTokenProgram(owner)) return null;
  try {
    return mintDisplay(decodeMint(data), unixTimestamp);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/**
 * Returns how to format amounts of a mint.
 *
 * @throws LayoutInvalid when an extension that affects the format is malformed.
 */
export function mintDisplay({ decimals, extensions }: Mint, unixTimestamp: bigint): MintDisplay {
  const interest = interestOf(extensions);
  if (interest !== null) {
    return { decimals, scale: { kind: 'interest', factor: interestFactor(interest, unixTimestamp) } };
  }
  const scaled = scaledAmountOf(extensions);
  if (scaled === null) return { decimals, scale: null };
  const factor =
    unixTimestamp >= scaled.newMultiplierEffectiveTimestamp ? scaled.newMultiplier : scaled.multiplier;
  return { decimals, scale: { kind: 'multiplier', factor } };
}

export interface InterestConfig extends InterestRates {
  readonly rateAuthority: Address | null;
}

export function interestOf(extensions: readonly Extension[]): InterestConfig | null {
  const data = findExtension(extensions, ExtensionType.INTEREST_BEARING_CONFIG);
  if (data === null) return null;
  const reader = new ByteReader(data, 'interest-bearing config');
  return {
    rateAuthority: readMaybeAddress(reader),
    initializationTimestamp: reader.i64(),
    preUpdateAverageRate: reader.i16(),
    lastUpdateTimestamp: reader.i64(),
    currentRate: reader.i16(),
  };
}

export interface ScaledAmountConfig {
  readonly authority: Address | null;
  readonly multiplier: number;
  /** The time, in Unix seconds, from which `newMultiplier` applies. */
  readonly newMultiplierEffectiveTimestamp: bigint;
  readonly newMultiplier: number;
}

export function scaledAmountOf(extensions: readonly Extension[]): ScaledAmountConfig | null {
  const data = findExtension(extensions, ExtensionType.SCALED_UI_AMOUNT);
  if (data === null) return null;
  const reader = new ByteReader(data, 'scaled UI amount config');
  return {
    authority: readMaybeAddress(reader),
    multiplier: reader.f64(),
    newMultiplierEffectiveTimestamp: reader.i64(),
    newMultiplier: reader.f64(),
  };
}
