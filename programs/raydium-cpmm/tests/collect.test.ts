import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  decodePool,
  type RaydiumPoolAccount,
  type RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_ADMIN,
  RAYDIUM_CPMM_PROGRAM,
} from '../../../src/protocols/raydium-cpmm/program/program.ts';
import { toAddressBytes } from '../../../src/solana/address.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  CONFIG,
  CONFIG_ADDRESS,
  namedAddress,
  type Pool,
  type PoolSpec,
  token,
  withTransferFee,
  writePool,
  writeTokenAccount,
  writeWallet,
} from './fixture.ts';
import {
  collectCreatorFee,
  collectCreatorFeePermissionless,
  collectFundFee,
  collectProtocolFee,
  creatorTokens,
  feeShareAddress,
} from './instructions.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
beforeEach(setUp);

describe.each([
  ['protocol', collectProtocolFee, CONFIG.protocolOwner, 'protocolFees', CONFIG.fundOwner],
  ['fund', collectFundFee, CONFIG.fundOwner, 'fundFees', CONFIG.protocolOwner],
] as const)('collecting the fees of the %s', (_, collect, owner, kind, other) => {
  it('pays all that is owed, and only that', () => {
    const pool = make();
    expect(received(pool, () => take(pool))).toEqual(OWED[kind]);
    expect(stateOf(pool)).toMatchObject({ ...OWED, [kind]: [0n, 0n], recentEpoch: 13n });
    expect(received(pool, () => take(pool))).toEqual([0n, 0n]);
  });

  it('pays no more than is asked for of each token', () => {
    const pool = make();
    expect(received(pool, () => take(pool, owner, [7n, 0n]))).toEqual([7n, 0n]);
    expect(stateOf(pool)[kind]).toEqual([OWED[kind][0] - 7n, OWED[kind][1]]);
  });

  it('is only allowed for its owner and the admin', () => {
    expect(take(make(), RAYDIUM_CPMM_ADMIN).error).toBeNull();
    expect(take(make(), other).error).toMatchObject({ custom: 6001 });
    expect(take(make(), namedAddress('anyone')).error).toMatchObject({ custom: 6001 });
  });

  it('works for both token programs', () => {
    const fee = withTransferFee({ basisPoints: 100, maximumFee: U64_MAX });
    const pool = make({ tokens: [token('a', [fee]), token('b')] });
    const [first, second] = received(pool, () => take(pool));
    const [owed0, owed1] = OWED[kind];
    const less = (amount: bigint): bigint => amount - amount / 100n;
    const feeOn0 = pool.tokens[0].extensions.length > 0;
    expect([first, second]).toEqual(feeOn0 ? [less(owed0), owed1] : [owed0, less(owed1)]);
  });

  const take = (pool: Pool, signer = owner, most = ALL) =>
    network.send([collect(pool.addresses, signer, pool.user.tokens, most)]);
});

