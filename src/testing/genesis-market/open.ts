import { buildGenesis, type Genesis } from '../../sandbox/genesis/build-genesis.ts';
import { DEFAULT_SEED } from '../../protocol/genesis/keys.ts';
import { PROGRAM_AUTHORITIES } from '../../protocol/venue/aggregator-program.ts';
import { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import { Pools } from '../../market/pools/pools.ts';
import { PoolPrices } from '../../market/prices/pool-prices.ts';
import { VolatilityEstimator } from '../../market/prices/volatility.ts';
import { joinProgramErrorExplanations, joinProgramErrorNames } from '../../market/program-errors.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import { VENUES } from '../../protocols/venues.ts';
import type { Address } from '../../solana/address.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { createEmbeddedTokenLedgers, TokenLedgers } from '../../market/aggregator/token-ledgers.ts';
import { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import { SvmChain } from '../svm/chain.ts';
import { TestNetwork } from '../svm/network.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';

/** The genesis market over real programs in LiteSVM, with everything that the swap product reads. */
export interface GenesisTestMarket extends SwapMarket {
  readonly network: TestNetwork;
  readonly chain: SvmChain;
  readonly genesis: Genesis;
  /** The first demo wallet: it holds SOL and most tokens. */
  readonly wallet: Address;
}

/** Time at which every pool of the genesis is open. */
const NOW = 1_800_000_000n;

/** Built once for all markets of a process: nothing writes to it, and it takes half of the time that a market takes to open. */
let sharedGenesis: Genesis | null = null;

/**
 * Quotes need no programs, and a test of nothing else opens sooner without them.
 *
 * @param createChain - Default: a chain on which transactions land at once.
 */
export async function openTestMarket(
  programs: 'with programs' | 'without programs' = 'with programs',
  createChain: (network: TestNetwork) => SvmChain = (network) => new SvmChain(network),
): Promise<GenesisTestMarket> {
  sharedGenesis ??= buildGenesis(DEFAULT_SEED);
  const genesis = sharedGenesis;
  const network = new TestNetwork(
    programs === 'with programs' ? genesis.programs.map(({ name }) => name) : [],
  );
  for (const { address, account } of [...genesis.accounts, ...createEmbeddedTokenLedgers()]) {
    network.setAccount(address, account);
  }
  network.setUnixTime(NOW);
  const chain = createChain(network);
  const pools = await Pools.open(chain, VENUES);
  const volatility = new VolatilityEstimator(pools, () => chain.slot('processed'));
  const wallet = genesis.keys.demoWallets[0]?.address;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  return {
    network,
    chain,
    genesis,
    wallet,
    pools,
    prices: new PoolPrices(pools),
    variancePerSlot: (pool) => volatility.variancePerSlot(pool),
    noteSlippage: () => {},
    lookupTables: await LookupTableIndex.open(
      chain,
      genesis.lookupTables.map(({ address }) => address),
    ),
    tokenAccountMints: new TokenAccountMints(chain),
    tokenLedgers: new TokenLedgers(chain, SYSTEM_TIMERS.now),
    describeFailure: createFailureDescriber(
      joinProgramErrorNames(PROTOCOLS),
      joinProgramErrorExplanations(PROTOCOLS),
    ),
    pickTipAccount: () => PROGRAM_AUTHORITIES[3] as Address,
  };
}
