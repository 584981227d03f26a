import { and, eq, isNotNull } from 'drizzle-orm';
import type { Chain, Commitment } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { Database } from '../../store/index.ts';
import { studioLaunches } from './studio-tables.ts';

/** What tells whether a launch has landed. */
export interface LandedLaunchesOptions {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly db: Database;
}

/**
 * Whether the launch of a mint whose key was made here has landed: the mint exists, on this network or on another one that the
 * instance was on.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function hasLanded({ chain, db }: LandedLaunchesOptions, mint: Address): Promise<boolean> {
  const rows = await db
    .select({ mint: studioLaunches.mint })
    .from(studioLaunches)
    .where(and(eq(studioLaunches.mint, mint), isNotNull(studioLaunches.landedAt)))
    .limit(1);
  if (rows.length > 0) return true;
  return isMintOnChain(chain, mint);
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
  return update?.account?.owner === TOKEN_PROGRAM;
}
