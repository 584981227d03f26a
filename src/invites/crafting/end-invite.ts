import type { InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { isMint } from '../../solana/programs/token/mint.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import { withholdsFees } from '../../transactions/build/closings.ts';
import {
  buildInviteTransaction,
  createTokenAccount,
  type InviteCraftDependencies,
  type InvitePlan,
  type InviteTransaction,
} from './invite-transaction.ts';

/** How an invite is ended. */
export interface InviteEnding {
  readonly invite: Address;
  readonly open: InviteAccount;
  /** Who gets what was sent. */
  readonly payee: Address;
  readonly feePayer: Address;
  /** Creates the instruction that ends it, if fees that were withheld in the vault go to the mint, or if not. */
  readonly createEnd: (withholdsFees: boolean) => Instruction;
}

/**
 * Builds the transaction that ends an invite. Tokens go to the associated account of the payee. If it is missing it is opened
 * before, and the fee payer pays its rent.
 *
 * @throws RequestRefused when a program would refuse it.
 * @throws ChainUnavailable when the network does not answer.
 */
export async function buildInviteEnd(
  dependencies: InviteCraftDependencies,
  { invite, open: { token }, payee, feePayer, createEnd }: InviteEnding,
): Promise<InviteTransaction> {
  const plain: InvitePlan = {
    feePayer,
    instructions: () => [createEnd(false)],
    creations: [],
    spends: [],
    competesFor: [invite],
  };
  const { chain } = dependencies;
  if (token === null) return buildInviteTransaction(dependencies, plain, await readAccounts(chain, plain));
  const { mint, tokenProgram } = token;
  const account = deriveAssociatedTokenAddress(payee, mint, tokenProgram);
  const states = await readAccounts(chain, plain, [mint, account]);
  const found = states.get(mint) ?? null;
  // An issuer can close a mint of which no tokens exist any more. Then there is nothing to pay out.
  if (found === null || !isMint(found.data)) return buildInviteTransaction(dependencies, plain, states);
  const create = createAssociatedTokenIdempotent(
    { payer: feePayer, owner: payee, mint, tokenProgram },
    account,
  );
  const plan = {
    ...plain,
    instructions: () => [create, createEnd(withholdsFees(found))],
    creations: [createTokenAccount(account, tokenProgram, found)],
  };
  return buildInviteTransaction(dependencies, plan, states);
}
