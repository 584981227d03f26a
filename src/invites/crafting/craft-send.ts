import type { Account } from '../../chain/accounts.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { decodeMintFacts } from '../../market/mint-facts.ts';
import { INVITE_SIZE } from '../../protocols/jupiter-send/invite-account.ts';
import { createNewInvite, type SentToken } from '../../protocols/jupiter-send/invite-instructions.ts';
import {
  deriveInvite,
  deriveInviteVault,
  INVITE_REWARD,
} from '../../protocols/jupiter-send/invite-program.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { isOnCurve } from '../../solana/curve.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { hasFrozenNewAccounts } from '../../solana/programs/token/extensions.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { readAccounts } from '../../transactions/build/build-transaction.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import {
  buildInviteTransaction,
  createTokenAccount,
  type InviteCraftDependencies,
  type InviteTransaction,
  readOpenInvite,
} from './invite-transaction.ts';

/** What a sender wants to send. */
export interface SendRequest {
  readonly sender: Address;
  /** The public key of the pair that the client has derived from the code. */
  readonly inviteKey: Address;
  /** Null sends SOL. */
  readonly mint: Address | null;
  /** Atoms, which the sender pays in addition to the costs. */
  readonly amount: bigint;
}

export interface CraftedSend extends InviteTransaction {
  /** The first Unix second in which the invite has expired. */
  readonly expiresAt: bigint;
}

/** The sender pays the reward of whoever returns the invite with its rent, and gets both back when the invite ends otherwise. */
const INVITE_DEPOSIT = computeRentExemptMinimum(INVITE_SIZE) + INVITE_REWARD;

/**
 * Makes the transaction that creates an invite. The sender and the invite key sign it.
 *
 * @param lifetimeSeconds - How long the invite can be claimed.
 * @throws RequestRefused with a sentence for the client.
 * @throws ChainUnavailable when the network does not answer.
 */
export async function craftSend(
  dependencies: InviteCraftDependencies,
  request: SendRequest,
  lifetimeSeconds: bigint,
): Promise<CraftedSend> {
  await dependencies.requireProgram();
  const { chain } = dependencies;
  const { sender, inviteKey, mint, amount } = request;
  if (!isOnCurve(toAddressBytes(inviteKey))) {
    throw new RequestRefused(
      `inviteSigner must be the public key of a key pair, got ${inviteKey}, which is the address of an account of a program`,
    );
  }
  if (inviteKey === sender) {
    throw new RequestRefused(`inviteSigner must be the key of a code, got ${inviteKey}, which is the sender`);
  }
  const { address: invite } = deriveInvite(inviteKey);
  const mintAccount = mint === null ? null : ((await chain.getAccounts([mint]))[0]?.account ?? null);
  const token = mint === null ? null : findSentToken(sender, mint, mintAccount);
  const creations = [
    { account: invite, rent: () => INVITE_DEPOSIT, isReturned: false },
    ...(token === null || mintAccount === null ? [] : [createVault(invite, token, mintAccount)]),
  ];
  const spends = [{ wallet: sender, amount, tokenAccount: token?.source ?? null }];
  const states = await readAccounts(chain, { feePayer: sender, creations, spends });
  requireNoInvite(inviteKey, invite, states);
  const expiresAt = chain.clock().unixTimestamp + lifetimeSeconds;
  const create = createNewInvite({ sender, inviteKey, token, amount, expiresAt });
  const crafted = await buildInviteTransaction(
    dependencies,
    {
      feePayer: sender,
      instructions: () => [create],
      creations,
      spends,
      competesFor: [token?.source ?? sender],
    },
    states,
  );
  return { ...crafted, expiresAt };
}

/** @throws RequestRefused for a token that could not leave the invite again. */
function findSentToken(sender: Address, mint: Address, account: Account | null): SentToken {
  const facts = account === null ? null : decodeMintFacts(account);
  if (account === null || facts === null) throw new RequestRefused(`mint ${mint} is not a token`);
  if (facts.nonTransferable) throw new RequestRefused(`mint ${mint} cannot be transferred`);
  if (facts.transferHook) {
    throw new RequestRefused(`mint ${mint} has a transfer hook, which invites do not support`);
  }
  const { extensions } = decodeMint(account.data);
  if (hasFrozenNewAccounts(extensions)) {
    throw new RequestRefused(`mint ${mint} opens accounts frozen, which invites do not support`);
  }
  const tokenProgram = facts.program;
  return { mint, tokenProgram, source: deriveAssociatedTokenAddress(sender, mint, tokenProgram) };
}

function createVault(invite: Address, { mint, tokenProgram }: SentToken, account: Account) {
  return createTokenAccount(deriveInviteVault(invite, mint, tokenProgram), tokenProgram, account);
}

/** @throws RequestRefused if an invite of the key is open. */
function requireNoInvite(inviteKey: Address, invite: Address, states: AccountStates): void {
  if (readOpenInvite(invite, states.get(invite) ?? null) === null) return;
  throw new RequestRefused(
    `inviteSigner ${inviteKey} has an open invite already, at ${invite}; make another code`,
  );
}
