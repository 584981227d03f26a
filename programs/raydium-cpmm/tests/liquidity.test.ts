import { beforeEach, describe, expect, it } from 'vitest';
import { deposit, withdraw } from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import {
  decodePool,
  PoolStatus,
  type RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  namedAddress,
  type Pool,
  type PoolSpec,
  token,
  withTransferFee,
  writePool,
  writeTokenAccount,
} from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
beforeEach(setUp);

describe('a deposit', () => {
  it('takes its share of both reserves, rounded up, and mints the LP tokens asked for', () => {
    const pool = make();
    expect(change(pool, () => add(pool, 1_000_000n))).toEqual({
      user: [-2_000_001n, -500_001n],
      vaults: [2_000_001n, 500_001n],
      lp: 1_000_000n,
      lpMinted: 1_000_000n,
      lpSupply: 1_000_000n,
    });
    expect(decodePool(network.account(pool.addresses.address)?.data ?? new Uint8Array()).recentEpoch).toBe(
      9n,
    );
  });

  it('counts only what belongs to the providers', () => {
    const owed = { protocolFees: [1_000_000_000n, 0n], fundFees: [5n, 0n], creatorFees: [2n, 3n] } as const;
    const pool = make({ pool: owed });
    expect(change(pool, () => add(pool, 1_000_000n)).vaults).toEqual([1_000_000n, 500_000n]);
  });

  it('refuses to take more than the maximum of either token', () => {
    const pool = make();
    expect(add(pool, 1_000_000n, [2_000_000n, U64_MAX]).error).toMatchObject({ custom: 6005 });
    expect(add(pool, 1_000_000n, [U64_MAX, 500_000n]).error).toMatchObject({ custom: 6005 });
    expect(add(pool, 1_000_000n, [2_000_001n, 500_001n]).error).toBeNull();
  });

  it('takes the transfer fees on top', () => {
    const pool = make({ tokens: [token('a', [ONE_PERCENT]), token('b', [ONE_PERCENT])] });
    const { user, vaults } = change(pool, () => add(pool, 1_000_000n));
    expect(vaults).toEqual([2_000_001n, 500_001n]);
    expect(user).toEqual([-2_020_204n, -505_052n]);
  });

  it('refuses zero, and an amount that is worth less than an atom of a token', () => {
    const pool = make({ vaultAmounts: [1_000_000_000n, 1000n] });
    expect(add(pool, 0n).error).toMatchObject({ custom: 2505 });
    expect(add(pool, 999_999n).error).toMatchObject({ custom: 6006 });
    expect(add(pool, 1_000_000n).error).toBeNull();
  });

  it('is refused while deposits are off, and by a pool that owes more than it has', () => {
    const off = make({ pool: { status: PoolStatus.DEPOSIT_OFF } });
    expect(add(off, 1_000_000n).error).toMatchObject({ custom: 6000 });
    expect(add(make({ pool: { status: 6 } }), 1_000_000n).error).toBeNull();
    const owing = make({ pool: { protocolFees: [2_000_000_008n, 0n] } });
    expect(add(owing, 1_000_000n).error).toMatchObject({ custom: 6012 });
  });

  it('is refused by a pool without any LP supply', () => {
    expect(add(make({ pool: { lpSupply: 0n } }), 1n).error).toMatchObject({ custom: 6006 });
  });

  it('must come from token accounts of the signer', () => {
    const pool = make();
    writeTokenAccount(network, pool.user.tokens[1], namedAddress('somebody'), pool.tokens[1], 1n << 60n);
    expect(add(pool, 1_000_000n).error).toMatchObject({ custom: 2015 });
  });
});

describe('a withdrawal', () => {
  it('pays its share of both reserves, rounded down, and burns the LP tokens', () => {
    const pool = make();
    expect(change(pool, () => take(pool, 333_333_333n))).toEqual({
      user: [666_666_668n, 166_666_667n],
      vaults: [-666_666_668n, -166_666_667n],
      lp: -333_333_333n,
      lpMinted: -333_333_333n,
      lpSupply: -333_333_333n,
    });
  });

  it('never pays out the locked 100', () => {
    const pool = make();
    const { vaults } = change(pool, () => take(pool, SUPPLY - 100n));
    expect(vaults).toEqual([-1_999_999_806n, -499_999_952n]);
    expect(holdings(pool)).toMatchObject({ lp: 0n, lpMinted: 0n, lpSupply: 100n });
  });

  it('pays what transfer fees leave, and compares that with the minimum', () => {
    const pool = make({ tokens: [token('a', [ONE_PERCENT]), token('b', [ONE_PERCENT])] });
    expect(take(pool, 1_000_000n, [1_980_001n, 0n]).error).toMatchObject({ custom: 6005 });
    expect(take(pool, 1_000_000n, [0n, 495_001n]).error).toMatchObject({ custom: 6005 });
    const { user, vaults } = change(pool, () => take(pool, 1_000_000n, [1_980_000n, 495_000n]));
    expect(vaults).toEqual([-2_000_000n, -500_000n]);
    expect(user).toEqual([1_980_000n, 495_000n]);
  });

  it('refuses zero, more than the supply, and an amount that is worth less than an atom of a token', () => {
    const pool = make({ vaultAmounts: [1_000_000_000n, 1000n] });
    expect(take(pool, 0n).error).toMatchObject({ custom: 2505 });
    expect(take(pool, SUPPLY - 99n).error).toMatchObject({ custom: 2506 });
    expect(take(pool, 999_999n).error).toMatchObject({ custom: 6006 });
  });

  it('is refused while withdrawals are off', () => {
    expect(take(make({ pool: { status: PoolStatus.WITHDRAW_OFF } }), 1_000_000n).error).toMatchObject({
      custom: 6000,
    });
    expect(take(make({ pool: { status: 5 } }), 1_000_000n).error).toBeNull();
  });

  it("may pay another owner, but not burn another owner's LP tokens", () => {
    const pool = make();
    const lp = { mint: pool.addresses.lpMint, tokenProgram: TOKEN_PROGRAM, decimals: 9, extensions: [] };
    writeTokenAccount(network, pool.user.tokens[1], namedAddress('somebody'), pool.tokens[1], 0n);
    expect(take(pool, 1_000_000n).error).toBeNull();
    writeTokenAccount(network, pool.user.lpToken, namedAddress('somebody'), lp, SUPPLY);
    expect(take(pool, 1_000_000n).error).toMatchObject({ custom: 2015 });
  });
});

