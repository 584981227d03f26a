import type { AccountView } from '../../../chain/accounts.ts';
import { type Chain, decodeFromChain, requireAvailable } from '../../../chain/chain.ts';
import { visitInTurns, type Work } from '../../../common/work/work.ts';
import { type MintFacts, decodeMintFacts } from '../../../market/mint-facts.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import {
  decodeTokenAccount,
  isTokenAccount,
  type TokenAccount,
} from '../../../solana/programs/token/account.ts';
import { findClosingObstacle } from './closable.ts';

/** A token account of a wallet. */
export interface HeldTokenAccount {
  readonly address: Address;
  /** The token program that owns the account. */
  readonly program: Address;
  readonly token: TokenAccount;
  readonly mint: MintFacts;
  readonly isAssociated: boolean;
  readonly lamports: bigint;
  /** What closing the account now would give back to the owner; 0 if it is kept. */
  readonly reclaimableLamports: bigint;
}

/** What a wallet holds, as of one slot. */
export interface WalletHoldings {
  readonly slot: bigint;
  readonly lamports: bigint;
  readonly accounts: readonly HeldTokenAccount[];
  /** How many token accounts are left out, because the wallet has more than `MAX_ACCOUNTS`. */
  readonly omitted: number;
  /** The Unix second of the network, at which multipliers of scaled amounts apply. */
  readonly unixTime: number;
}

export interface HoldingsDependencies {
  readonly chain: Pick<Chain, 'openView' | 'unhealthy' | 'clock'>;
  /** Whether tokens of the mint come first where a wallet has too many token accounts. */
  readonly isVerified: (mint: Address) => boolean;
}

/** Anybody can open accounts for any wallet at the price of their rent. More than these would keep other requests waiting. */
export const MAX_ACCOUNTS = 5_000;
const COMMITMENT = 'confirmed';

/**
 * Reads the lamports of a wallet.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function readLamports(
  chain: Pick<Chain, 'openView' | 'unhealthy'>,
  owner: Address,
): Promise<bigint> {
  requireAvailable(chain);
  const [wallet] = await chain.openView(COMMITMENT).getAccounts([owner]);
  return wallet?.account?.lamports ?? 0n;
}

/**
 * Reads everything that a wallet holds under both token programs.
 *
 * @throws ChainUnavailable when the network does not answer, or returns a token account that cannot be decoded
 */
export async function readHoldings(
  { chain, isVerified }: HoldingsDependencies,
  owner: Address,
  work: Work,
): Promise<WalletHoldings> {
  requireAvailable(chain);
  const view = chain.openView(COMMITMENT);
  const [[wallet], held] = await Promise.all([
    view.getAccounts([owner]),
    heldBy(view, owner, ({ token }) => getHoldingRank(token, isVerified), work),
  ]);
  const { kept, count } = held;
  const facts = await loadMintFacts(view, new Set(kept.map(({ token }) => token.mint)), work);
  const accounts: HeldTokenAccount[] = [];
  await visitInTurns(work, kept, ({ address, program, lamports, token }) => {
    const mint = facts.get(token.mint);
    // A mint can be closed before the accounts of it, with Token-2022. Nothing is known about such tokens.
    if (mint === undefined) return;
    const isAssociated = deriveAssociatedTokenAddress(owner, token.mint, program) === address;
    accounts.push({
      address,
      program,
      token,
      mint,
      isAssociated,
      lamports,
      reclaimableLamports: isAssociated && findClosingObstacle(token, owner) === null ? lamports : 0n,
    });
  });
  return {
    slot: view.slots().newest,
    lamports: wallet?.account?.lamports ?? 0n,
    accounts,
    omitted: count - kept.length,
    unixTime: Number(chain.clock().unixTimestamp),
  };
}

type FoundTokenAccount = Pick<HeldTokenAccount, 'address' | 'program' | 'lamports' | 'token'>;

/** Accounts are ranked as they are read, and of each rank only as many are kept as an answer can have. */
async function heldBy(
  view: AccountView,
  owner: Address,
  rank: (found: FoundTokenAccount) => 0 | 1 | 2,
  work: Work,
): Promise<{ readonly kept: readonly FoundTokenAccount[]; readonly count: number }> {
  const first: FoundTokenAccount[] = [];
  const ranks: [FoundTokenAccount[], FoundTokenAccount[], FoundTokenAccount[]] = [[], [], []];
  let count = 0;
  for await (const piece of view.tokenAccounts(owner, work)) {
    for (const { address, account } of piece) {
      const token = account === null ? null : decodeIfTokenAccount(address, account.data);
      if (account === null || token === null) continue;
      const found = { address, program: account.owner, lamports: account.lamports, token };
      count++;
      for (const list of [first, ranks[rank(found)]]) if (list.length < MAX_ACCOUNTS) list.push(found);
    }
  }
  return { kept: count <= MAX_ACCOUNTS ? first : ranks.flat().slice(0, MAX_ACCOUNTS), count };
}

async function loadMintFacts(
  view: AccountView,
  mints: ReadonlySet<Address>,
  work: Work,
): Promise<ReadonlyMap<Address, MintFacts>> {
  const facts = new Map<Address, MintFacts>();
  const found = mints.size === 0 ? [] : await view.getAccounts([...mints], work);
  await visitInTurns(work, found, ({ address, account }) => {
    const known = account === null ? null : decodeMintFacts(account);
    if (known !== null) facts.set(address, known);
  });
  return facts;
}

/**
 * Returns null for an account of the program that is no token account, such as a multisig that anybody can create.
 * @throws ChainUnavailable when it is one and cannot be decoded
 */
export function decodeIfTokenAccount(address: Address, data: Uint8Array): TokenAccount | null {
  return isTokenAccount(data) ? decodeFromChain(address, () => decodeTokenAccount(data)) : null;
}

/** Verified tokens come first and empty accounts last, so that what others send to a wallet displaces nothing that counts. */
function getHoldingRank({ mint, amount }: TokenAccount, isVerified: (mint: Address) => boolean): 0 | 1 | 2 {
  if (amount === 0n) return 2;
  return isVerified(mint) ? 0 : 1;
}
