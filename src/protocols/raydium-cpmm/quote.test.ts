import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../solana/units.ts';
import { raydiumCpmm } from './venue.ts';
import {
  type RaydiumPoolChanges,
  createNamedAddress,
  RESERVE,
  type World,
  createRaydiumWorld,
} from '../../testing/protocols/raydium-pool.ts';

describe('a quote', () => {
  it("is the curve's output of an exact input, with the fee in the input's token", () => {
    const made = createRaydiumWorld();
    expect(quoteIn(made, 1_000_000n)).toEqual({
      inAmount: 1_000_000n,
      outAmount: 997_499n,
      feeAmount: 2500n,
      feeMint: made.addresses.mints[0],
    });
  });

  it("is the curve's input of an exact output", () => {
    const made = createRaydiumWorld();
    expect(quoteOut(made, 1_000_000n, 1)).toEqual({
      inAmount: 1_002_509n,
      outAmount: 1_000_000n,
      feeAmount: 2507n,
      feeMint: made.addresses.mints[1],
    });
  });

  it('leaves out of the reserves what is owed', () => {
    const owed = {
      protocolFees: [RESERVE / 2n, 0n],
      fundFees: [RESERVE / 4n, 0n],
      creatorFees: [9n, 0n],
    } as const;
    const made = createRaydiumWorld({ pool: owed });
    expect(quoteIn(made, 1_000_000n, 1)?.outAmount).toBe(249_374n);
  });

  it('counts transfer fees of the epoch on both sides', () => {
    const made = createRaydiumWorld({ extensions: [[feeExtension], [feeExtension]] });
    expect(quoteIn(made, 1_000_000n, 0, { ...CLOCK, epoch: 9n })?.outAmount).toBe(977_648n);
    expect(quoteIn(made, 1_000_000n)?.outAmount).toBe(957_998n);
    const out = quoteOut(made, 957_998n);
    expect(out?.outAmount).toBe(957_998n);
    expect(out?.inAmount).toBe(1_000_000n);
  });

  it('leaves a creator fee that is taken from the output out of the fee, and out of the amount', () => {
    const made = createRaydiumWorld({ pool: { creatorFeeEnabled: true, creatorFeeOn: 2 } });
    expect(quoteIn(made, 1_000_000n, 0)).toMatchObject({ outAmount: 997_000n, feeAmount: 2500n });
    expect(quoteIn(made, 1_000_000n, 1)).toMatchObject({ outAmount: 996_999n, feeAmount: 3000n });
  });

  it.each([
    ['zero', () => quoteIn(createRaydiumWorld(), 0n)],
    ['zero out', () => quoteOut(createRaydiumWorld(), 0n)],
    ['less than zero', () => quoteIn(createRaydiumWorld(), -1n)],
    ['more than a u64', () => quoteIn(createRaydiumWorld(), U64_MAX + 1n)],
    ['more than the vault can hold', () => quoteIn(createRaydiumWorld(), U64_MAX)],
    ['nothing in return', () => quoteIn(createRaydiumWorld({ amounts: [RESERVE, 1000n] }), 1000n)],
    ['what the fee takes whole', () => quoteIn(createRaydiumWorld(), 1n)],
    ['the whole reserve', () => quoteOut(createRaydiumWorld(), RESERVE)],
    ['an input beyond u64', () => quoteOut(createRaydiumWorld({ amounts: [1n << 62n, 1000n] }), 999n)],
    ['swaps that are off', () => quoteIn(createRaydiumWorld({ pool: { status: 4 } }), 1000n)],
    [
      'the time before the opening',
      () => quoteIn(createRaydiumWorld({ pool: { openTime: CLOCK.unixTimestamp + 1n } }), 1000n),
    ],
  ])('is refused for %s', (_, quote) => {
    expect(quote()).toBeNull();
  });

  it('is refused for a mint that the pool does not trade', () => {
    const pool = decode(createRaydiumWorld());
    if ('unusable' in pool) throw new Error(pool.unusable);
    expect(raydiumCpmm.quoteExactIn(pool, createNamedAddress('other'), 1000n, CLOCK)).toBeNull();
  });

  it('is given in the second of the opening, and while other things are off', () => {
    expect(
      quoteIn(createRaydiumWorld({ pool: { openTime: CLOCK.unixTimestamp, status: 3 } }), 1000n),
    ).not.toBeNull();
  });
});

it('an estimate is nothing before the opening, and that of the curve from then on', () => {
  const pool = decode(createRaydiumWorld({ pool: { openTime: CLOCK.unixTimestamp } }));
  if ('unusable' in pool) throw new Error(pool.unusable);
  const before = { ...CLOCK, unixTimestamp: CLOCK.unixTimestamp - 1n };
  expect(raydiumCpmm.estimate(pool, pool.mints[0], 1_000_000, before)).toBe(0);
  expect(raydiumCpmm.estimate(pool, pool.mints[0], 1_000_000, CLOCK)).toBeCloseTo(997_499, 0);
});

