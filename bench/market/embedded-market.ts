import { buildGenesis, type Genesis } from '../../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../../src/sandbox/genesis/network-accounts.ts';
import { startTestChain } from '../../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../../src/chain/embedded/network.ts';
import { DEFAULT_SEED } from '../../src/protocol/genesis/keys.ts';
import { getProgramAuthority } from '../../src/protocol/venue/aggregator-program.ts';
import { TokenLedgers } from '../../src/market/aggregator/token-ledgers.ts';
import { LookupTableIndex } from '../../src/market/pools/lookup-tables.ts';
import { Pools } from '../../src/market/pools/pools.ts';
import { PoolPrices } from '../../src/market/prices/pool-prices.ts';
import { VolatilityEstimator } from '../../src/market/prices/volatility.ts';
import { joinProgramErrorNames } from '../../src/market/program-errors.ts';
import { PROTOCOLS } from '../../src/protocols/index.ts';
import { VENUES } from '../../src/protocols/venues.ts';
import type { SwapMarket } from '../../src/swaps/build/swap-market.ts';
import { TokenAccountMints } from '../../src/transactions/token-account-mints.ts';
import { createFailureDescriber } from '../../src/transactions/transaction-failure.ts';

/** The genesis market over the embedded network as `sluice start` runs it: its programs execute in a thread of their own. */
export interface EmbeddedMarket {
  readonly chain: EmbeddedChain;
  readonly genesis: Genesis;
  readonly market: SwapMarket;
  close(): Promise<void>;
}

/** @param further - Accounts that the network has in addition to the genesis. */
export async function openEmbeddedMarket(
  slotMs: number,
  further: Genesis['accounts'] = [],
): Promise<EmbeddedMarket> {
  const genesis = buildGenesis(DEFAULT_SEED);
  const standIns = await readStandIns(genesis.programs, new URL('../../programs/dist/', import.meta.url));
  const chain = await startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => [...genesis.accounts, ...further],
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs,
  });
  const pools = await Pools.open(chain, VENUES);
  const volatility = new VolatilityEstimator(pools, () => chain.slot('processed'));
  const market: SwapMarket = {
    chain,
    pools,
    prices: new PoolPrices(pools),
    lookupTables: await LookupTableIndex.open(
      chain,
      genesis.lookupTables.map(({ address }) => address),
    ),
    tokenAccountMints: new TokenAccountMints(chain),
    tokenLedgers: new TokenLedgers(chain, Date.now),
    variancePerSlot: (pool) => volatility.variancePerSlot(pool),
    noteSlippage: () => {},
    describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
    pickTipAccount: () => getProgramAuthority(0),
  };
  const close = async () => {
    pools.close();
    await chain.close();
  };
  return { chain, genesis, market, close };
}
