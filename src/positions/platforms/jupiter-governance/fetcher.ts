import { LOCKED_WITHOUT_END, type TokenAsset } from '../../element.ts';
import type { PositionFetcher } from '../../fetcher.ts';
import { JUP_MINT } from './layout.ts';
import { readGovernanceStake } from './stake.ts';

const PLATFORM = 'jupiter-governance';

/** JUP that is staked to vote, and its parts that are being unstaked. */
export const jupiterGovernance: PositionFetcher = {
  id: `${PLATFORM}-vote`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const stake = await readGovernanceStake(wallet);
    if (stake === null) return { elements: [] };
    const { escrow, unstaking, unreadable } = stake;
    // A lock that is kept at its full length ends only after the owner begins to unstake.
    const staked =
      escrow.isMaxLock || escrow.endsAt === 0n ? LOCKED_WITHOUT_END : Number(escrow.endsAt) * 1_000;
    const asset = (amount: bigint, lockedUntil: number, ref: TokenAsset['ref']): TokenAsset => ({
      type: 'token',
      mint: JUP_MINT,
      amount,
      attributes: { lockedUntil },
      ...(ref === undefined ? {} : { ref }),
    });
    const assets = [
      asset(escrow.amount, staked, escrow.address),
      ...unstaking.map(({ amount, expiration, address }) =>
        asset(amount, Number(expiration) * 1_000, address),
      ),
    ];
    return {
      elements: [
        {
          type: 'multiple',
          label: 'Staked',
          assets,
          ref: escrow.address,
          sourceRefs: [{ address: escrow.locker, name: 'Locker' }],
          link: 'https://vote.jup.ag',
        },
      ],
      unreadable,
    };
  },
};
