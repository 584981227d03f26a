import type { AccountFilter, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain, Commitment } from '../../chain/chain.ts';
import { getCurrentWorker, getShareHolder } from '../../common/party.ts';
import { runOneByOne } from '../../common/work/run-one-by-one.ts';
import type { Address } from '../../solana/address.ts';

/** The chain as far as orders are searched for. */
export type OrderSearchChain = Pick<Chain, 'getProgramAccounts'>;

interface SharedSearch {
  readonly run: () => Promise<readonly AccountUpdate[]>;
  /** How many requests wait for it. */
  waiting: number;
}

/**
 * Returns a chain on which the requests of one party that wait for the same search at the same time share it, because what a
 * wallet with many orders has is large. Every request waits for a search that began after it, so it misses no order that was
 * confirmed before. Parties do not share, because a search can be refused for what its party has asked for otherwise.
 */
export function createSharedSearches(chain: OrderSearchChain): OrderSearchChain {
  const searches = new Map<string, SharedSearch>();
  return {
    getProgramAccounts: async (program, commitment, filter) => {
      const key = createSearchKey(program, commitment, filter);
      const search: SharedSearch = searches.get(key) ?? {
        run: runOneByOne(() => chain.getProgramAccounts(program, commitment, filter)),
        waiting: 0,
      };
      searches.set(key, search);
      search.waiting++;
      try {
        return await search.run();
      } finally {
        search.waiting--;
        if (search.waiting === 0) searches.delete(key);
      }
    },
  };
}

function createSearchKey(
  program: Address,
  commitment: Commitment | undefined,
  { dataSize, memcmp }: AccountFilter = {},
): string {
  const bytes = memcmp === undefined ? '' : `${memcmp.offset} ${Buffer.from(memcmp.bytes).toString('hex')}`;
  return [getShareHolder(getCurrentWorker()), program, commitment, dataSize, bytes].join(' ');
}
