import type { Account } from '../../chain/accounts.ts';
import { type Chain, decodeFromChain } from '../../chain/chain.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { decodeInvite, type InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import {
  type BuildingDependencies,
  buildTransaction,
  type TransactionPlan,
} from '../../transactions/build/build-transaction.ts';
import {
  type AccountStates,
  type CreatedAccount,
  describeLackingFunds,
  sumCosts,
} from '../../transactions/build/costs.ts';
import type { InviteHistory } from '../invite.ts';

/** What the transactions of invites are made with. */
export interface InviteCraftDependencies extends BuildingDependencies {
  readonly chain: Chain;
  readonly history: InviteHistory;
  /** Returns if the network has the program. @throws RequestRefused otherwise */
  readonly requireProgram: () => Promise<void>;
}

/** A transaction about an invite. Its signers sign the message as it is, and land it themselves. */
export interface InviteTransaction {
  /** The unsigned transaction. */
  readonly wire: Uint8Array;
  /** What the fee payer pays in addition to what it sends: fees, rents, and the reward that an invite holds. */
  readonly totalFeeLamports: bigint;
}

/** What differs between the transactions of invites. */
export type InvitePlan = Pick<TransactionPlan, 'feePayer' | 'instructions' | 'creations' | 'spends'> & {
  readonly competesFor: TransactionPlan['priority']['competesFor'];
};

/**
 * Builds the unsigned transaction of a plan.
 *
 * @param states - The accounts of the plan as `readAccounts` read them.
 * @throws RequestRefused when a wallet has too little, or a program would refuse the transaction.
 * @throws ChainUnavailable when the network does not answer.
 */
export async function buildInviteTransaction(
  dependencies: BuildingDependencies,
  { competesFor, ...plan }: InvitePlan,
  states: AccountStates,
): Promise<InviteTransaction> {
  const build = await buildTransaction(
    dependencies,
    {
      ...plan,
      lookupTables: null,
      tip: 0n,
      priority: { asked: null, competesFor, isSponsored: false },
      // An invite is created and ended once, so two transactions that are alike may well be the same one.
      serial: 0,
    },
    states,
  );
  if (build.kind === 'lacking') throw new RequestRefused(describeLackingFunds(build.lack));
  if (build.kind === 'refused') throw new RequestRefused(build.failure.message);
  return { wire: encodeUnsigned(build.messageBytes), totalFeeLamports: sumCosts(build.costs) };
}

/**
 * Reads invites by their addresses. Null stands for an address at which none is open.
 *
 * @throws ChainUnavailable when the network does not answer, or an account cannot be decoded.
 */
export async function readOpenInvites(
  chain: Pick<Chain, 'getAccounts'>,
  addresses: readonly Address[],
): Promise<readonly (InviteAccount | null)[]> {
  return (await chain.getAccounts(addresses)).map(({ address, account }) => readOpenInvite(address, account));
}

/**
 * Decodes the invite at an address. Returns null if none is open there.
 *
 * @throws ChainUnavailable when the account cannot be decoded.
 */
export function readOpenInvite(address: Address, account: Account | null): InviteAccount | null {
  if (account?.owner !== INVITE_PROGRAM) return null;
  return decodeFromChain(address, () => decodeInvite(account.data));
}

/** Describes a token account that a transaction creates, whose rent the fee payer does not get back. */
export function createTokenAccount(
  account: Address,
  tokenProgram: Address,
  mint: Pick<Account, 'data'>,
): CreatedAccount {
  const rent = () =>
    computeRentExemptMinimum(computeAssociatedAccountSize(tokenProgram, decodeMint(mint.data)));
  return { account, rent, isReturned: false };
}
