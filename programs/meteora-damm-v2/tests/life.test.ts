import { beforeEach, describe, expect, it } from 'vitest';
import {
  BaseFeeMode,
  CollectFeeMode,
  decodeTerms,
  readChanges,
} from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { deriveDammPositionAddress } from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { swap, SwapMode, swap2 } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import {
  MAX_SQRT_PRICE,
  METEORA_DAMM_V2_EVENT_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
  MIN_SQRT_PRICE,
} from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { sha256 } from '../../../src/solana/encoding/sha256.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { closeAndReadRemains } from '../../../src/testing/svm/closed-accounts.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeMint, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { layOut, parties, setClock, USER, USER_TOKENS } from './fixture.ts';
import {
  addLiquidity,
  type CustomPoolTerms,
  claimPositionFee,
  closePosition,
  createPosition,
  initializeCustomizablePool,
  type PositionParties,
  removeAllLiquidity,
  removeLiquidity,
} from './instructions.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['meteora-damm-v2']));
beforeEach(setUp);

describe('a pool', () => {
  it('is made with the terms of its creator, who pays its liquidity in', () => {
    done(make());
    // The price range is finite, so a little less than a thousand suffices.
    const paid = 1_000n * UNIT - 232n;
    expect(held()).toEqual([10_000n * UNIT - paid, 10_000n * UNIT - paid]);
    expect(decodeTerms(dataOf())).toMatchObject({
      baseFee: TERMS.baseFee,
      mints: pool.mints,
      vaults: pool.vaults,
      activationPoint: NOW,
      protocolFeePercent: 20,
      collectFeeMode: 1,
      kind: 1,
      feeVersion: 1,
    });
    expect(readChanges(dataOf())).toMatchObject({
      liquidity: LIQUIDITY,
      amounts: [paid, paid],
    });
  });

  it.each([
    ['a fee of more than 99%', { baseFee: { ...TERMS.baseFee, cliff: 990_000_001n } }, 6004],
    ['a schedule without a reduction', { baseFee: { ...TERMS.baseFee, periods: 1, middle: 1n } }, 6050],
    ['a rate limiter', { baseFee: { ...TERMS.baseFee, mode: BaseFeeMode.RATE_LIMITER } }, 6071],
    ['an unknown kind of fee', { baseFee: { ...TERMS.baseFee, mode: 5 } }, 6047],
    ['a price out of its range', { sqrtMinPrice: (1n << 64n) + 1n }, 6014],
    ['no liquidity', { liquidity: 0n }, 6021],
    ['compounding where nothing compounds', { compoundingBps: 1 }, 6067],
    ['an opening in the past', { activationPoint: NOW - 1n }, 6011],
    ['an opening in 32 days', { activationPoint: NOW + 32n * 86_400n }, 6011],
    ['points of an unknown kind', { activationType: 2 }, 6010],
  ] as [string, Partial<CustomPoolTerms>, number][])('is not made with %s', (_, changes, error) => {
    expect(errorOf(make(changes))).toBe(error);
  });

  it('opens at its point', () => {
    done(make({ activationPoint: NOW + 60n }));
    expect(errorOf(swap(pool, parties(true), UNIT, 0n))).toBe(6003);
    setClock(network, { slot: 1001n, time: NOW + 60n, epoch: 0n });
    done(swap(pool, parties(true), UNIT, 0n));
  });
});

describe('liquidity', () => {
  it('comes and goes, and earns its share of the fees', () => {
    done(make());
    done(createPosition(pool, second));
    done(addLiquidity(pool, second, LIQUIDITY, MOST));
    done(swap(pool, parties(false), 10n * UNIT, 0n));
    const [, before] = held() as [bigint, bigint];
    done(claimPositionFee(pool, second));
    const [, after] = held() as [bigint, bigint];
    // The protocol keeps a fifth of 1 % of ten units. The two positions are equal, and shares are rounded down.
    expect(after - before).toBe(((10n * UNIT) / 100n / 5n) * 2n - 1n);
    done(removeLiquidity(pool, second, LIQUIDITY / 2n, LEAST));
    done(removeAllLiquidity(pool, second, LEAST));
    done(closePosition(pool, second));
    expect(network.account(deriveDammPositionAddress(second.positionMint))).toBeNull();
    expect(readChanges(dataOf()).liquidity).toBe(LIQUIDITY);
  });

  it('leaves nothing at the address of a closed position, even if lamports arrive in the same transaction', () => {
    done(make());
    done(createPosition(pool, second));
    const remains = closeAndReadRemains(
      network,
      closePosition(pool, second),
      deriveDammPositionAddress(second.positionMint),
    );
    expect(remains).toEqual({ owner: SYSTEM_PROGRAM, bytes: 0 });
  });

  it('is not opened if its mint is the account that pays', () => {
    const ofPayer = { ...second, positionMint: first.owner };
    expect(errorOf(initializeCustomizablePool(pool, ofPayer, TERMS))).toBe(4101);
    done(make());
    expect(errorOf(createPosition(pool, ofPayer))).toBe(4101);
  });

  it('is not added, removed or closed against the rules of the position', () => {
    done(make());
    expect(errorOf(addLiquidity(pool, first, 0n, MOST))).toBe(6016);
    expect(errorOf(addLiquidity(pool, first, LIQUIDITY, [1n, 1n]))).toBe(6002);
    expect(errorOf(removeLiquidity(pool, first, LIQUIDITY + 1n, LEAST))).toBe(6023);
    expect(errorOf(removeAllLiquidity(pool, first, MOST))).toBe(6002);
    expect(errorOf(closePosition(pool, first))).toBe(6039);
    const thief = network.newWallet();
    expect(errorOf(removeAllLiquidity(pool, { ...first, owner: thief }, LEAST))).toBe(6053);
  });
});

