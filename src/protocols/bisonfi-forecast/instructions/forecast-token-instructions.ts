import type { Address } from '../../../solana/address.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import {
  deriveForecastSide,
  deriveForecastUsdc,
  deriveForecastVault,
  deriveOutcomeMint,
  deriveOutcomeTokens,
  FORECAST_USDC,
  type OutcomeSide,
} from '../forecast-program.ts';
import {
  createForecastInstruction,
  FORECAST_CALLED_PROGRAMS,
  FORECAST_TAGS,
  startForecastData,
} from './forecast-instruction.ts';

// The instructions that trade the tokens of a side and pay for them.

/** The accounts of a trade. */
export interface ForecastSwapAccounts {
  /** Signs for what the trade takes. */
  readonly authority: Address;
  readonly round: Address;
  readonly side: OutcomeSide;
  readonly feed: Address;
  /** A token account of USDC. Default: the associated one of `authority`. */
  readonly usdc?: Address;
  /** A token account of the side, which must exist. Default: the associated one of `authority`. */
  readonly tokens?: Address;
}

/** What a trade moves. */
export interface ForecastSwapTerms {
  readonly isBuy: boolean;
  /** USDC that is paid, or tokens that are sold. All of it is taken. */
  readonly amountIn: bigint;
  readonly minOut: bigint;
}

/** Creates `swap`. */
export function createForecastSwap(accounts: ForecastSwapAccounts, terms: ForecastSwapTerms): Instruction {
  const { authority, round, side, feed } = accounts;
  const mint = deriveOutcomeMint(round, side).address;
  const metas = [
    readonlySigner(authority),
    readonly(deriveForecastSide(round, side).address),
    writable(round),
    readonly(feed),
    writable(mint),
    writable(deriveForecastVault(round)),
    writable(accounts.usdc ?? deriveForecastUsdc(authority)),
    writable(accounts.tokens ?? deriveOutcomeTokens(authority, mint)),
    FORECAST_CALLED_PROGRAMS.token,
    FORECAST_CALLED_PROGRAMS.token2022,
  ];
  const data = startForecastData(FORECAST_TAGS.swap);
  return createForecastInstruction(metas, data.bool(terms.isBuy).u64(terms.amountIn).u64(terms.minOut));
}

/** The tokens of a side that are to be paid for. */
export interface ForecastPayout {
  readonly round: Address;
  readonly side: OutcomeSide;
  /** Owns the tokens and is paid. */
  readonly owner: Address;
  /** The token account. Default: the owner's associated one. */
  readonly tokens?: Address;
}

/**
 * Creates `pay_out`, which burns all tokens of an account and pays its owner in the associated account of USDC, where they
 * are worth something.
 *
 * @param signer - The round's operator or the owner. It pays for the account of USDC if that is missing; the operator does
 *   only where a dollar or more is paid, and then keeps half a dollar of it for the rent.
 */
export function createForecastPayout(signer: Address, payout: ForecastPayout): Instruction {
  const { round, side, owner } = payout;
  const mint = deriveOutcomeMint(round, side).address;
  const accounts = [
    writableSigner(signer),
    writable(round),
    writable(mint),
    writable(payout.tokens ?? deriveOutcomeTokens(owner, mint)),
    readonly(owner),
    writable(deriveForecastUsdc(owner)),
    writable(deriveForecastVault(round)),
    readonly(FORECAST_USDC),
    FORECAST_CALLED_PROGRAMS.token,
    FORECAST_CALLED_PROGRAMS.token2022,
    FORECAST_CALLED_PROGRAMS.associatedToken,
    FORECAST_CALLED_PROGRAMS.system,
  ];
  return createForecastInstruction(accounts, startForecastData(FORECAST_TAGS.payOut));
}
