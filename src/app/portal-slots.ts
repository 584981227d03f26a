import type { Chain } from '../chain/chain.ts';
import type { EmbeddedChain } from '../chain/embedded/network.ts';
import type { PortalSlots } from '../gateway/portal/slots/slot-feed.ts';

type HeadChain = Pick<Chain, 'slot' | 'blockHeight' | 'clock'>;

/** Returns the slots of the network as the portal shows them. An outside RPC is not asked: what Sluice follows anyway is shown. */
export function createPortalSlots(
  chain: HeadChain,
  embedded: Pick<EmbeddedChain, 'slotSummaries'> | null,
): PortalSlots {
  return {
    getHead: () => {
      const { epoch, unixTimestamp } = chain.clock();
      return {
        processed: Number(chain.slot('processed')),
        confirmed: Number(chain.slot('confirmed')),
        finalized: Number(chain.slot('finalized')),
        height: Number(chain.blockHeight('confirmed')),
        epoch: Number(epoch),
        time: Number(unixTimestamp),
      };
    },
    readAfter: async (after, limit) => {
      if (embedded === null) return readHead(chain, after);
      const summaries = await embedded.slotSummaries(BigInt(after), limit);
      return summaries.map(({ slot, time, ...summary }) => ({
        ...summary,
        slot: Number(slot),
        time: Number(time),
      }));
    },
  };
}

/** Over an outside RPC, only the slot that was confirmed last is known, and nothing of its block. */
function readHead(chain: HeadChain, after: number) {
  const slot = Number(chain.slot('confirmed'));
  if (slot <= after) return [];
  const time = Number(chain.clock().unixTimestamp);
  return [{ slot, time, blockhash: null, transactions: null, failed: null, last: [] }];
}
