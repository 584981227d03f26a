import { setImmediate } from 'node:timers/promises';
import { type Chain, decodeFromChain, requireAvailable } from '../../../chain/chain.ts';
import { type MintFacts, mintFacts } from '../../../market/mint-facts.ts';
import type { Address } from '../../../solana/address.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import {
  decodeTokenAccount,
  isTokenAccount,
  type TokenAccount,
} from '../../../solana/programs/token/account.ts';
import { obstacleTo } from './closable.ts';

/** A token account of a wallet. */
export interface HeldAccount {
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
export interface Holdings {
  readonly slot: bigint;
  readonly lamports: bigint;
  readonly accounts: readonly HeldAccount[];
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
/** Deriving an address takes some microseconds. Other requests have their turn after so many. */
const DERIVED_AT_ONCE = 100;
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
): Promise<Holdings> {
  requireAvailable(chain);
  const view = chain.openView(COMMITMENT);
  const [[wallet], found] = await Promise.all([view.getAccounts([owner]), view.getTokenAccounts(owner)]);
  const all = found.flatMap(({ address, account }) => {
    const token = account === null ? null : decodeIfTokenAccount(address, account.data);
    return account === null || token === null ? [] : [{ address, account, token }];
  });
  const kept = firstAccounts(all, ({ token }) => rankOf(token, isVerified));
  const mints = [...new Set(kept.map(({ token }) => token.mint))];
  const facts = new Map<Address, MintFacts>();
  for (const { address, account } of mints.length === 0 ? [] : await view.getAccounts(mints)) {
    const known = account === null ? null : mintFacts(account);
    if (known !== null) facts.set(address, known);
  }
  const accounts: HeldAccount[] = [];
  for (const [index, { address, account, token }] of kept.entries()) {
    if (index % DERIVED_AT_ONCE === DERIVED_AT_ONCE - 1) await setImmediate();
    const mint = facts.get(token.mint);
    // A mint can be closed before the accounts of it, with Token-2022. Nothing is known about such tokens.
    if (mint === undefined) continue;
    const isAssociated = associatedTokenAddress(owner, token.mint, account.owner) === address;
    accounts.push({
      address,
      program: account.owner,
      token,
      mint,
      isAssociated,
      lamports: account.lamports,
      reclaimableLamports: isAssociated && obstacleTo(token, owner) === null ? account.lamports : 0n,
    });
  }
  return {
    slot: view.slots().newest,
    lamports: wallet?.account?.lamports ?? 0n,
    accounts,
    omitted: all.length - kept.length,
    unixTime: Number(chain.clock().unixTimestamp),
  };
}

/**
 * @returns null for an account of the program that is no token account, such as a multisig that anybody can create
 * @throws ChainUnavailable when it is one and cannot be decoded
 */
export function decodeIfTokenAccount(address: Address, data: Uint8Array): TokenAccount | null {
  return isTokenAccount(data) ? decodeFromChain(address, () => decodeTokenAccount(data)) : null;
}

/** Verified tokens come first and empty accounts last, so that what others send to a wallet displaces nothing that counts. */
function rankOf({ mint, amount }: TokenAccount, isVerified: (mint: Address) => boolean): 0 | 1 | 2 {
  if (amount === 0n) return 2;
  return isVerified(mint) ? 0 : 1;
}

function firstAccounts<Found>(all: readonly Found[], rank: (found: Found) => 0 | 1 | 2): readonly Found[] {
  if (all.length <= MAX_ACCOUNTS) return all;
  const ranks: [Found[], Found[], Found[]] = [[], [], []];
  for (const found of all) ranks[rank(found)].push(found);
  return ranks.flat().slice(0, MAX_ACCOUNTS);
}
