import { type Bps, bps, U64_MAX } from '../../../../solana/units.ts';
import { MAX_ACCOUNTS } from '../../../../solana/messages/message-accounts.ts';
import type { AmountBounds, IntegerBounds } from '../../../parameters.ts';

/** Basis points of a whole. */
export const BPS_BOUNDS: IntegerBounds = { minimum: 0, maximum: 10_000 };
/** Accounts that the swaps in the pools may name. */
export const ACCOUNTS_BOUNDS: IntegerBounds = { minimum: 1, maximum: MAX_ACCOUNTS };
/** The public interface accepts any integer of 64 bits; this is what a number holds exactly. */
export const V1_ACCOUNTS_BOUNDS: IntegerBounds = { minimum: 1, maximum: 999_999_999_999_999 };
/** Slots for which a blockhash stays valid. */
export const BLOCKHASH_SLOTS_BOUNDS: IntegerBounds = { minimum: 1, maximum: 300 };
/** Basis points for a referrer. */
export const REFERRAL_FEE_BOUNDS: IntegerBounds = { minimum: 50, maximum: 255 };
/** Atoms that are swapped. */
export const AMOUNT_BOUNDS: AmountBounds = { minimum: 1n, maximum: U64_MAX };
/** Lamports of a tip in instructions, which the caller assembles. */
export const TIP_BOUNDS: AmountBounds = { minimum: 0n, maximum: U64_MAX };
/** Lamports that an order pays for priority. */
export const PRIORITY_FEE_BOUNDS: AmountBounds = { minimum: 1n, maximum: U64_MAX };
/** Lamports of an order's tip. Values from 1 to 999 are refused, too. */
export const ORDER_TIP_BOUNDS: AmountBounds = { minimum: 0n, maximum: U64_MAX };
/** Names for percentiles of recent compute unit prices. */
export const PRICE_LEVELS: ReadonlyMap<unknown, Bps> = new Map([
  ['medium', bps(2_500)],
  ['high', bps(5_000)],
  ['veryHigh', bps(7_500)],
]);
/** The slippage of a request that does not set it. */
export const DEFAULT_SLIPPAGE_BPS = bps(50);
/** For how many slots the blockhash must stay valid if the request does not say. */
export const DEFAULT_BLOCKHASH_SLOTS = 150;