describe('collecting the fees of the creator', () => {
  const take = (pool: Pool) => network.send([collectCreatorFee(pool.addresses, CREATOR)]);
  const takeForThem = (pool: Pool) =>
    network.send([collectCreatorFeePermissionless(pool.addresses, namedAddress('anyone'), CREATOR)]);

  it.each([
    ['by the creator', take],
    ['by anyone', takeForThem],
  ])('%s pays all into accounts that are made for it', (_, collect) => {
    const pool = make();
    expect(collect(pool).error).toBeNull();
    expect(arrived(pool)).toEqual(OWED.creatorFees);
    expect(stateOf(pool)).toMatchObject({ ...OWED, creatorFees: [0n, 0n], recentEpoch: 13n });
    expect(collect(pool).error).toMatchObject({ custom: 6014 });
  });

  it('uses accounts that are there', () => {
    const pool = make();
    creatorTokens(pool.addresses, CREATOR).forEach((address, side) => {
      writeTokenAccount(network, address, CREATOR, pool.tokens[side === 0 ? 0 : 1], 1000n);
    });
    expect(take(pool).error).toBeNull();
    expect(arrived(pool)).toEqual([1050n, 1060n]);
  });

  it('pays the protocol its share, rounded down', () => {
    const pool = make({ config: { creatorFeeShareRate: 333_333n } });
    expect(take(pool).error).toBeNull();
    expect(arrived(pool)).toEqual([34n, 41n]);
    expect(stateOf(pool)).toMatchObject({ protocolFees: [1016n, 2019n], creatorFees: [0n, 0n] });
  });

  it("leaves it the share that the creator's own account names instead", () => {
    const pool = make({ config: { creatorFeeShareRate: 333_333n } });
    const write = (rate: bigint): void => {
      const data = Buffer.alloc(145);
      createHash('sha256').update('account:CreatorFeeShare').digest().copy(data, 0, 0, 8);
      data.set([...toAddressBytes(CREATOR), ...toAddressBytes(CONFIG_ADDRESS)], 9);
      data.writeBigUInt64LE(rate, 73);
      network.setData(feeShareAddress(CREATOR, CONFIG_ADDRESS), RAYDIUM_CPMM_PROGRAM, data);
    };
    write(1_000_001n);
    expect(take(pool).error).toMatchObject({ custom: 2506 });
    write(1_000_000n);
    expect(take(pool).error).toBeNull();
    expect(arrived(pool)).toEqual([0n, 0n]);
    expect(stateOf(pool).protocolFees).toEqual([1050n, 2060n]);
  });

  it('pays no other account', () => {
    const pool = make();
    const [payer, creator] = [namedAddress('anyone'), namedAddress('impostor')];
    const impostor = collectCreatorFeePermissionless(pool.addresses, payer, creator);
    expect(network.send([impostor]).error).toMatchObject({ custom: 2012 });
    const signed = collectCreatorFee(pool.addresses, payer);
    expect(network.send([signed]).error).toMatchObject({ custom: 2012 });
  });

  it.each([
    ['of another mint', 2014, (pool: Pool) => [CREATOR, pool.tokens[1]] as const],
    ['of another owner', 2015, (pool: Pool) => [namedAddress('anyone'), pool.tokens[0]] as const],
  ])('refuses a recipient %s', (_, custom, wrong) => {
    const pool = make();
    const [owner, mint] = wrong(pool);
    writeTokenAccount(network, creatorTokens(pool.addresses, CREATOR)[0], owner, mint, 0n);
    expect(take(pool).error).toMatchObject({ custom });
  });

  it('refuses a recipient that is not the associated account', () => {
    const pool = make();
    const elsewhere = namedAddress('elsewhere');
    writeTokenAccount(network, elsewhere, CREATOR, pool.tokens[0], 0n);
    const instruction = collectCreatorFee(pool.addresses, CREATOR);
    const accounts = instruction.accounts.with(8, { address: elsewhere, role: 1 });
    expect(network.send([{ ...instruction, accounts }]).error).toMatchObject({ custom: 3014 });
  });

  const arrived = (pool: Pool): RaydiumSides<bigint> => {
    const [first, second] = creatorTokens(pool.addresses, CREATOR);
    return [network.tokenBalance(first), network.tokenBalance(second)];
  };
});

const ALL: RaydiumSides<bigint> = [U64_MAX, U64_MAX];
const OWED = {
  protocolFees: [1000n, 2000n],
  fundFees: [300n, 400n],
  creatorFees: [50n, 60n],
  creatorFeeEnabled: true,
} as const;
const CREATOR = namedAddress('creator');

function setUp(): void {
  network.setEpoch(13n);
  for (const address of [CREATOR, namedAddress('anyone')]) writeWallet(network, address);
}

const make = (spec: PoolSpec = {}): Pool => writePool(network, { ...spec, pool: { ...OWED, ...spec.pool } });
const stateOf = (pool: Pool): RaydiumPoolAccount =>
  decodePool(network.account(pool.addresses.address)?.data ?? new Uint8Array());
const balances = (pool: Pool): RaydiumSides<bigint> => [
  network.tokenBalance(pool.user.tokens[0]),
  network.tokenBalance(pool.user.tokens[1]),
];

/** Returns the amounts that arrive in the user's accounts while `run` succeeds. */
function received(pool: Pool, run: () => TestOutcome): RaydiumSides<bigint> {
  const before = balances(pool);
  expect(run().error).toBeNull();
  const after = balances(pool);
  return [after[0] - before[0], after[1] - before[1]];
}
