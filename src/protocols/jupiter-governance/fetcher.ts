import { LOCKED_WITHOUT_END, toLockedUntilMs, type TokenAsset } from '../../protocol/positions/element.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { JUP_MINT } from './layout.ts';
import { readGovernanceStake } from './stake.ts';
import { readVotingPower } from './voting-power.ts';
import { JUPITER_GOVERNANCE_PLATFORM } from './platform.ts';

const PLATFORM = JUPITER_GOVERNANCE_PLATFORM.id;

/** Finds the JUP that is staked to vote, the parts that are being unstaked, and the votes. */
export const jupiterGovernance: PositionFetcher = {
  id: `${PLATFORM}-vote`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const stake = await readGovernanceStake(wallet);
    if (stake === null) return { elements: [] };
    const { escrow, unstaking, unreadable } = stake;
    const votes = await readVotingPower(wallet, stake);
    // A lock with a constant length only ends after the owner begins to unstake.
    const staked =
      escrow.isMaxLock || escrow.endsAt === 0n ? LOCKED_WITHOUT_END : toLockedUntilMs(escrow.endsAt);
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
        asset(amount, toLockedUntilMs(expiration), address),
      ),
      ...votes.assets,
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
      unreadable: [...unreadable, ...votes.unreadable],
    };
  },
};
