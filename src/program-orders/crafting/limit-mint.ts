import type { Account } from '../../chain/accounts.ts';
import { decodeMintFacts } from '../../market/mint-facts.ts';
import type { OrderToken } from '../../protocols/jupiter-limit-order/instructions.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import {
  decodeTokenAccount,
  isTokenAccount,
  type TokenAccount,
} from '../../solana/programs/token/account.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { ExtensionType, findExtension } from '../../solana/programs/token/extensions.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';

/** A mint that an order can be of. */
export interface LimitMint extends OrderToken {
  /** Lamports of an associated token account. */
  readonly accountRent: bigint;
  /** Whether new accounts of the token cannot be paid into. */
  readonly opensFrozen: boolean;
}

/** The state in which accounts of a mint are opened: `Frozen`. */
const FROZEN = 2;

/**
 * Reads a mint, unless orders of it are refused. The program refuses fees and hooks even while a mint charges nothing and
 * calls nothing, because both can be changed while an order waits.
 *
 * @param field - The name by which the client knows the mint.
 */
export function readLimitMint(
  field: string,
  mint: Address,
  states: AccountStates,
): LimitMint | ImpossibleOrder {
  const account: Account | null = states.get(mint) ?? null;
  const facts = account === null ? null : decodeMintFacts(account);
  if (account === null || facts === null) return createImpossibleOrder(`${field} ${mint} is not a token`);
  const { extensions } = decodeMint(account.data);
  const has = (type: number) => findExtension(extensions, type) !== null;
  if (has(ExtensionType.TRANSFER_FEE_CONFIG)) {
    return createImpossibleOrder(`${field} ${mint} has a transfer fee, which orders do not support`);
  }
  if (has(ExtensionType.TRANSFER_HOOK)) {
    return createImpossibleOrder(`${field} ${mint} has a transfer hook, which orders do not support`);
  }
  if (facts.nonTransferable) {
    return createImpossibleOrder(`${field} ${mint} cannot be transferred, so no order can trade it`);
  }
  return {
    mint,
    tokenProgram: facts.program,
    accountRent: computeRentExemptMinimum(computeAssociatedAccountSize(facts.program, { extensions })),
    opensFrozen: findExtension(extensions, ExtensionType.DEFAULT_ACCOUNT_STATE)?.[0] === FROZEN,
  };
}

/** Returns the token account of a token at an address; null if there is none. */
export function findOrderTokenAccount(
  address: Address,
  { mint, tokenProgram }: OrderToken,
  states: AccountStates,
): TokenAccount | null {
  const account = states.get(address) ?? null;
  if (account?.owner !== tokenProgram || !isTokenAccount(account.data)) return null;
  try {
    const tokens = decodeTokenAccount(account.data);
    return tokens.mint === mint ? tokens : null;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/** Says why a fill could not pay into an account. Returns null if it could. */
export function findPaymentObstacle({ state, extensions }: TokenAccount): string | null {
  if (state === 'frozen') return 'is frozen';
  const demandsMemo = findExtension(extensions, ExtensionType.MEMO_TRANSFER)?.[0] === 1;
  return demandsMemo ? 'takes only transfers with a memo' : null;
}
