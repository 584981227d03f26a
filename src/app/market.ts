import type { FastifyBaseLogger } from 'fastify';
import { PROGRAM_AUTHORITIES, programAuthority } from '../market/aggregator/program.ts';
import { LookupTables } from '../market/pools/lookup-tables.ts';
import { Pools } from '../market/pools/pools.ts';
import { VENUES } from '../market/venues/index.ts';
import { Volatility } from '../market/prices/volatility.ts';
import type { Network } from './network.ts';
import type { BuildParts } from '../products/swap/build/build-parts.ts';
import { TokenAccountMints } from '../transactions/token-account-mints.ts';

/** What swaps are built from: every pool of the network's venues, its lookup tables, and what they are watched for. */
export async function openMarket(
  { chain, lookupTables: tables }: Pick<Network, 'chain' | 'lookupTables'>,
  logger: FastifyBaseLogger,
): Promise<{ readonly parts: BuildParts; readonly close: () => void }> {
  const pools = await Pools.open(chain, VENUES);
  const volatility = new Volatility(pools, () => chain.slot('processed'));
  const lookupTables = await LookupTables.open(chain, tables);
  let tips = 0;
  const parts: BuildParts = {
    chain,
    pools,
    variancePerSlot: (pool) => volatility.variancePerSlot(pool),
    noteSlippage: (estimated) => logger.debug(estimated, 'slippage estimated'),
    lookupTables,
    tokenAccountMints: new TokenAccountMints(chain),
    // In turns, so that tips do not all write to the same account.
    pickTipAccount: () => programAuthority(tips++ % PROGRAM_AUTHORITIES.length),
  };
  return {
    parts,
    close: () => {
      lookupTables.close();
      volatility.close();
      pools.close();
    },
  };
}