it('pays out at most what was paid in, whatever the order and size', () => {
  const pool = make({ tokens: [token('a'), token('b', [], true)] });
  for (const lp of [1_000n, 12_345n, 1_000_003n, 777_777_777n, 99_999_999_999n]) {
    const before = holdings(pool);
    expect(add(pool, lp).error).toBeNull();
    expect(take(pool, lp).error).toBeNull();
    const after = holdings(pool);
    expect([after.user[0] <= before.user[0], after.user[1] <= before.user[1]]).toEqual([true, true]);
    expect(after.lpSupply).toBe(before.lpSupply);
  }
});

it('logs every change of liquidity', () => {
  const pool = make({ tokens: [token('a', [ONE_PERCENT]), token('b', [ONE_PERCENT])] });
  const eventOf = (logs: readonly string[]): Buffer => {
    const line = logs.find((each) => each.startsWith('Program data: ')) ?? '';
    return Buffer.from(line.slice('Program data: '.length), 'base64');
  };
  const numbers = (event: Buffer): bigint[] =>
    [40, 48, 56, 64, 72, 80, 88].map((at) => event.readBigUInt64LE(at));
  const added = eventOf(add(pool, 1_000_000n).logs);
  expect(added.subarray(0, 8).toString('hex')).toBe('79a3cdc939da753c');
  expect([added.length, added[96]]).toEqual([97, 0]);
  expect(numbers(added)).toEqual([
    SUPPLY,
    2_000_000_007n,
    500_000_003n,
    2_000_001n,
    500_001n,
    20_203n,
    5051n,
  ]);
  const taken = eventOf(take(pool, 1_000_000n).logs);
  expect(taken[96]).toBe(1);
  expect(numbers(taken)).toEqual([
    SUPPLY + 1_000_000n,
    2_002_000_008n,
    500_500_004n,
    1_980_000n,
    495_000n,
    20_000n,
    5000n,
  ]);
});

const ANY: RaydiumSides<bigint> = [U64_MAX, U64_MAX];
const NONE: RaydiumSides<bigint> = [0n, 0n];
const SUPPLY = 1_000_000_000n;
/** A fee of 1 % of the sent amount without a maximum. */
const ONE_PERCENT = withTransferFee({ basisPoints: 100, maximumFee: U64_MAX });

function setUp(): void {
  network.setEpoch(9n);
}

function make(spec: PoolSpec = {}): Pool {
  const lpSupply = spec.pool?.lpSupply ?? SUPPLY;
  return writePool(network, {
    vaultAmounts: [2_000_000_007n, 500_000_003n],
    ...spec,
    pool: { ...spec.pool, lpSupply },
  });
}

const add = (pool: Pool, lp: bigint, maximums = ANY) =>
  network.send([deposit(pool.addresses, pool.user, lp, maximums)]);
const take = (pool: Pool, lp: bigint, minimums = NONE) =>
  network.send([withdraw(pool.addresses, pool.user, lp, minimums)]);

interface Holdings {
  readonly user: RaydiumSides<bigint>;
  readonly vaults: RaydiumSides<bigint>;
  readonly lp: bigint;
  readonly lpMinted: bigint;
  readonly lpSupply: bigint;
}

function holdings({ addresses, user }: Pool): Holdings {
  const balances = ([first, second]: typeof addresses.vaults): RaydiumSides<bigint> => [
    network.tokenBalance(first),
    network.tokenBalance(second),
  ];
  return {
    user: balances(user.tokens),
    vaults: balances(addresses.vaults),
    lp: network.tokenBalance(user.lpToken),
    lpMinted: decodeMint(network.account(addresses.lpMint)?.data ?? new Uint8Array()).supply,
    lpSupply: decodePool(network.account(addresses.address)?.data ?? new Uint8Array()).lpSupply,
  };
}

/** Returns the changes of the balances by `run`. */
function change(pool: Pool, run: () => { readonly error: unknown }): Holdings {
  const before = holdings(pool);
  expect(run().error).toBeNull();
  const after = holdings(pool);
  const minus = (a: RaydiumSides<bigint>, b: RaydiumSides<bigint>): RaydiumSides<bigint> => [
    a[0] - b[0],
    a[1] - b[1],
  ];
  return {
    user: minus(after.user, before.user),
    vaults: minus(after.vaults, before.vaults),
    lp: after.lp - before.lp,
    lpMinted: after.lpMinted - before.lpMinted,
    lpSupply: after.lpSupply - before.lpSupply,
  };
}
