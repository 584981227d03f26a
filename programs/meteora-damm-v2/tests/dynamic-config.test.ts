import { beforeEach, describe, expect, it } from 'vitest';
import {
  deriveDammPoolAddress,
  deriveDammVaultAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { swap } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import {
  type BaseFee,
  BaseFeeMode,
  CollectFeeMode,
  decodeTerms,
  type DynamicFeeTerms,
} from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import { meteoraDammV2 } from '../../../src/protocols/meteora-damm-v2/venue.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { parties, USER, USER_TOKENS, writeConfig, writeDynamicConfig } from './fixture.ts';
import {
  codeOf,
  dataOf,
  first,
  fundUser,
  NOW,
  pool,
  run,
  setTime,
  TERMS,
  UNIT,
  userHolds,
} from './funded.ts';
import {
  type CustomPoolTerms,
  initializeCustomizablePool,
  initializePool,
  initializePoolWithDynamicConfig,
} from './instructions.ts';

const network = openForEach(() => new TestNetwork(['meteora-damm-v2']));
beforeEach(() => {
  fundUser(network);
  writeWallet(network, AUTHORITY);
  writeDynamicConfig(network, CONFIG, AUTHORITY);
});

describe('a pool under a dynamic configuration', () => {
  it('has terms of its own, and stands beside the one pool without a configuration', () => {
    run(network, make());
    run(network, initializeCustomizablePool(pool, { ...first, positionMint: namedAddress('other') }, TERMS));
    expect(decodeTerms(dataOf(network, POOL.address))).toEqual({
      ...decodeTerms(dataOf(network, pool.address)),
      vaults: POOL.vaults,
    });
  });

  it('is made by the configuration’s authority alone, under a configuration of this kind', () => {
    const other = namedAddress('damm other authority');
    writeWallet(network, other);
    expect(codeOf(network, make({}, { authority: other }))).toBe(2001);
    const unsigned = make();
    const accounts = unsigned.accounts.map((meta) =>
      meta.address === AUTHORITY ? { ...meta, role: 0 as typeof meta.role } : meta,
    );
    expect(codeOf(network, { ...unsigned, accounts })).toBe(3010);
    writeConfig(network, CONFIG, TERMS, AUTHORITY);
    expect(codeOf(network, make())).toBe(6041);
    expect(dataOf(network, POOL.address)).toHaveLength(0);
  });

  it('is not made by the instruction for static configurations, which keep their own authority', () => {
    const terms = { config: CONFIG, liquidity: TERMS.liquidity, sqrtPrice: 1n << 64n, activationPoint: null };
    expect(codeOf(network, initializePool(POOL, first, terms))).toBe(6041);
    writeConfig(network, CONFIG, TERMS, AUTHORITY);
    expect(codeOf(network, initializePool(POOL, first, terms))).toBe(6009);
    writeConfig(network, CONFIG, TERMS, USER);
    run(network, initializePool(POOL, first, terms));
  });

  it('needs tokens of one side only if its price is at an end', () => {
    const before = userHolds(network);
    run(network, make({ sqrtMinPrice: 1n << 64n }));
    const after = userHolds(network);
    expect(after[0]).toBeLessThan(before[0]);
    expect(after[1]).toBe(before[1]);
    // A pool without a configuration takes at least an atom of either.
    const terms = { ...TERMS, sqrtMinPrice: 1n << 64n };
    run(network, initializeCustomizablePool(pool, { ...first, positionMint: namedAddress('other') }, terms));
    expect(userHolds(network)[1]).toBe(before[1] - 1n);
  });

  it.each([
    ['a rate limiter', { baseFee: { ...TERMS.baseFee, mode: BaseFeeMode.RATE_LIMITER } }, 6071],
    ['a price out of its range', { sqrtMinPrice: (1n << 64n) + 1n }, 6014],
    ['no liquidity', { liquidity: 0n }, 6021],
    ['compounding where nothing compounds', { compoundingBps: 1 }, 6067],
  ] as [string, Partial<CustomPoolTerms>, number][])('is not made with %s', (_, changes, error) => {
    expect(codeOf(network, make(changes))).toBe(error);
  });
});

describe('the venue', () => {
  const modes = Object.entries(BaseFeeMode).filter(([, mode]) => mode !== BaseFeeMode.RATE_LIMITER);
  const cases = modes.flatMap(([name, mode]) =>
    [false, true].flatMap((dynamic) =>
      Object.values(CollectFeeMode).map((collectFeeMode) => ({ name, mode, dynamic, collectFeeMode })),
    ),
  );

  it.each(cases)(
    'quotes to the atom the swaps of such a pool with the fee $name, dynamic $dynamic, collected in mode $collectFeeMode',
    ({ mode, dynamic, collectFeeMode }) => {
      const compoundingBps = collectFeeMode === CollectFeeMode.COMPOUNDING ? 4_000 : 0;
      const dynamicFee = dynamic ? DYNAMIC_FEE : null;
      run(network, make({ baseFee: FALLING(mode), dynamicFee, collectFeeMode, compoundingBps }));
      for (const [index, aToB] of [false, true, false, false, true].entries()) {
        const now = NOW + 20n * BigInt(index + 1);
        setTime(network, now);
        const state = meteoraDammV2.decode(POOL.address, (at) => network.account(at));
        if ('unusable' in state) throw new Error(state.unusable);
        const clock = { slot: 1000n, epoch: 0n, unixTimestamp: now };
        const inputMint = POOL.mints[aToB ? 0 : 1];
        const quote = meteoraDammV2.quoteExactIn(state, inputMint, 3n * UNIT, clock);
        const before = userHolds(network);
        run(network, swap(POOL, parties(aToB), 3n * UNIT, 0n));
        const after = userHolds(network);
        const side = aToB ? 1 : 0;
        expect(quote?.outAmount).toBe(after[side] - before[side]);
      }
    },
  );
});

const CONFIG = namedAddress('damm dynamic config');
const AUTHORITY = namedAddress('damm creator authority');
const POOL = (() => {
  const address = deriveDammPoolAddress(CONFIG, ...pool.mints);
  const vaults = [
    deriveDammVaultAddress(address, pool.mints[0]),
    deriveDammVaultAddress(address, pool.mints[1]),
  ] as const;
  return { ...pool, address, vaults };
})();

/** A fee of 5% that falls in ten steps, of a period or of a rise of the price. */
const FALLING = (mode: number): BaseFee => {
  const byTime = mode === BaseFeeMode.TIME_LINEAR || mode === BaseFeeMode.TIME_EXPONENTIAL;
  const linear = mode === BaseFeeMode.TIME_LINEAR || mode === BaseFeeMode.PRICE_LINEAR;
  const middle = byTime ? 15n : (86_400n << 32n) | 10n;
  return { cliff: 50_000_000n, mode, periods: 10, middle, last: linear ? 4_000_000n : 700n };
};

const DYNAMIC_FEE: DynamicFeeTerms = {
  maxAccumulator: 14_460_000,
  control: 956,
  binStep: 1,
  binStepQ64: 1_844_674_407_370_955n,
  filterPeriod: 10,
  decayPeriod: 120,
  reductionBps: 5_000,
};

function make(changes: Partial<CustomPoolTerms> = {}, { authority = AUTHORITY } = {}) {
  const terms = { ...TERMS, sqrtMinPrice: MIN_SQRT_PRICE, sqrtMaxPrice: MAX_SQRT_PRICE, ...changes };
  return initializePoolWithDynamicConfig(
    POOL,
    { ...first, tokens: USER_TOKENS },
    {
      ...terms,
      config: CONFIG,
      authority,
    },
  );
}
