import type { AddressField } from '../../chain/accounts.ts';
import type { LiquidityPosition } from './element.ts';
import { type Fetched, type FoundAccount, readEach, type WalletMint, type WalletReader } from './fetcher.ts';
import { selectMintsToFind } from './mint-accounts.ts';
import type { Address } from '../../solana/address.ts';

/**
 * A venue whose pools issue fungible LP tokens: the part that is needed to find the pools that a wallet has a share of.
 */
export interface LpTokenVenue<Pool> {
  readonly program: Address;
  /** Where a pool's account holds the mint of its LP token. */
  readonly lpMintField: AddressField;
  /** Returns whether the mint may be an LP token. Pools are only searched for if it may. */
  mayBeLpMint(mint: WalletMint): boolean;
  /** @throws LayoutInvalid when the account is not a pool */
  decode(found: FoundAccount): Pool;
  lpMintOf(pool: Pool): Address;
}

/** Pools that a wallet has a share of, each with the wallet's LP tokens of all its accounts. */
export interface LpHolding<Pool> {
  readonly address: Address;
  readonly pool: Pool;
  readonly amount: bigint;
  readonly mint: WalletMint;
}

/** Finds the pools whose LP tokens the wallet holds. Accounts that are no pools hold no position. */
export async function findLpHoldings<Pool>(
  wallet: WalletReader,
  venue: LpTokenVenue<Pool>,
): Promise<readonly LpHolding<Pool>[]> {
  const held = await wallet.heldTokens();
  const { program, lpMintField: field } = venue;
  const candidates = await selectMintsToFind(wallet, held, { program, field }, (mint) =>
    venue.mayBeLpMint(mint),
  );
  const [found, mints] = await Promise.all([
    wallet.findAccounts(program, field, candidates),
    wallet.mints(held.map(({ mint }) => mint)),
  ]);
  const amounts = new Map<Address, bigint>();
  for (const { mint, amount } of held) {
    const info = mints.get(mint);
    if (info !== undefined && venue.mayBeLpMint(info)) amounts.set(mint, (amounts.get(mint) ?? 0n) + amount);
  }
  const { positions } = readEach(found, (account) => {
    const pool = venue.decode(account);
    const mint = mints.get(venue.lpMintOf(pool));
    const amount = mint === undefined ? undefined : amounts.get(mint.address);
    return mint === undefined || amount === undefined
      ? null
      : { address: account.address, pool, amount, mint };
  });
  return positions;
}

/** Returns the mints of the LP tokens, which are positions and not tokens of the wallet. */
export async function findClaimedLpMints<Pool>(
  wallet: WalletReader,
  venue: LpTokenVenue<Pool>,
): Promise<ReadonlySet<Address>> {
  return new Set((await findLpHoldings(wallet, venue)).map(({ mint }) => mint.address));
}

/** Reads each holding's share of its pool, all in one element. */
export function readLiquidityElement<Pool>(
  name: string,
  holdings: readonly LpHolding<Pool>[],
  share: (holding: LpHolding<Pool>) => LiquidityPosition,
): Fetched {
  const { positions, unreadable } = readEach(holdings, share);
  if (positions.length === 0) return { elements: [], unreadable };
  return {
    elements: [{ type: 'liquidity', label: 'LiquidityPool', name, liquidities: positions }],
    unreadable,
  };
}
