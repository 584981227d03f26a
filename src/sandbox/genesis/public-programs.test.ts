import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Address, toAddress, toAddressBytes } from '../../solana/address.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { sumAmounts } from '../../solana/units.ts';
import { getNanoUsd } from '../../protocol/genesis/prices.ts';
import { buildGenesis, GENESIS_TIME } from './build-genesis.ts';

// Accounts are read at the offsets of the public layouts, independently of the codecs that wrote them.

describe('the accounts of public programs in the genesis', () => {
  it('have addresses that depend on the seed alone, and not on the time', () => {
    const later = buildGenesis(SEED, GENESIS_TIME + 1_000n).accounts.map(({ address }) => address);
    expect(later).toEqual(accounts.map(({ address }) => address));
  });
});

describe('the votes of JUP in the genesis', () => {
  const [LOCKER, GOVERNOR, ESCROW, PART] = ['Locker', 'Governor', 'Escrow', 'PartialUnstaking'];

  it('have a locker that is the sum of its escrows, with a governor', () => {
    const [locker] = find(VOTER, LOCKER);
    const escrows = find(VOTER, ESCROW).filter(({ at }) => at.address(8) === locker?.address);
    expect(locker?.address).toBe(pda(VOTER, 'Locker', locker?.at.bytes(8, 32) ?? new Uint8Array(32)));
    expect(locker?.at.u64(81)).toBe(BigInt(escrows.length));
    expect(locker?.at.u64(73)).toBe(sumAmounts(escrows.map(({ at }) => at.u64(105) + at.u64(162))));
    const [governor] = find('GovaE4iu227srtG2s3tZzB4RmWBzw8sTwrCLZz7kN7rY', GOVERNOR);
    expect(governor?.address).toBe(locker?.at.address(89));
    expect(governor?.at.address(49)).toBe(locker?.address);
  });

  it('have escrows that hold their stake and what is being unstaked, which is the sum of its parts', () => {
    const escrows = find(VOTER, ESCROW);
    expect(escrows).not.toEqual([]);
    const parts = find(VOTER, PART);
    expect(new Set(parts.map(({ at }) => at.length)).size).toBeGreaterThan(1);
    for (const { address, at } of escrows) {
      expect(address).toBe(pda(VOTER, 'Escrow', at.address(8), at.address(40)));
      const own = parts.filter((part) => part.at.address(8) === address);
      expect(at.u64(162)).toBe(sumAmounts(own.map((part) => part.at.u64(40))));
      for (const part of own) expect(part.at.length).toBe(156 + part.at.u32(152));
      expect(holding(at.address(73))).toMatchObject({ owner: address, amount: at.u64(105) + at.u64(162) });
    }
  });
});

describe('locks and airdrops in the genesis', () => {
  it('hold what is not claimed yet, at the addresses that their bases derive', () => {
    const LOCK = 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn';
    const escrows = find(LOCK, 'VestingEscrow');
    expect(escrows).not.toEqual([]);
    for (const { address, at } of escrows) {
      expect(address).toBe(pda(LOCK, 'escrow', at.address(104)));
      const left = at.u64(160) + at.u64(168) * at.u64(176) - at.u64(184);
      expect(associated(address, at.address(40))).toMatchObject({ amount: left });
    }
  });

  it('have distributors that are the sum of their claims, whose shares are in the tree', () => {
    const distributors = find(DISTRIBUTOR, 'MerkleDistributor');
    expect(distributors).not.toEqual([]);
    for (const { address, at } of distributors) {
      expect(address).toBe(
        pda(DISTRIBUTOR, 'MerkleDistributor', at.address(72), at.address(40), at.bytes(264, 8)),
      );
      const claims = find(DISTRIBUTOR, 'ClaimStatus').filter((claim) => claim.at.address(40) === address);
      expect(at.u64(296)).toBe(BigInt(claims.length));
      const paid = claims.map((claim) => claim.at.u64(112) + claim.at.u64(120) + claim.at.u64(128));
      expect(at.u64(288)).toBe(sumAmounts(paid));
      expect(holding(at.address(104))).toMatchObject({ owner: address, amount: at.u64(272) - at.u64(288) });
      expect(associated(at.address(168), at.address(40))).toMatchObject({ amount: 0n });
      for (const claim of claims) {
        expect(claim.address).toBe(pda(DISTRIBUTOR, 'ClaimStatus', claim.at.address(72), address));
        expect(claim.at.address(8)).toBe(at.address(168));
        const share = [claim.at.bytes(72, 32), claim.at.bytes(120, 8), claim.at.bytes(104, 8)];
        const leaf = sha256(Buffer.from([0]), sha256(...share));
        expect(Buffer.from(at.bytes(8, 32))).toEqual(leaf);
      }
    }
  });
});

