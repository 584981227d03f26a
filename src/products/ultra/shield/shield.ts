import { BYTES_PER_UNIT, mapInTurns, createUnaccountedWork, type Work } from '../../../common/work/work.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import type { Address } from '../../../solana/address.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import { type Warning, findWarnings } from './warnings.ts';

export interface ShieldDependencies {
  readonly chain: Pick<Chain, 'getAccounts' | 'clock'>;
  readonly tokens: Pick<Tokens, 'find'>;
  readonly pools: Pick<Pools, 'knows'>;
}

/** How many mints are judged at once. */
export const MAX_MINTS = 100;
/** An account and a token are looked at, which is two units. */
const BYTES_OF_JUDGEMENT = 2 * BYTES_PER_UNIT;

/**
 * Finds what there is to warn of about some mints. Each has an entry, also an address without a token: a client that takes a
 * missing entry for a good sign is not misled.
 *
 * @param mints - At most `MAX_MINTS`.
 * @throws Unavailable when the chain does not answer
 */
export async function findShieldWarnings(
  { chain, tokens, pools }: ShieldDependencies,
  mints: readonly Address[],
  work: Work = createUnaccountedWork(),
): Promise<ReadonlyMap<Address, readonly Warning[]>> {
  const [accounts, found] = await Promise.all([
    chain.getAccounts(mints, 'confirmed'),
    tokens.find(mints, work),
  ]);
  const byMint = new Map(await mapInTurns(work, found, (token) => [token.mint, token] as const));
  const { epoch, unixTimestamp } = chain.clock();
  const now = Number(unixTimestamp) * 1_000;
  return new Map(
    await mapInTurns(
      work,
      accounts,
      ({ address: mint, account }) => {
        const token = byMint.get(mint) ?? null;
        return [
          mint,
          findWarnings({ mint, account, token, isTraded: pools.knows(mint), now, epoch }),
        ] as const;
      },
      () => BYTES_OF_JUDGEMENT,
    ),
  );
}
