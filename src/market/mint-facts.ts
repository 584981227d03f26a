import type { Account } from '../chain/accounts.ts';
import type { Address } from '../solana/address.ts';
import { ByteReader, LayoutInvalid } from '../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../solana/program-addresses.ts';
import {
  type DisplayTerms,
  type InterestRates,
  findInterestConfig,
  type MintDisplay,
  computeScaleAt,
  findScaledAmountConfig,
} from '../solana/programs/token/display-amount.ts';
import {
  type Extension,
  ExtensionType,
  findExtension,
  readMaybeAddress,
} from '../solana/programs/token/extensions.ts';
import { decodeMint, isMint } from '../solana/programs/token/mint.ts';
import { type TransferFeeConfig, findTransferFeeConfig } from '../solana/programs/token/transfer-fee.ts';

/** Displayed amounts of a Token-2022 mint with scaled amounts: whole tokens times the multiplier that is in force. */
export interface ScaledAmounts {
  readonly multiplier: number;
  readonly newMultiplier: number;
  /** The Unix second from which `newMultiplier` replaces `multiplier`. */
  readonly newMultiplierEffectiveAt: number;
}

export interface MintFacts {
  /** The token program that owns the mint. */
  readonly program: Address;
  readonly decimals: number;
  /** Atoms. */
  readonly supply: bigint;
  readonly mintAuthority: Address | null;
  readonly freezeAuthority: Address | null;
  /** May transfer or burn the tokens of every holder. Token-2022 only. */
  readonly permanentDelegate: Address | null;
  /** Whether holders cannot transfer the token. */
  readonly nonTransferable: boolean;
  /** What its transfers cost, now and from an announced epoch on; null without such fees. See `getTransferFeeAt`. */
  readonly transferFee: TransferFeeConfig | null;
  /** Whether a program is called at each transfer and can refuse it. */
  readonly transferHook: boolean;
  /** Whether an authority can stop all transfers. */
  readonly pausable: boolean;
  readonly scaled: ScaledAmounts | null;
  /** The interest by which displayed amounts grow; null for a token without it. */
  readonly interest: InterestRates | null;
}

/**
 * Reads what an account says about a mint.
 *
 * Returns null if the account is no mint of a token program.
 *
 * @example
 * ```ts
 * import type { Account } from '../chain/accounts.ts';
 * import { decodeMintFacts } from './mint-facts.ts';
 *
 * function canBeFrozen(account: Account): boolean {
 *   return (decodeMintFacts(account)?.freezeAuthority ?? null) !== null;
 * }
 * ```
 */
export function decodeMintFacts(account: Account): MintFacts | null {
  if (!isTokenProgram(account.owner) || !isMint(account.data)) return null;
  try {
    const { extensions, ...mint } = decodeMint(account.data);
    const has = (type: number) => findExtension(extensions, type) !== null;
    return {
      ...mint,
      program: account.owner,
      permanentDelegate: readPermanentDelegate(extensions),
      nonTransferable: has(ExtensionType.NON_TRANSFERABLE),
      transferFee: findTransferFeeConfig(extensions),
      transferHook: readTransferHook(extensions) !== null,
      pausable: has(ExtensionType.PAUSABLE),
      scaled: readScaledAmounts(extensions),
      interest: findInterestConfig(extensions),
    };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/** Returns how wallets display amounts of the token at a time in Unix seconds. */
export function computeMintDisplay(
  facts: Pick<MintFacts, 'decimals' | keyof DisplayTerms>,
  unixTime: number,
): MintDisplay {
  return { decimals: facts.decimals, scale: computeScaleAt(facts, BigInt(Math.floor(unixTime))) };
}

function readPermanentDelegate(extensions: readonly Extension[]): Address | null {
  const data = findExtension(extensions, ExtensionType.PERMANENT_DELEGATE);
  return data === null ? null : readMaybeAddress(new ByteReader(data, 'permanent delegate'));
}

function readTransferHook(extensions: readonly Extension[]): Address | null {
  const data = findExtension(extensions, ExtensionType.TRANSFER_HOOK);
  if (data === null) return null;
  const reader = new ByteReader(data, 'transfer hook');
  reader.skip(32);
  return readMaybeAddress(reader);
}

function readScaledAmounts(extensions: readonly Extension[]): ScaledAmounts | null {
  const config = findScaledAmountConfig(extensions);
  if (config === null) return null;
  const { multiplier, newMultiplier, newMultiplierEffectiveTimestamp } = config;
  if (!isMultiplier(multiplier) || !isMultiplier(newMultiplier)) return null;
  return { multiplier, newMultiplier, newMultiplierEffectiveAt: Number(newMultiplierEffectiveTimestamp) };
}

function isMultiplier(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