describe('orders in the genesis', () => {
  it('hold what is left of their input, and what they have bought and not paid out', () => {
    const left = {
      j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X: (at: Bytes) => [[at.address(168), at.u64(224)]],
      jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu: (at: Bytes) => [[at.address(201), at.u64(121)]],
      DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M: (at: Bytes) => [
        [at.address(184), at.u64(120) - at.u64(128) - at.u64(144)],
        [at.address(216), at.u64(152) - at.u64(136)],
      ],
      VALaaymxQh2mNy2trH9jUqHT1mTow76wpTcGmSWSwJe: (at: Bytes) => [
        [at.address(130), at.u64(275)],
        [at.address(130), at.u64(267) - at.u64(283) - at.u64(291)],
        [at.address(162), at.u64(299) - at.u64(307)],
      ],
    };
    for (const [program, heldBy] of Object.entries(left)) {
      const orders = ['Order', 'Dca', 'ValueAverage'].flatMap((type) => find(program, type));
      expect(orders, program).not.toEqual([]);
      for (const { address, at } of orders) {
        for (const [vault, amount] of heldBy(at)) {
          expect(holding(vault as Address), program).toMatchObject({ owner: address, amount });
        }
      }
    }
  });
});

describe('the DCA program in the genesis', () => {
  it('has orders at the addresses that their fields derive', () => {
    const orders = find(DCA, 'Dca');
    expect(orders).not.toEqual([]);
    for (const { address, at } of orders) {
      expect(address).toBe(pda(DCA, 'dca', at.address(8), at.address(40), at.address(72), at.bytes(104, 8)));
    }
  });

  it('names a keeper, which has SOL, and an admin of its fees', () => {
    const [authority] = find(DCA, 'FeeAuthority');
    expect(authority?.address).toBe(pda(DCA, 'fee'));
    expect(authority?.at.length).toBe(300);
    expect(authority?.at.u32(40)).toBe(1);
    expect(authority?.at.address(8)).toBe(keys.feeOwner.address);
    expect(authority?.at.address(44)).toBe(keys.dcaKeeper.address);
    expect(byAddress.get(keys.dcaKeeper.address)?.lamports).toBe(100_000_000_000n);
  });
});

describe('the perpetuals in the genesis', () => {
  const [pool] = find(PERPETUALS, 'Pool');
  const custodies = find(PERPETUALS, 'Custody');
  const positions = find(PERPETUALS, 'Position');
  const [authority, poolAddress] = [
    pda(PERPETUALS, 'transfer_authority'),
    pda(PERPETUALS, 'pool', Buffer.from('Pool')),
  ];
  const JLP = pda(PERPETUALS, 'lp_token_mint', poolAddress);

  it('have a pool, of which the program and all custodies know', () => {
    expect(pool?.address).toBe(poolAddress);
    const [program] = find(PERPETUALS, 'Perpetuals');
    expect(program?.address).toBe(pda(PERPETUALS, 'perpetuals'));
    expect(program?.at.address(19)).toBe(pool?.address);
    expect(pool?.at.u32(16)).toBe(custodies.length);
    const listed = custodies.map((_, index) => pool?.at.address(20 + 32 * index));
    expect(new Set(listed)).toEqual(new Set(custodies.map(({ address }) => address)));
    expect(sumAmounts(custodies.map(({ at }) => at.u64(206)))).toBe(10_000n);
  });

  it('have custodies that are the sums of the positions and loans, and hold the tokens', () => {
    const loans = find(PERPETUALS, 'BorrowPosition');
    for (const { address, at } of custodies) {
      expect(address).toBe(pda(PERPETUALS, 'custody', at.address(8), at.address(40)));
      const longs = positions.filter((each) => each.at.address(72) === address && each.at.u8(152) === 1);
      const shorts = positions.filter((each) => each.at.address(72) === address && each.at.u8(152) === 2);
      const backed = positions.filter((each) => each.at.address(104) === address);
      expect(at.u64(230), address).toBe(sumAmounts(backed.map((each) => each.at.u64(201))));
      expect(at.u64(238)).toBe(sumAmounts(longs.map((each) => each.at.u64(161) - each.at.u64(169))));
      expect(at.u64(246)).toBe(sumAmounts(shorts.map((each) => each.at.u64(161))));
      expect(new Set(shorts.map((each) => each.at.u64(153)))).toEqual(
        new Set(shorts.length ? [at.u64(254)] : []),
      );
      const collateral = backed.filter((each) => each.at.u8(152) === 2).map((each) => each.at.u64(169));
      expect(at.address(72)).toBe(pda(PERPETUALS, 'custody_token_account', at.address(8), at.address(40)));
      const expected = {
        owner: authority,
        mint: at.address(40),
        amount: at.u64(222) + sumAmounts(collateral),
      };
      expect(holding(at.address(72))).toMatchObject(expected);
      const debts = loans.filter((loan) => loan.at.address(72) === address);
      const owed = debts.map((loan) => (loan.at.u128(120) * at.u128(972)) / loan.at.u128(136));
      expect(at.u128(1_004) / 1_000_000n).toBe(sumAmounts(owed));
      expect(at.u128(1_020)).toBe(
        at.u128(1_004) - sumAmounts(debts.map((loan) => loan.at.u128(120))) * 1_000_000n,
      );
    }
    const pledged = loans.map((loan) => loan.at.u64(152));
    const kept = tokens.filter(({ owner, mint }) => owner === authority && mint === JLP);
    expect(sumAmounts(kept.map(({ amount }) => amount))).toBe(sumAmounts(pledged));
  });

  it('have positions and requests at the addresses that their terms derive, of custodies of the pool', () => {
    const all = new Set<string>(custodies.map(({ address }) => address));
    for (const { address, at } of positions) {
      const parts = [at.address(8), at.address(40), at.address(72), at.address(104)];
      expect(address).toBe(pda(PERPETUALS, 'position', ...parts, Uint8Array.of(at.u8(152))));
      expect([all.has(at.address(72)), all.has(at.address(104)), at.u64(201) > 0n]).toEqual([
        true,
        true,
        true,
      ]);
    }
    const requests = find(PERPETUALS, 'PositionRequest');
    expect(requests).not.toEqual([]);
    for (const { address, at } of requests) {
      expect(positions.map((position) => position.address)).toContain(at.address(104));
      const counter = at.bytes(220, 8);
      expect(address).toBe(pda(PERPETUALS, 'position_request', at.address(104), counter, Uint8Array.of(2)));
      expect(associated(address, at.address(136))).toMatchObject({ amount: 0n });
    }
  });

  it('have a pool that is worth what its token costs, within a twentieth', () => {
    const supply = decodeMint(dataOf(JLP)).supply;
    const worth = pool?.at.u128(20 + 32 * custodies.length) ?? 0n;
    const price = Number(worth) / Number(supply);
    expect(price / (Number(getNanoUsd('JLP')) / 1e9)).toBeGreaterThan(0.95);
    expect(price / (Number(getNanoUsd('JLP')) / 1e9)).toBeLessThan(1.05);
  });
});

