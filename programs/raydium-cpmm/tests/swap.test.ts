import { beforeEach, describe, expect, it } from 'vitest';
import { swapBaseInput, swapBaseOutput } from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import {
  CreatorFeeOn,
  decodePool,
  type RaydiumPoolAccount,
  PoolStatus,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { type Pool, type PoolSpec, swapParties, token, withTransferFee, writePool } from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
beforeEach(setUp);

describe('a swap of an exact input', () => {
  it('pays floor(x R / (R + x)) of the input less its fee of 0.25%', () => {
    const pool = writePool(network);
    const before = network.tokenBalance(pool.user.tokens[1]);
    expect(swapIn(pool, 0, 1_000_000n).error).toBeNull();
    const traded = 1_000_000n - 2500n;
    expect(arrived(pool, 1, before)).toBe((traded * RESERVE) / (RESERVE + traded));
    expect(network.tokenBalance(pool.addresses.vaults[0])).toBe(RESERVE + 1_000_000n);
  });

  it('owes protocol and fund their shares of the fee, in the token that came in', () => {
    const pool = writePool(network);
    expect(swapIn(pool, 1, 1_000_000n).error).toBeNull();
    expect(state(pool)).toMatchObject({
      protocolFees: [0n, 300n],
      fundFees: [0n, 100n],
      creatorFees: [0n, 0n],
      recentEpoch: 7n,
    });
  });

  it('accepts a minimum equal to what it pays, and refuses one that is an atom higher', () => {
    const pool = writePool(network);
    expect(swapIn(pool, 0, 1_000_000n, 997_500n).error).toMatchObject({ custom: 6005 });
    expect(swapIn(pool, 0, 1_000_000n, 997_499n).error).toBeNull();
  });

  it('refuses an input of zero, and one whose output is zero', () => {
    const pool = writePool(network, { vaultAmounts: [RESERVE, 1000n] });
    expect(swapIn(pool, 0, 0n).error).toMatchObject({ custom: 2505 });
    expect(swapIn(pool, 0, 1000n).error).toMatchObject({ custom: 2505 });
  });

  it('counts the input after its transfer fee, and pays the output minus its transfer fee', () => {
    const pool = writePool(network, { tokens: [token('a', [ONE_PERCENT]), token('b', [ONE_PERCENT])] });
    const before = network.tokenBalance(pool.user.tokens[1]);
    expect(swapIn(pool, 0, 100_000n).error).toBeNull();
    const traded = 99_000n - 248n;
    const paid = (traded * RESERVE) / (RESERVE + traded);
    expect(arrived(pool, 1, before)).toBe(paid - (paid + 99n) / 100n);
  });

  it('uses the transfer fee of the epoch', () => {
    const changing = withTransferFee(
      { basisPoints: 0, maximumFee: 0n },
      { basisPoints: 1000, maximumFee: U64_MAX, epoch: 8n },
    );
    const spec: PoolSpec = { tokens: [token('a', [changing]), token('b', [changing])] };
    const paid = [7n, 8n].map((epoch) => {
      network.setEpoch(epoch);
      const pool = writePool(network, spec);
      const before = network.tokenBalance(pool.user.tokens[1]);
      expect(swapIn(pool, 0, 1_000_000n).error).toBeNull();
      return arrived(pool, 1, before);
    });
    // 897,750 of 900,000 are traded for 897,749, of which 89,775 are withheld.
    expect(paid).toEqual([997_499n, 807_974n]);
  });

  it('refuses an input that its transfer fee takes whole', () => {
    const all = withTransferFee({ basisPoints: 10_000, maximumFee: U64_MAX });
    const pool = writePool(network, { tokens: [token('a', [all]), token('b', [all])] });
    expect(swapIn(pool, 0, 1_000_000n).error).toMatchObject({ custom: 2505 });
  });
});

describe('a swap of an exact output', () => {
  it('takes the least input that leaves the output', () => {
    const pool = writePool(network);
    const before = network.tokenBalance(pool.user.tokens[0]);
    expect(swapOut(pool, 0, 1_000_000n).error).toBeNull();
    const traded = (RESERVE * 1_000_000n + RESERVE - 1_000_001n) / (RESERVE - 1_000_000n);
    const input = (traded * 1_000_000n + 997_499n) / 997_500n;
    expect(arrived(pool, 0, before)).toBe(-input);
  });

  it('accepts a maximum equal to what it takes, and refuses one that is an atom lower', () => {
    const pool = writePool(network);
    expect(swapOut(pool, 0, 1_000_000n, 1_002_508n).error).toMatchObject({ custom: 6005 });
    expect(swapOut(pool, 0, 1_000_000n, 1_002_509n).error).toBeNull();
  });

  it('delivers the output whatever the transfer fees are', () => {
    const pool = writePool(network, { tokens: [token('a', [ONE_PERCENT]), token('b', [ONE_PERCENT])] });
    const before = network.tokenBalance(pool.user.tokens[1]);
    expect(swapOut(pool, 0, 100_000n).error).toBeNull();
    expect(arrived(pool, 1, before)).toBe(100_000n);
  });

  it('refuses zero, also of a Token-2022 mint', () => {
    for (const token2022 of [false, true]) {
      const pool = writePool(network, { tokens: [token('a', [], token2022), token('b', [], token2022)] });
      expect(swapOut(pool, 0, 0n).error).toMatchObject({ custom: 2505 });
    }
  });

  it('fails for the whole reserve, and works for all but one atom of it', () => {
    const pool = writePool(network, { vaultAmounts: [1000n, 1000n] });
    expect(swapOut(pool, 0, 1000n).error).toMatchObject({ kind: 'ProgramFailedToComplete' });
    expect(swapOut(pool, 0, 999n).error).toBeNull();
  });

  it('fails when the input would be more than a token account can hold', () => {
    const pool = writePool(network, { vaultAmounts: [1n << 62n, 1000n] });
    expect(swapOut(pool, 0, 999n).error).toMatchObject({ kind: 'ProgramFailedToComplete' });
  });
});

describe('the creator fee', () => {
  it.each([
    ['the input of token 0', CreatorFeeOn.INPUT, 0, [500n, 0n]],
    ['the input of token 1', CreatorFeeOn.INPUT, 1, [0n, 500n]],
    ['token 0 coming in', CreatorFeeOn.TOKEN_0, 0, [500n, 0n]],
    ['token 0 going out', CreatorFeeOn.TOKEN_0, 1, [499n, 0n]],
    ['token 1 going out', CreatorFeeOn.TOKEN_1, 0, [0n, 499n]],
    ['token 1 coming in', CreatorFeeOn.TOKEN_1, 1, [0n, 500n]],
  ] as const)('is taken from %s', (_, creatorFeeOn, side, creatorFees) => {
    const pool = writePool(network, withCreator(creatorFeeOn));
    expect(swapIn(pool, side, 1_000_000n).error).toBeNull();
    expect(state(pool).creatorFees).toEqual(creatorFees);
  });

  it('is one fee with the trade fee when both are on the input: rounded up once, then shared', () => {
    const pool = writePool(network, withCreator(CreatorFeeOn.INPUT));
    // 0.3% of 1,001 is 3.003, hence 4 atoms, of which the creator has floor(4 / 6).
    expect(swapIn(pool, 0, 1001n).error).toBeNull();
    expect(state(pool).creatorFees).toEqual([0n, 0n]);
    expect(network.tokenBalance(pool.addresses.vaults[1])).toBe(RESERVE - 996n);
  });

  it('is not taken where the pool has none, whatever the rate of the configuration', () => {
    const pool = writePool(network, { config: { creatorFeeRate: 900_000n } });
    expect(swapIn(pool, 0, 1_000_000n, 997_499n).error).toBeNull();
    expect(state(pool).creatorFees).toEqual([0n, 0n]);
  });

  it('must be in an existing token', () => {
    const pool = writePool(network, withCreator(3));
    expect(swapIn(pool, 0, 1_000_000n).error).toMatchObject({ custom: 6013 });
  });

  const withCreator = (creatorFeeOn: number): PoolSpec => ({
    pool: { creatorFeeEnabled: true, creatorFeeOn },
  });
});

describe('a pool', () => {
  it('does not swap while swaps are off, whatever else is', () => {
    const error = (status: number) => swapIn(writePool(network, { pool: { status } }), 0, 1_000_000n).error;
    expect(error(PoolStatus.SWAP_OFF)).toMatchObject({ custom: 6000 });
    expect(error(7)).toMatchObject({ custom: 6000 });
    expect(error(PoolStatus.DEPOSIT_OFF | PoolStatus.WITHDRAW_OFF)).toBeNull();
  });

  it('opens in the second of its opening', () => {
    const pool = writePool(network, { pool: { openTime: NOW + 1n } });
    expect(swapIn(pool, 0, 1_000_000n).error).toMatchObject({ custom: 6000 });
    expect(swapOut(pool, 0, 1_000_000n).error).toMatchObject({ custom: 6000 });
    network.setUnixTime(NOW + 1n);
    expect(swapIn(pool, 0, 1_000_000n).error).toBeNull();
  });

  it('swaps without any fee, and then for the exact product', () => {
    const pool = writePool(network, {
      vaultAmounts: [90n, 100n],
      config: { tradeFeeRate: 0n, creatorFeeRate: 0n },
    });
    expect(swapIn(pool, 0, 10n, 10n).error).toBeNull();
  });

  it('does not swap what it owes', () => {
    const owing = { protocolFees: [400n, 0n], fundFees: [400n, 0n], creatorFees: [201n, 0n] } as const;
    const short = writePool(network, { vaultAmounts: [1000n, 1000n], pool: owing });
    expect(swapIn(short, 0, 100n).error).toMatchObject({ custom: 6012 });
    const much = { protocolFees: [U64_MAX, 0n], fundFees: [1n, 0n] } as const;
    const overflowing = writePool(network, { pool: much });
    expect(swapIn(overflowing, 0, 100n).error).toMatchObject({ custom: 6011 });
  });

  it('fails on an empty reserve', () => {
    const pool = writePool(network, { vaultAmounts: [0n, 1000n] });
    expect(swapIn(pool, 0, 100n).error).toMatchObject({ kind: 'ProgramFailedToComplete' });
  });

  it('never loses value: the product of its reserves does not fall', () => {
    const tokens = [token('a', [ONE_PERCENT]), token('b')] as const;
    const pool = writePool(network, {
      tokens,
      vaultAmounts: [10_007n, 30_011n],
      pool: { creatorFeeEnabled: true, creatorFeeOn: CreatorFeeOn.TOKEN_0 },
    });
    const product = (): bigint => {
      const { protocolFees, fundFees, creatorFees } = state(pool);
      const reserve = (side: 0 | 1): bigint =>
        network.tokenBalance(pool.addresses.vaults[side]) -
        (protocolFees[side] + fundFees[side] + creatorFees[side]);
      return reserve(0) * reserve(1);
    };
    let executed = 0;
    for (let i = 0; i < 400; i++) {
      const before = product();
      const side = i % 3 === 0 ? 0 : 1;
      const amount = BigInt((i * 7919) % 997);
      const outcome = i % 2 === 0 ? swapIn(pool, side, amount) : swapOut(pool, side, amount);
      if (outcome.error === null) executed++;
      expect(product() >= before, `swap ${i}`).toBe(true);
    }
    expect(executed).toBeGreaterThan(200);
  });
});

describe('the event', () => {
  it('logs the pool’s amounts, the moved amounts, and the fees', () => {
    const pool = writePool(network, {
      tokens: [token('a', [ONE_PERCENT]), token('b')],
      pool: { creatorFeeEnabled: true },
    });
    const side = pool.tokens[0].extensions.length > 0 ? 0 : 1;
    const { logs } = swapIn(pool, side, 100_000n);
    const line = logs.find((each) => each.startsWith('Program data: ')) ?? '';
    const event = Buffer.from(line.slice('Program data: '.length), 'base64');
    expect(event.subarray(0, 8).toString('hex')).toBe('40c6cde8260871e2');
    expect(event.length).toBe(170);
    const numbers = [40, 48, 56, 64, 72, 80, 153, 161].map((at) => event.readBigUInt64LE(at));
    expect(numbers).toEqual([RESERVE, RESERVE, 99_000n, 98_702n, 1000n, 0n, 248n, 49n]);
    expect([event[88], event[169]]).toEqual([1, 1]);
    expect(logs).toContain('Program log: Instruction: SwapBaseInput');
  });
});

const NOW = 1_800_000_000n;
const RESERVE = 1_000_000_000_000n;
/** A fee of 1 % of the sent amount, of at most 5,000. */
const ONE_PERCENT = withTransferFee({ basisPoints: 100, maximumFee: 5000n });

function setUp(): void {
  network.setUnixTime(NOW);
  network.setEpoch(7n);
}

function swapIn(pool: Pool, side: 0 | 1, amount: bigint, minimum = 0n) {
  const mint = pool.addresses.mints[side];
  return network.send([swapBaseInput(pool.addresses, mint, swapParties(pool, side), amount, minimum)]);
}

function swapOut(pool: Pool, side: 0 | 1, amount: bigint, maximum = U64_MAX) {
  const mint = pool.addresses.mints[side];
  return network.send([swapBaseOutput(pool.addresses, mint, swapParties(pool, side), maximum, amount)]);
}

function state(pool: Pool): RaydiumPoolAccount {
  const account = network.account(pool.addresses.address);
  if (account === null) throw new Error('the pool is gone');
  return decodePool(account.data);
}

/** Returns the amount that has arrived in the user's account of a side since `before`. */
const arrived = (pool: Pool, side: 0 | 1, before: bigint): bigint =>
  network.tokenBalance(pool.user.tokens[side]) - before;
