import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { decodeInvite, type InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import { createExpireInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/programs/message-fee.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { buildTransaction } from '../../transactions/build/build-transaction.ts';
import { withholdsFees } from '../../transactions/build/closings.ts';
import { type AccountStates, type CreatedAccount, sumCosts } from '../../transactions/build/costs.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';

/** Why an invite that has expired is not returned now. */
export type ReturnWait =
  /** The wallet that pays for it holds too little, or has spent its budget. */
  | 'gas'
  /** It would cost more than the reward. */
  | 'fee'
  /** A program refuses it, such as for a frozen account. */
  | 'refused'
  /** The transaction was not seen to land. */
  | 'not-landed'
  /** The network or the store does not answer. */
  | 'unavailable';

/** A transaction that returns an invite, or why there is none. */
export type ReturnPlan =
  | {
      readonly kind: 'planned';
      readonly messageBytes: Uint8Array;
      readonly lastValidBlockHeight: bigint;
      /** The most that it can cost the gas wallet, which is what it costs if it fails on chain. */
      readonly lamports: bigint;
    }
  | { readonly kind: 'waits'; readonly reason: ReturnWait };

export interface ReturnDependencies {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  /** Pays the fee, and has the reward. */
  readonly gasWallet: Keypair;
}

/**
 * Reads which of these addresses hold an invite that has expired. One that has ended is not among them, nor one whose key has
 * been used for another invite that can still be claimed.
 *
 * @param now - Unix second of the network's clock.
 * @throws Unavailable when the network does not answer, or the node that answered is behind
 */
export async function readExpiredInvites(
  chain: ReturnDependencies['chain'],
  addresses: readonly Address[],
  now: bigint,
): Promise<ReadonlyMap<Address, InviteAccount>> {
  const expired = new Map<Address, InviteAccount>();
  for (const [address, account] of await readStates(chain, addresses)) {
    const invite = account === null ? null : decodeOpenInvite(account);
    if (invite !== null && invite.expiresAt <= now) expired.set(address, invite);
  }
  return expired;
}

/**
 * Reads the accounts that the returns of invites depend on, in one call.
 *
 * @throws Unavailable when the network does not answer, or the node that answered is behind
 */
export function readReturnStates(
  { chain, gasWallet }: Pick<ReturnDependencies, 'chain' | 'gasWallet'>,
  invites: Iterable<InviteAccount>,
): Promise<AccountStates> {
  const addresses = new Set([gasWallet.address]);
  for (const { sender, token } of invites) {
    if (token === null) continue;
    const { mint, tokenProgram, vault } = token;
    addresses
      .add(mint)
      .add(vault)
      .add(deriveAssociatedTokenAddress(sender, mint, tokenProgram));
  }
  return readStates(chain, [...addresses]);
}

/**
 * Plans the return of an invite, which is simulated so that nothing is paid for what fails. The reward covers the fee: no more is
 * bid for priority than it leaves.
 *
 * @param states - The accounts as `readReturnStates` read them.
 * @param serial - Distinguishes transactions that are otherwise alike.
 * @throws ChainUnavailable when the network does not answer
 */
export async function planReturn(
  { chain, describeFailure, gasWallet }: ReturnDependencies,
  invite: InviteAccount,
  states: AccountStates,
  serial: number,
): Promise<ReturnPlan> {
  const { token, reward } = invite;
  if (reward < LAMPORTS_PER_SIGNATURE) return { kind: 'waits', reason: 'fee' };
  const mint = token === null ? null : (states.get(token.mint) ?? null);
  const instruction = createExpireInvite(invite, gasWallet.address, withholdsFees(mint));
  const build = await buildTransaction(
    { chain, describeFailure },
    {
      feePayer: gasWallet.address,
      instructions: () => [instruction],
      lookupTables: null,
      creations: listCreations(invite, states),
      spends: [],
      tip: 0n,
      priority: {
        asked: { kind: 'maxCap', lamports: reward - LAMPORTS_PER_SIGNATURE },
        competesFor: listWritableAccounts(instruction),
        isSponsored: true,
      },
      serial,
    },
    states,
  );
  if (build.kind === 'refused') return { kind: 'waits', reason: 'refused' };
  if (build.kind === 'lacking') return { kind: 'waits', reason: 'gas' };
  const { messageBytes, lastValidBlockHeight, costs } = build;
  const lamports = sumCosts(costs);
  return lamports > reward
    ? { kind: 'waits', reason: 'fee' }
    : { kind: 'planned', messageBytes, lastValidBlockHeight, lamports };
}

/** Thrown when the node that answered does not know a slot that is confirmed. No client waits for what is thrown here. */
class NodeBehind extends Unavailable {
  override readonly name = 'NodeBehind';

  constructor(shown: bigint, confirmed: bigint) {
    super(`the network shows accounts as of slot ${shown}, and ${confirmed} is confirmed`);
  }
}

/** A node that lags shows what has ended as open, and its simulation would succeed. */
async function readStates(
  chain: ReturnDependencies['chain'],
  addresses: readonly Address[],
): Promise<AccountStates> {
  const since = chain.slot('confirmed');
  const read = await chain.getAccounts(addresses);
  const late = read.find(({ slot }) => slot < since);
  if (late !== undefined) {
    throw new NodeBehind(late.slot, since);
  }
  return new Map(read.map(({ address, account }) => [address, account]));
}

function decodeOpenInvite({ owner, data }: Account): InviteAccount | null {
  if (owner !== INVITE_PROGRAM) return null;
  try {
    return decodeInvite(data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/** The program opens the sender's missing token account. The gas wallet lends the rent, which is that of the vault. */
function listCreations({ sender, token }: InviteAccount, states: AccountStates): readonly CreatedAccount[] {
  if (token === null) return [];
  const { mint, tokenProgram, vault } = token;
  return [
    {
      account: deriveAssociatedTokenAddress(sender, mint, tokenProgram),
      rent: () => computeRentExemptMinimum(states.get(vault)?.data.length ?? TOKEN_ACCOUNT_SIZE),
      isReturned: true,
    },
  ];
}