const SEED = 'accounts of public programs';
const { accounts, keys } = buildGenesis(SEED);
const byAddress = new Map(accounts.map(({ address, account }) => [address, account]));
const tokens = accounts
  .filter(({ account }) => account.owner === TOKEN_PROGRAM && account.data.length === 165)
  .map(({ address, account }) => ({ address, ...decodeTokenAccount(account.data) }));

/** Reads numbers and addresses at offsets. */
class Bytes {
  readonly #data: Buffer;

  constructor(data: Uint8Array) {
    this.#data = Buffer.from(data);
  }

  get length(): number {
    return this.#data.length;
  }

  readonly u8 = (at: number): number => this.#data.readUInt8(at);
  readonly u32 = (at: number): number => this.#data.readUInt32LE(at);
  readonly u64 = (at: number): bigint => this.#data.readBigUInt64LE(at);
  readonly u128 = (at: number): bigint => this.u64(at) + (this.u64(at + 8) << 64n);
  readonly bytes = (at: number, length: number): Uint8Array =>
    new Uint8Array(this.#data.subarray(at, at + length));
  readonly address = (at: number): Address => toAddress(this.bytes(at, 32));
}

/** Returns the accounts of a type of an Anchor program. */
function find(program: string, type: string) {
  const tag = createHash('sha256').update(`account:${type}`).digest().subarray(0, 8);
  return accounts
    .filter(({ account }) => account.owner === program && tag.equals(account.data.subarray(0, 8)))
    .map(({ address, account }) => ({ address, at: new Bytes(account.data) }));
}

function pda(program: string, name: string, ...seeds: readonly (string | Uint8Array)[]): Address {
  const bytes = seeds.map((seed) => (typeof seed === 'string' ? toAddressBytes(seed as Address) : seed));
  return findProgramAddress(program as Address, [Buffer.from(name), ...bytes]).address;
}

function dataOf(address: Address): Uint8Array {
  return byAddress.get(address)?.data ?? new Uint8Array(0);
}

function holding(address: Address) {
  return decodeTokenAccount(dataOf(address));
}

/** The associated account of an owner of tokens of the classic token program. */
function associated(owner: Address, mint: Address) {
  return tokens.find((each) => each.owner === owner && each.mint === mint);
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const DCA = 'DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M';
const VOTER = 'voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj';
const DISTRIBUTOR = 'DiS3nNjFVMieMgmiQFm6wgJL7nevk4NrhXKLbtEH1Z2R';
const PERPETUALS = 'PERPHjGBqRHArX4DySjwM6UJHiR3sWAatqfdBS2qQJu';