describe('a pool', () => {
  it("is an account of the program with a pool's size and discriminator", () => {
    const { addresses, accounts } = createRaydiumWorld();
    const isPool = (address: Address): boolean => {
      const account = accounts.get(address);
      return account !== undefined && raydiumCpmm.isPool(account);
    };
    expect([...accounts.keys()].filter(isPool)).toEqual([addresses.address]);
    const account = accounts.get(addresses.address);
    if (account === undefined) throw new Error('no pool');
    expect(raydiumCpmm.isPool({ ...account, owner: TOKEN_PROGRAM })).toBe(false);
  });

  it('depends on its configuration, vaults and mints', () => {
    const { addresses, accounts } = createRaydiumWorld();
    const account = accounts.get(addresses.address);
    if (account === undefined) throw new Error('no pool');
    const { config, vaults, mints } = addresses;
    expect(raydiumCpmm.dependencies(addresses.address, account)).toEqual([config, ...vaults, ...mints]);
  });

  const hook = (program: number): Extension => {
    const data = new Uint8Array(64);
    data[40] = program;
    return { type: ExtensionType.TRANSFER_HOOK, data };
  };
  const pausable = (paused: number): Extension => {
    const data = new Uint8Array(33);
    data[32] = paused;
    return { type: ExtensionType.PAUSABLE, data };
  };

  it.each([
    ['a wrong bump', { pool: { authorityBump: 254 } }, /bump is 253, not 254/],
    ['a token for the creator that there is not', { pool: { creatorFeeOn: 3 } }, /0, 1 or 2, got 3/],
    ['fees of 100%', { config: { tradeFeeRate: 1_000_000n } }, /100%/],
    ['an empty vault', { amounts: [0n, RESERVE] }, /vault 0 holds 0/],
    ['a vault that it owes', { pool: { fundFees: [0n, RESERVE] } }, /vault 1 holds/],
    ['a frozen vault', { vault: { state: 'frozen' } }, /vault 0 is frozen/],
    ["somebody else's vault", { vault: { owner: createNamedAddress('thief') } }, /vault 0 belongs to/],
    ['a vault of another mint', { vault: { mint: createNamedAddress('other') } }, /vault 0 is of mint/],
    ['a transfer hook', { extensions: [[hook(1)], []] }, /mint 0 has a transfer hook/],
    ['paused transfers', { extensions: [[], [pausable(1)]] }, /mint 1 has transfers that are paused/],
    [
      'tokens that cannot move',
      { extensions: [[{ type: ExtensionType.NON_TRANSFERABLE, data: new Uint8Array(0) }], []] },
      /mint 0 has tokens that cannot be moved/,
    ],
    [
      'an extension from the future',
      { extensions: [[{ type: 999, data: new Uint8Array(0) }], []] },
      /mint 0 has extension 999/,
    ],
    [
      'a token program that is none',
      { pool: { tokenPrograms: [createNamedAddress('x'), TOKEN_PROGRAM] } },
      /vault 0 .* owned by|of mint 0 is no token program/,
    ],
  ] as [string, RaydiumPoolChanges, RegExp][])('is unusable with %s', (_, changes, reason) => {
    expect(decode(createRaydiumWorld(changes))).toEqual({ unusable: expect.stringMatching(reason) });
  });

  it.each([
    ['a hook without a program', hook(0)],
    ['a pause that is not on', pausable(0)],
    ['a permanent delegate', { type: ExtensionType.PERMANENT_DELEGATE, data: new Uint8Array(32) }],
  ])('can be used with %s', (_, extension) => {
    expect(decode(createRaydiumWorld({ extensions: [[extension], []] }))).not.toHaveProperty('unusable');
  });

  it('is unusable while an account is missing or of another program', () => {
    const { addresses } = createRaydiumWorld();
    for (const address of [addresses.config, ...addresses.vaults, ...addresses.mints]) {
      const missing = createRaydiumWorld();
      missing.accounts.delete(address);
      expect(decode(missing)).toEqual({ unusable: expect.stringContaining('does not exist') });
      const foreign = createRaydiumWorld();
      const account = foreign.accounts.get(address);
      if (account !== undefined)
        foreign.accounts.set(address, { ...account, owner: createNamedAddress('x') });
      expect(decode(foreign)).toEqual({ unusable: expect.stringContaining('is owned by') });
    }
  });

  it('is unusable when an account is cut off', () => {
    const { addresses } = createRaydiumWorld();
    for (const address of [addresses.address, addresses.config, ...addresses.vaults, ...addresses.mints]) {
      const cut = createRaydiumWorld();
      const account = cut.accounts.get(address);
      if (account !== undefined)
        cut.accounts.set(address, { ...account, data: account.data.subarray(0, 40) });
      expect(decode(cut)).toEqual({ unusable: expect.stringContaining('not a valid') });
    }
  });
});

const CLOCK = { slot: 1n, epoch: 10n, unixTimestamp: 1_800_000_000n };

function decode({ addresses, accounts }: World) {
  return raydiumCpmm.decode(addresses.address, (address) => accounts.get(address) ?? null);
}

function quoteIn(made: World, amount: bigint, side: 0 | 1 = 0, clock = CLOCK) {
  const pool = decode(made);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return raydiumCpmm.quoteExactIn(pool, made.addresses.mints[side], amount, clock);
}

function quoteOut(made: World, amount: bigint, side: 0 | 1 = 0, clock = CLOCK) {
  const pool = decode(made);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return raydiumCpmm.quoteExactOut(pool, made.addresses.mints[side], amount, clock);
}

/** 1% of what is sent, from epoch 10 on 2%. */
const feeExtension = encodeTransferFeeConfigExtension({
  configAuthority: null,
  withdrawWithheldAuthority: null,
  withheldAmount: 0n,
  older: { epoch: 0n, maximumFee: U64_MAX, basisPoints: 100 },
  newer: { epoch: 10n, maximumFee: U64_MAX, basisPoints: 200 },
});