describe('a swap', () => {
  it('leaves the part of an input that the price range has no room for, if a partial fill is allowed', () => {
    done(make({ sqrtMaxPrice: ((1n << 64n) * 101n) / 100n }));
    const [, before] = held() as [bigint, bigint];
    const order = [100n * UNIT, 0n] as const;
    expect(errorOf(swap2(pool, parties(false), { amounts: order, mode: SwapMode.EXACT_IN }))).toBe(6015);
    done(swap2(pool, parties(false), { amounts: order, mode: SwapMode.PARTIAL_FILL }));
    const [, after] = held() as [bigint, bigint];
    // Ten units move the price to the end of the range. The fee is a hundredth of the sent amount.
    expect(before - after).toBe(divideUp(10n * UNIT * 100n, 99n));
    expect(readChanges(dataOf()).sqrtPrice).toBe(((1n << 64n) * 101n) / 100n);
  });

  it('is refused for an amount of zero, for too little, and with an unknown mode', () => {
    done(make());
    const order = (amounts: readonly [bigint, bigint], mode: number) =>
      errorOf(swap2(pool, parties(true), { amounts, mode }));
    expect(order([0n, 0n], SwapMode.EXACT_IN)).toBe(6006);
    expect(order([UNIT, UNIT], SwapMode.EXACT_IN)).toBe(6002);
    expect(order([UNIT, UNIT], SwapMode.EXACT_OUT)).toBe(6002);
    expect(order([UNIT, 0n], 3)).toBe(6018);
  });
});

it('what is left out is refused by name, and events come from the program alone', () => {
  const call = (data: Uint8Array): Instruction => ({
    programAddress: METEORA_DAMM_V2_PROGRAM,
    accounts: [readonly(METEORA_DAMM_V2_EVENT_AUTHORITY)],
    data,
  });
  const left = send(call(sha256(Buffer.from('global:split_position')).subarray(0, 8)));
  expect(left.error?.custom).toBe(101);
  expect(left.logs.join('\n')).toContain('not part of this stand-in: split_position');
  expect(errorOf(call(Buffer.from('e445a52e51cb9a1d00', 'hex')))).toBe(2002);
});

const NOW = 1_800_000_000n;
const UNIT = 1_000_000_000n;
const LIQUIDITY = (1_000n * UNIT) << 64n;
/** A thousand units of each token at a price of one, for a fee of 1 %. */
const TERMS: CustomPoolTerms = {
  baseFee: { cliff: 10_000_000n, mode: BaseFeeMode.TIME_LINEAR, periods: 0, middle: 0n, last: 0n },
  compoundingBps: 0,
  dynamicFee: null,
  hasAlphaVault: false,
  collectFeeMode: CollectFeeMode.TOKEN_B,
  sqrtMinPrice: MIN_SQRT_PRICE,
  sqrtMaxPrice: MAX_SQRT_PRICE,
  sqrtPrice: 1n << 64n,
  liquidity: LIQUIDITY,
  activationType: 1,
  activationPoint: null,
};

const pool = layOut();
const [first, second] = [positionOf('first'), positionOf('second')];
const MOST = [U64_MAX, U64_MAX] as const;
const LEAST = [0n, 0n] as const;

function positionOf(name: string): PositionParties {
  return { owner: USER, tokens: USER_TOKENS, positionMint: namedAddress(`damm ${name}`) };
}

function setUp(): void {
  setClock(network, { slot: 1000n, time: NOW, epoch: 0n });
  writeWallet(network, USER);
  for (const side of [0, 1] as const) {
    writeMint(network, pool.tokens[side]);
    writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], 10_000n * UNIT);
  }
}

function send(instruction: Instruction): TestOutcome {
  return network.send([instruction]);
}

function done(instruction: Instruction): void {
  const { error, logs } = send(instruction);
  expect(error, logs.join('\n')).toBeNull();
}

const make = (changes: Partial<CustomPoolTerms> = {}): Instruction =>
  initializeCustomizablePool(pool, first, { ...TERMS, ...changes });
const held = (): bigint[] => USER_TOKENS.map((account) => network.tokenBalance(account));
const dataOf = () => network.account(pool.address)?.data ?? new Uint8Array(0);
const errorOf = (instruction: Instruction) => send(instruction).error?.custom;

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
