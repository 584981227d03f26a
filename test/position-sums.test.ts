import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../src/testing/random.ts';
import { getGenesisPools } from '../src/protocol/genesis/venue-genesis.ts';
import { deriveDammPositionAddress as dammPositionAddress } from '../src/protocols/meteora-damm-v2/program/addresses.ts';
import { meteoraDammV2Genesis } from '../src/protocols/meteora-damm-v2/genesis/genesis.ts';
import { decodeTerms, readChanges } from '../src/protocols/meteora-damm-v2/program/layout.ts';
import { encodePosition as encodeDammPosition } from '../src/protocols/meteora-damm-v2/program/layout-position.ts';
import { meteoraDammV2Positions } from '../src/protocols/meteora-damm-v2/positions/fetcher.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../src/protocols/meteora-damm-v2/program/program.ts';
import { raydiumCpmmGenesis } from '../src/protocols/raydium-cpmm/genesis/genesis.ts';
import { decodePool, encodePool } from '../src/protocols/raydium-cpmm/program/layout.ts';
import { raydiumCpmmPositions } from '../src/protocols/raydium-cpmm/positions.ts';
import { saberGenesis } from '../src/protocols/saber/genesis.ts';
import { decodeSaber, encodeSaber } from '../src/protocols/saber/layout.ts';
import { saberPositions } from '../src/protocols/saber/positions.ts';
import {
  deriveWhirlpoolPositionAddress as whirlpoolPositionAddress,
  deriveTickArrayAddress,
} from '../src/protocols/whirlpool/program/addresses.ts';
import { whirlpoolGenesis } from '../src/protocols/whirlpool/genesis/genesis.ts';
import {
  decodePosition,
  decodeWhirlpool,
  encodePosition,
} from '../src/protocols/whirlpool/program/layout.ts';
import { whirlpoolPositions } from '../src/protocols/whirlpool/positions/fetcher.ts';
import { WHIRLPOOL_PROGRAM } from '../src/protocols/whirlpool/program/program.ts';
import { computeTickArrayStart } from '../src/protocols/whirlpool/program/tick-array.ts';
import type { TestView } from '../src/testing/protocols/wallet-view.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { readTokenAccountAmount } from '../src/solana/programs/token/account.ts';
import { decodeMint, encodeMint } from '../src/solana/programs/token/mint.ts';
import {
  genesis,
  numbered,
  accountOf,
  viewOf,
  patch,
  withAmount,
  sumsOf,
  expectSum,
  weights,
  parts,
  giveParts,
  tokenAccount,
} from './position-sums.ts';

