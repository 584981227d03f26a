import { MAX_ACCOUNTS } from '../../solana/messages/message-accounts.ts';
import type { IntegerBounds } from '../parameters.ts';

/** Basis points of a whole. */
export const BPS_BOUNDS: IntegerBounds = { minimum: 0, maximum: 10_000 };
/** Accounts that a transaction may name. */
export const ACCOUNTS_BOUNDS: IntegerBounds = { minimum: 1, maximum: MAX_ACCOUNTS };
/** Slots for which a blockhash stays valid. */
export const BLOCKHASH_SLOTS_BOUNDS: IntegerBounds = { minimum: 1, maximum: 300 };
/** Basis points for a referrer. */
export const REFERRAL_FEE_BOUNDS: IntegerBounds = { minimum: 50, maximum: 255 };
/** Ten SOL: more for one transaction is a slip of the finger. */
export const LAMPORTS_BOUNDS: IntegerBounds = { minimum: 0, maximum: 10_000_000_000 };
