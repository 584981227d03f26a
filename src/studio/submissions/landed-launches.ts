import { inArray } from 'drizzle-orm';
import type { AccountUpdate } from '../../chain/accounts.ts';
import type { Chain, Commitment } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { Database } from '../../store/index.ts';
import { studioLaunches } from './studio-tables.ts';

/** What tells whether a launch has landed. */
export interface LandedLaunchesOptions {
  readonly chain: Pick<Chain, 'getAccounts' | 'slot'>;
  readonly db: Database;
}

/**
 * Returns those of the mints, whose keys were made here, whose launch has landed or is about to: it was submitted, on this network or
 * on another one that the instance was on, or the mint exists.
 *
 * @param mints - At most 100.
 * @throws Error when the network does not answer, or a node answers that lags and may not know of a launch
 */
export async function findLanded(
  { chain, db }: LandedLaunchesOptions,
  mints: readonly Address[],
): Promise<ReadonlySet<Address>> {
  // Submissions that do not land are forgotten.
  const rows = await db
    .select({ mint: studioLaunches.mint })
    .from(studioLaunches)
    .where(inArray(studioLaunches.mint, [...mints]));
  const landed = new Set<Address>(rows.map(({ mint }) => mint as Address));
  const others = mints.filter((mint) => !landed.has(mint));
  if (others.length === 0) return landed;
  const since = chain.slot('confirmed');
  const updates = await chain.getAccounts(others, 'confirmed');
  for (const [index, mint] of others.entries()) {
    const update = updates[index];
    if (isTokenMint(update)) landed.add(mint);
    else if (update === undefined || update.slot < since)
      throw new Error(`a node answered for slot ${update?.slot}, behind slot ${since}`);
  }
  return landed;
}

/**
 * Whether the token of a launch exists. Its key signs nothing but the launch, so nobody else can make its account one of the token
 * program. Lamports can be sent to its address by anybody.
 */
export async function isMintOnChain(
  chain: Pick<Chain, 'getAccounts'>,
  mint: Address,
  commitment: Commitment = 'confirmed',
): Promise<boolean> {
  const [update] = await chain.getAccounts([mint], commitment);
  return isTokenMint(update);
}

function isTokenMint(update: AccountUpdate | undefined): boolean {
  return update?.account?.owner === TOKEN_PROGRAM;
}
