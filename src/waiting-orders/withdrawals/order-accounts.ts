import type { Account } from '../../chain/accounts.ts';
import type { WithdrawnTokens } from '../../custody/checks/message-to-sign.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { getEarnMint } from '../earning/earn-mint.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import type { WithdrawnAccount } from './withdrawal-message.ts';

/** A token account of an order. */
export interface OrderTokens extends WithdrawnTokens {
  /** Whether money of the order lies there, so that it must exist. */
  readonly isHolding: boolean;
}

export function listOrderTokens({
  plan,
  account,
  inputMint,
  outputMint,
  remaining,
  unsold,
}: WaitingOrder): readonly OrderTokens[] {
  const earnMint = getEarnMint(plan);
  const isHolding = remaining > 0n;
  if (earnMint !== null) return [{ account, mint: earnMint, lentMint: inputMint, isHolding }];
  const input = { account, mint: inputMint, isHolding };
  if (plan.kind !== 'otoco') return [input];
  return [input, { account: plan.outputAccount, mint: outputMint, isHolding: unsold > 0n }];
}

/** Returns the atoms of the token that the order still had to sell. */
export function findMainBalance(order: WaitingOrder, withdrawn: readonly WithdrawnAccount[]): bigint {
  const [main] = listOrderTokens(order).filter(({ isHolding }) => isHolding);
  return withdrawn.find(({ account }) => account === main?.account)?.balance ?? 0n;
}

/** Whether an account is a token account of the vault. */
export function isVaults({ data }: Account, vault: Address): boolean {
  return isTokenAccount(data) && decodeTokenAccount(data).owner === vault;
}

/** Whether the wallet's associated account is still its own, and can take tokens. Its owner can have been changed by a fraud. */
export function canTake(own: Account, wallet: Address): boolean {
  if (own.owner === SYSTEM_PROGRAM) return true;
  if (!isTokenAccount(own.data)) return false;
  const { owner, state } = decodeTokenAccount(own.data);
  return owner === wallet && state === 'initialized';
}
