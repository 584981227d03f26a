import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { computeStakePoolApr } from '../../protocols/spl-stake-pool/stake-pool-yields.ts';
import type { Address } from '../../solana/address.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { Store } from '../../store/index.ts';
import { defineProduct, type OpenedProduct } from '../product.ts';
import { BorrowAccounts } from '../../lend/borrow/borrow-accounts.ts';
import { VaultMarkets } from '../../lend/borrow/markets.ts';
import { openEarn } from './earn/earn.ts';
import { computeEarnRate } from '../../lend/earn/tokens.ts';
import { borrowOperate, borrowOperateInstructions } from './endpoints/borrow/operate.ts';
import { borrowPositions } from './endpoints/borrow/positions.ts';
import { borrowVaults } from './endpoints/borrow/vaults.ts';
import { earnActions } from './endpoints/earn/actions.ts';
import { earnEarnings } from './endpoints/earn/earnings.ts';
import { earnPositions } from './endpoints/earn/positions.ts';
import { earnTokens } from './endpoints/earn/tokens.ts';
import type { LendServices } from './endpoints/services.ts';

export interface LendDependencies {
  readonly market: {
    readonly chain: Chain;
    readonly pools: Pools;
    readonly prices: Prices;
  };
  /** The program's ids of the vaults of the second borrow market, in the order of their ids there. */
  readonly ethenaVaults: readonly number[];
  readonly store: Store;
  /** Returns the first slot from which the instance's own network keeps all transactions; null over an outside RPC. */
  readonly ownHistoryFrom: (() => Promise<bigint>) | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export const lend = defineProduct({
  name: 'lend',
  description: 'Lending, and borrowing against collateral.',
  basePaths: ['/lend'],
  errorSections: [{ heading: 'Lend' }],
  examples: [{ title: 'all earn tokens with their rates', path: earnTokens.path, query: {} }],
  endpoints: [
    earnTokens,
    earnPositions,
    earnEarnings,
    ...earnActions,
    borrowVaults,
    borrowPositions,
    borrowOperate,
    borrowOperateInstructions,
  ],
  open: openLend,
});

async function openLend(dependencies: LendDependencies): Promise<OpenedProduct<LendServices>> {
  const { market, ethenaVaults, store, ownHistoryFrom, onDefect } = dependencies;
  const { chain, pools, prices } = market;
  const stakingAprOf = (mint: Address) => computeStakePoolApr(pools, mint);
  const earn = await openEarn({ chain, prices, stakingAprOf, store, ownHistoryFrom, onDefect });
  const accounts = await BorrowAccounts.open(chain, onDefect).catch(async (error: unknown) => {
    await earn.close();
    throw error;
  });
  return {
    services: {
      earn: earn.services,
      borrow: { chain, prices, stakingAprOf, accounts, markets: new VaultMarkets(ethenaVaults) },
    },
    earnRateOf: (mint) => computeEarnRate(earn.services, mint),
    close: async () => {
      accounts.close();
      await earn.close();
    },
  };
}