describe('the positions of all wallets', () => {
  it('in a constant-product pool are its reserves, but for the shares that were never issued', async () => {
    const { address, lpMint, vaults } = first(getGenesisPools(genesis, raydiumCpmmGenesis));
    const never = 100n;
    await assertProperty(
      fc.asyncProperty(pools, async ({ supply, reserves, weights: by }) => {
        const view = viewOf(lpMint);
        const lpSupply = supply < U64_MAX - never ? supply + never : U64_MAX;
        const issued = lpSupply - never;
        const pool = { ...decodePool(accountOf(address).data), lpSupply };
        patch(view, address, encodePool(pool));
        for (const side of [0, 1] as const)
          patch(view, vaults[side], withAmount(vaults[side], reserves[side]));
        giveParts(view, lpMint, parts(issued, by));
        const sums = await sumsOf(view, by.length, raydiumCpmmPositions);
        for (const side of [0, 1] as const) {
          const owed = pool.protocolFees[side] + pool.fundFees[side] + pool.creatorFees[side];
          expectSum(sums[side], ((reserves[side] - owed) * issued) / lpSupply, by.length);
        }
      }),
      SUITE,
    );
  });

  it('in a stable pool are its reserves less the withdrawal fee', async () => {
    const { address, lpMint, reserves: vaults } = first(getGenesisPools(genesis, saberGenesis));
    await assertProperty(
      fc.asyncProperty(pools, fc.bigInt(0n, 100n), async ({ supply, reserves, weights: by }, percent) => {
        const view = viewOf();
        const pool = decodeSaber(accountOf(address).data);
        const withdraw = { numerator: percent, denominator: 100n };
        patch(view, address, encodeSaber({ ...pool, fees: { ...pool.fees, withdraw } }));
        patch(view, lpMint, encodeMint({ ...decodeMint(accountOf(lpMint).data), supply }));
        for (const side of [0, 1] as const)
          patch(view, vaults[side], withAmount(vaults[side], reserves[side]));
        giveParts(view, lpMint, parts(supply, by));
        const sums = await sumsOf(view, by.length, saberPositions);
        for (const side of [0, 1] as const) {
          expect(sums[side]).toBeLessThanOrEqual(reserves[side]);
          // The program rounds the fee of each withdrawal down, so up to an atom of fee for each wallet is not taken.
          const paid = sums[side] * 100n;
          const exact = reserves[side] * (100n - percent);
          const slack = BigInt(by.length) * 100n;
          expect(paid).toBeLessThanOrEqual(exact + slack);
          expect(paid).toBeGreaterThanOrEqual(exact - slack);
        }
      }),
      SUITE,
    );
  });

  it('in a Whirlpool are what all of its liquidity is worth, which its vaults hold', async () => {
    const { address, positions, tickSpacing } = first(getGenesisPools(genesis, whirlpoolGenesis));
    const { mint: positionMint } = first(positions);
    const whole = decodePosition(accountOf(whirlpoolPositionAddress(positionMint).address).data);
    const tickArrays = [whole.lowerTick, whole.upperTick].map((tick) =>
      deriveTickArrayAddress(address, computeTickArrayStart(tick, tickSpacing)),
    );
    const give = (view: TestView, split: readonly bigint[]) =>
      split.forEach((liquidity, index) => {
        const mint = numbered(index, 3);
        const data = encodePosition({ ...whole, mint, liquidity });
        view.set(mint, TOKEN_PROGRAM, accountOf(positionMint).data);
        view.set(whirlpoolPositionAddress(mint).address, WHIRLPOOL_PROGRAM, data);
        view.set(numbered(index, 2), TOKEN_PROGRAM, tokenAccount(mint, numbered(index), 1n));
      });
    const vaults = decodeWhirlpool(accountOf(address).data).vaults;
    const alone = viewOf(address, ...tickArrays);
    give(alone, [whole.liquidity]);
    const exact = await sumsOf(alone, 1, whirlpoolPositions);
    expect(exact.every((each) => each > 0n)).toBe(true);
    await assertProperty(
      fc.asyncProperty(weights, async (by) => {
        const view = viewOf(address, ...tickArrays);
        give(view, parts(whole.liquidity, by));
        const sums = await sumsOf(view, by.length, whirlpoolPositions);
        for (const side of [0, 1] as const) {
          expectSum(sums[side], exact[side], by.length);
          expect(exact[side]).toBeLessThanOrEqual(readTokenAccountAmount(accountOf(vaults[side]).data));
        }
      }),
      SUITE,
    );
  });

  it('in a DAMM v2 pool are what all of its liquidity is worth, which its vaults hold', async () => {
    const { address, positionMint } = first(getGenesisPools(genesis, meteoraDammV2Genesis));
    const poolData = accountOf(address).data;
    const { liquidity: whole } = readChanges(poolData);
    const { vaults } = decodeTerms(poolData);
    const give = (view: TestView, split: readonly bigint[]) =>
      split.forEach((liquidity, index) => {
        const mint = numbered(index, 3);
        view.set(mint, accountOf(positionMint).owner, accountOf(positionMint).data);
        const data = encodeDammPosition({ pool: address, mint, liquidity });
        view.set(dammPositionAddress(mint), METEORA_DAMM_V2_PROGRAM, data);
        view.set(numbered(index, 2), accountOf(positionMint).owner, tokenAccount(mint, numbered(index), 1n));
      });
    const alone = viewOf(address);
    give(alone, [whole]);
    const exact = await sumsOf(alone, 1, meteoraDammV2Positions);
    expect(exact.every((each) => each > 0n)).toBe(true);
    await assertProperty(
      fc.asyncProperty(weights, async (by) => {
        const view = viewOf(address);
        give(view, parts(whole, by));
        const sums = await sumsOf(view, by.length, meteoraDammV2Positions);
        for (const side of [0, 1] as const) {
          expectSum(sums[side], exact[side], by.length);
          expect(exact[side]).toBeLessThanOrEqual(readTokenAccountAmount(accountOf(vaults[side]).data));
        }
      }),
      SUITE,
    );
  });
});

const SEED = 15_005;
const SUITE = { cases: 40, seed: SEED };
const U64_MAX = (1n << 64n) - 1n;

/** Amounts of every order of magnitude. */
const amount = fc
  .tuple(fc.integer({ min: 0, max: 63 }), fc.bigInt(1n, U64_MAX))
  .map(([bits, value]) => (value >> BigInt(bits)) | 1n);

function first<T>(all: readonly T[]): T {
  const [one] = all;
  if (one === undefined) throw new Error('the genesis has none');
  return one;
}

const pools = fc.record({ supply: amount, reserves: fc.tuple(amount, amount), weights });
