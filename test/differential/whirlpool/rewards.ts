import {
  namedAddress,
  type Token,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import { type Pool, USER } from '../../../programs/whirlpool/tests/fixture.ts';
import type { RewardAccounts } from '../../../programs/whirlpool/tests/instructions-v2.ts';
import { decodeWhirlpool, encodeWhirlpool } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import type { Twin } from '../twin.ts';

interface WrittenReward extends RewardAccounts {
  readonly token: Token;
}

function rewardOf(index: number, of: Token): WrittenReward {
  const vault = namedAddress(`reward vault ${index}`);
  return { index, token: of, vault, owner: namedAddress(`reward owner ${index}`) };
}

const FEE = withTransferFee({ basisPoints: 250, maximumFee: 1_000n });

/** One of each token program, and one that pools do not have. */
export const REWARDS = [
  rewardOf(0, token('reward')),
  rewardOf(1, token('reward with fee', [FEE])),
  rewardOf(2, token('reward')),
] as const;

/** What the vaults hold: enough, and soon too little. */
const HELD = [1n << 62n, 300_000n, 1n << 62n] as const;

/** Sets two rewards up, for which there is no instruction here. */
export function writeRewards(network: Twin['standIn'], { address }: Pool): void {
  const state = decodeWhirlpool(network.account(address)?.data ?? new Uint8Array(0));
  const used = (index: 0 | 1) => {
    const { token: of, vault } = REWARDS[index];
    return { ...state.rewards[index], mint: of.mint, vault, emissionsPerSecond: 50_000n << 64n };
  };
  const rewards = [used(0), used(1), state.rewards[2]] as const;
  network.setData(address, WHIRLPOOL_PROGRAM, encodeWhirlpool({ ...state, rewards }));
  for (const index of [0, 1, 2] as const) {
    const { token: of, vault, owner } = REWARDS[index];
    writeMint(network, of);
    writeTokenAccount(network, vault, address, of, HELD[index]);
    writeTokenAccount(network, owner, USER, of, 0n);
  }
}
