import type { MultipleElement } from '../../protocol/positions/element.ts';
import { type FoundAccount, type PositionFetcher, readEach } from '../../protocol/positions/fetcher.ts';
import type { Address } from '../../solana/address.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';
import { decodeDbcConfig } from './program/layout-config.ts';
import { DBC_CREATOR_FIELD, type DbcVirtualPool, decodeDbcPool } from './program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from './program/program.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;

/** A launch whose creator has fees to claim. */
interface EarningLaunch extends Pick<DbcVirtualPool, 'config' | 'baseMint'> {
  readonly pool: Address;
  readonly base: bigint;
  readonly quote: bigint;
}

/**
 * Finds the fees of trades on bonding curves that belong to the wallet as the creator of their tokens, and that it has not claimed
 * yet. They stay with the curve after its migration.
 */
export const meteoraDbcCreatorFees: PositionFetcher = {
  id: `${PLATFORM}-studio`,
  platformId: PLATFORM,
  rareSearch: { program: METEORA_DBC_PROGRAM, field: DBC_CREATOR_FIELD },
  fetch: async (wallet) => {
    const found = await wallet.findAccounts(METEORA_DBC_PROGRAM, DBC_CREATOR_FIELD, [wallet.owner]);
    const launches = readEach(found, readEarningLaunch);
    const configs = await wallet.accounts(launches.positions.map(({ config }) => config));
    const earning = launches.positions.map((launch, index) => ({
      address: launch.pool,
      launch,
      config: configs[index] ?? null,
    }));
    const elements = readEach(earning, ({ launch, config }) =>
      config === null ? null : createFeeElement(launch, decodeDbcConfig(config.data).quoteMint),
    );
    return {
      elements: elements.positions,
      unreadable: [...launches.unreadable, ...elements.unreadable],
    };
  },
};

/** Returns null if there is nothing to claim. */
function readEarningLaunch({ address: pool, account }: FoundAccount): EarningLaunch | null {
  const decoded = decodeDbcPool(account.data);
  const { config, baseMint, creatorBaseFee: base, creatorQuoteFee: quote } = decoded;
  return base === 0n && quote === 0n ? null : { pool, config, baseMint, base, quote };
}

function createFeeElement(
  { pool, baseMint, base, quote }: EarningLaunch,
  quoteMint: Address,
): MultipleElement {
  const fees = [
    { mint: quoteMint, amount: quote },
    { mint: baseMint, amount: base },
  ];
  return {
    type: 'multiple',
    label: 'Rewards',
    name: 'Studio',
    assets: fees
      .filter(({ amount }) => amount > 0n)
      .map(({ mint, amount }) => ({ type: 'token', mint, amount, attributes: { isClaimable: true } })),
    sourceRefs: [{ name: 'Pool', address: pool }],
  };
}
