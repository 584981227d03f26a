import { beforeEach, describe, expect, it } from 'vitest';
import { deriveTickArrayAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { encodeFeeTier, encodeWhirlpoolsConfig } from '../../../src/protocols/whirlpool/program/layout.ts';
import { deriveFeeTierAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { decodeTickArray } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { namedAddress, token, withTransferFee, writeMint } from '../../raydium-cpmm/tests/fixture.ts';
import { CONFIG, layOut, type Pool, USER } from './fixture.ts';
import {
  initializeConfig,
  initializeFeeTier,
  initializePool,
  initializePoolV2,
  initializeTickArray,
  tagOf,
  updateFees,
} from './instructions.ts';
import {
  ADMIN,
  createPool,
  data,
  network,
  open,
  pool,
  refuse,
  send,
  SPACING,
  SPAN,
  startOver,
  state,
  succeed,
} from './liquidity-world.ts';

beforeEach(() => startOver());

describe('configurations and fee tiers', () => {
  it('are created by an admin and by the fee authority', () => {
    succeed(initializeConfig(config, ADMIN, USER, 1300));
    succeed(initializeFeeTier(config, USER, USER, 8, 500));
    expect(Buffer.from(data(config))).toEqual(
      Buffer.from(
        encodeWhirlpoolsConfig({
          feeAuthority: USER,
          collectProtocolFeesAuthority: USER,
          rewardEmissionsSuperAuthority: USER,
          defaultProtocolFeeRate: 1300,
          featureFlags: 0,
        }),
      ),
    );
    expect(Buffer.from(data(deriveFeeTierAddress(config, 8)))).toEqual(
      Buffer.from(encodeFeeTier({ config, tickSpacing: 8, defaultFeeRate: 500 })),
    );
  });

  it('are refused to others and beyond the limits', () => {
    refuse(2003, initializeConfig(config, USER, USER, 1300));
    refuse(6029, initializeConfig(config, ADMIN, USER, 2501));
    refuse(2012, initializeFeeTier(CONFIG, ADMIN, ADMIN, 8, 500));
    refuse(6004, initializeFeeTier(CONFIG, USER, USER, 0, 500));
    refuse(6028, initializeFeeTier(CONFIG, USER, USER, 8, 60_001));
  });

  const config = namedAddress('another config');
});

describe('pools and tick arrays', () => {
  it('start as their fee tier says', () => {
    const price = computeSqrtPriceAtTick(-1234) + 5n;
    succeed(initializePool(CONFIG, pool, USER, SPACING, price));
    const { feeRate, protocolFeeRate, tick, sqrtPrice, liquidity, vaults, mints } = state();
    expect({ feeRate, protocolFeeRate, tick, sqrtPrice, liquidity }).toEqual({
      feeRate: 3000,
      protocolFeeRate: 1300,
      tick: -1234,
      sqrtPrice: price,
      liquidity: 0n,
    });
    expect(vaults).toEqual(pool.vaults);
    expect(mints).toEqual(pool.tokens.map(({ mint }) => mint));
    for (const vault of pool.vaults) expect(decodeTokenAccount(data(vault)).owner).toBe(pool.address);
  });

  it('take mints of Token-2022 by the newer instruction', () => {
    const fee = withTransferFee({ basisPoints: 100, maximumFee: 10n });
    const made = layOut(SPACING, [token('with fee', [fee]), token('plain')]);
    for (const each of made.tokens) writeMint(network, each);
    succeed(initializePoolV2(CONFIG, made, USER, SPACING, 1n << 64n));
    expect(state(made).tick).toBe(0);
    for (const vault of made.vaults) expect(decodeTokenAccount(data(vault)).owner).toBe(made.address);
  });

  it('are refused with wrong mints, prices and tiers', () => {
    const swapped = { ...pool, tokens: [pool.tokens[1], pool.tokens[0]] } as Pool;
    refuse(2006, initializePool(CONFIG, swapped, USER, SPACING, 1n << 64n));
    refuse(6011, initializePool(CONFIG, pool, USER, SPACING, 4_295_048_015n));
    refuse(6011, initializePool(CONFIG, pool, USER, SPACING, 79_226_673_515_401_279_992_447_579_056n));
    const paused = { type: 26, data: new Uint8Array(33) };
    const odd = layOut(SPACING, [token('pausable', [paused]), token('plain')]);
    for (const each of odd.tokens) writeMint(network, each);
    refuse(6047, initializePoolV2(CONFIG, odd, USER, SPACING, 1n << 64n));
  });

  it('have arrays at multiples of their span only, once', () => {
    createPool();
    refuse(6001, initializeTickArray(pool.address, USER, SPAN + SPACING));
    refuse(6001, initializeTickArray(pool.address, USER, SPAN * 100));
    refuse(0, initializeTickArray(pool.address, USER, SPAN));
    expect(decodeTickArray(data(deriveTickArrayAddress(pool.address, -SPAN)), SPACING)).toEqual({
      whirlpool: pool.address,
      start: -SPAN,
      ticks: [],
    });
  });
});

describe('an instruction that is left out', () => {
  it('is refused by name, and any other as unknown', () => {
    createPool();
    const [known, unknown] = [tagOf('two_hop_swap'), Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)];
    for (const data of [known, unknown]) {
      const outcome = send({ ...updateFees(open(-640, 640)), data });
      expect(outcome.error?.custom).toBe(101);
      expect(outcome.logs.some((line) => line.endsWith('stand-in: two_hop_swap'))).toBe(data === known);
    }
  });
});
