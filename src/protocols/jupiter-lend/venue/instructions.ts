import { LENDING_ADMIN } from '../lending/addresses.ts';
import { deriveClaimAddress, LIQUIDITY } from '../liquidity/addresses.ts';
import { LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';
import type { Address } from '../../../solana/address.ts';
import { type AccountMeta, readonly, writable } from '../../../solana/messages/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import type { SwapParties } from '../../../protocol/venue/venue.ts';

/** The accounts of a lending that deposits and withdrawals name, without those of the user. */
export interface LendingAddresses {
  /** The lending's own account. */
  readonly address: Address;
  /** The token that is lent. */
  readonly mint: Address;
  readonly receiptMint: Address;
  /** The token program of both mints. */
  readonly tokenProgram: Address;
  readonly reserve: Address;
  readonly supplyPosition: Address;
  readonly rateModel: Address;
  readonly vault: Address;
  readonly rewards: Address;
}

/** The 17 accounts of `deposit`, as the aggregator's step takes them. The depositor pays and receives. */
export function listDepositAccounts(lending: LendingAddresses, user: SwapParties): AccountMeta[] {
  return [
    writable(user.authority),
    writable(user.source),
    writable(user.destination),
    readonly(lending.mint),
    readonly(LENDING_ADMIN.address),
    writable(lending.address),
    writable(lending.receiptMint),
    ...liquidityAccounts(lending),
    ...programAccounts(lending),
  ];
}

/** The 18 accounts of `redeem`, as the aggregator's step takes them. */
export function listRedeemAccounts(lending: LendingAddresses, user: SwapParties): AccountMeta[] {
  return [
    writable(user.authority),
    writable(user.source),
    writable(user.destination),
    readonly(LENDING_ADMIN.address),
    writable(lending.address),
    readonly(lending.mint),
    writable(lending.receiptMint),
    ...liquidityAccounts(lending),
    // Redemptions are paid out at once and leave no claim. Public clients name this account all the same.
    writable(deriveClaimAddress(LENDING_ADMIN.address, lending.mint)),
    ...programAccounts(lending),
  ];
}

function liquidityAccounts({ reserve, supplyPosition, rateModel, vault }: LendingAddresses): AccountMeta[] {
  return [writable(reserve), writable(supplyPosition), readonly(rateModel), writable(vault)];
}

/** The aggregator demands that the liquidity program is writable, although nothing can write to a program. */
function programAccounts({ rewards, tokenProgram }: LendingAddresses): AccountMeta[] {
  return [
    writable(LIQUIDITY.address),
    writable(LIQUIDITY_PROGRAM),
    readonly(rewards),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ];
}
