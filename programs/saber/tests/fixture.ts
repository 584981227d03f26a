import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type SaberAddresses, deriveSaberAuthority } from '../../../src/protocols/saber/addresses.ts';
import type { SaberParties } from '../../../src/protocols/saber/instructions.ts';
import {
  encodeSaber,
  type SaberFees,
  type SaberAccount,
  type SaberSides,
} from '../../../src/protocols/saber/layout.ts';
import { SABER_PROGRAM } from '../../../src/protocols/saber/program.ts';
import { type Address, toAddress } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';

/** Returns an address that depends only on its name. */
export function namedAddress(name: string): Address {
  return toAddress(createHash('sha256').update(`stable-swap:${name}`).digest());
}

export const NOW = 1_800_000_000n;
export const ADMIN = namedAddress('admin');
const address = namedAddress('pool');
const { address: authority, bump: nonce } = deriveSaberAuthority(address);

export const POOL: SaberAddresses = {
  address,
  authority,
  lpMint: namedAddress('lp mint'),
  mints: [namedAddress('mint a'), namedAddress('mint b')],
  reserves: [namedAddress('reserve a'), namedAddress('reserve b')],
  adminFees: [namedAddress('admin fees a'), namedAddress('admin fees b')],
};
export const NONCE = nonce;
export const USER: SaberParties = {
  owner: namedAddress('user'),
  tokens: [namedAddress('user a'), namedAddress('user b')],
  lpToken: namedAddress('user lp'),
};

/** A fee of 4 bps, half of which is the admin's. Withdrawals cost 0.5 %, half of which is the admin's too. */
export const FEES: SaberFees = {
  adminTrade: { numerator: 50n, denominator: 100n },
  adminWithdraw: { numerator: 50n, denominator: 100n },
  trade: { numerator: 4n, denominator: 10_000n },
  withdraw: { numerator: 5n, denominator: 1000n },
};

export const PLAIN_POOL: SaberAccount = {
  initialized: true,
  paused: false,
  nonce,
  futureAdminDeadline: 0n,
  futureAdmin: SYSTEM_PROGRAM,
  admin: ADMIN,
  reserves: POOL.reserves,
  lpMint: POOL.lpMint,
  mints: POOL.mints,
  adminFees: POOL.adminFees,
  fees: FEES,
  amplification: { initial: 100n, target: 100n, start: 0n, stop: 0n },
};

export interface SaberSpec {
  readonly pool?: Partial<SaberAccount>;
  readonly balances?: SaberSides<bigint>;
  readonly lpSupply?: bigint;
  readonly adminFrozen?: boolean;
}

const MILLION_UNITS = 1_000_000_000_000n;

export function writeTokens(
  network: TestNetwork,
  at: Address,
  holding: { mint: Address; owner: Address; amount: bigint; frozen?: boolean },
): void {
  const { mint, owner, amount, frozen = false } = holding;
  const data = ordinaryTokenAccount({ mint, owner, amount, state: frozen ? 'frozen' : 'initialized' });
  network.setData(at, TOKEN_PROGRAM, data);
}

export function writeMint(
  network: TestNetwork,
  at: Address,
  mintAuthority: Address | null,
  supply: bigint,
): void {
  const data = encodeMint({ mintAuthority, supply, decimals: 6, freezeAuthority: null, extensions: [] });
  network.setData(at, TOKEN_PROGRAM, data);
}

/**
 * Writes a pool that has been used: reserves, the admin's accounts, and the LP mint, whose whole supply the user has.
 */
export function writeSaber(network: TestNetwork, spec: SaberSpec = {}): void {
  const [a, b] = spec.balances ?? [MILLION_UNITS, MILLION_UNITS];
  const lpSupply = spec.lpSupply ?? a + b;
  network.setData(POOL.address, SABER_PROGRAM, encodeSaber({ ...PLAIN_POOL, ...spec.pool }));
  for (const side of [0, 1] as const) {
    const mint = POOL.mints[side];
    writeTokens(network, POOL.reserves[side], { mint, owner: authority, amount: side === 0 ? a : b });
    const frozen = spec.adminFrozen ?? false;
    writeTokens(network, POOL.adminFees[side], { mint, owner: ADMIN, amount: 0n, frozen });
  }
  writeMint(network, POOL.lpMint, authority, lpSupply);
  writeTokens(network, USER.lpToken, { mint: POOL.lpMint, owner: USER.owner, amount: lpSupply });
}

export function writeUser(network: TestNetwork, amounts: SaberSides<bigint>): void {
  for (const side of [0, 1] as const) {
    const mint = POOL.mints[side];
    writeTokens(network, USER.tokens[side], { mint, owner: USER.owner, amount: amounts[side] });
  }
}

export function writeMints(network: TestNetwork): void {
  for (const mint of POOL.mints) writeMint(network, mint, null, 1n << 62n);
}

export interface SwapCase {
  readonly spec: SaberSpec;
  readonly balances: SaberSides<bigint>;
  readonly inputSide: 0 | 1;
  readonly amount: bigint;
}

/** Small and large numbers are equally frequent, because rounding errors show in small numbers. */
const upTo = (bits: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.bigInt(0n, (1n << BigInt(bits)) - 1n))
    .map(([shift, value]) => value >> BigInt(shift));
const amplification = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1n, 10n, 100n, 2000n, 1_000_000n) },
  fc.bigInt(1n, 1_000_000n),
);
const ratio = (most: bigint) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant({ numerator: 0n, denominator: 1000n }) },
    {
      weight: 4,
      arbitrary: fc.record({
        numerator: fc.bigInt(0n, most),
        denominator: fc.constantFrom(10_000n, 10_000_000n),
      }),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(upTo(63), fc.bigInt(0n, 1000n))
        .map(([size, share]) => ({ numerator: (size * share) / 1000n, denominator: size })),
    },
  );
const fees: fc.Arbitrary<SaberFees> = fc.record({
  adminTrade: ratio(5000n),
  adminWithdraw: ratio(5000n),
  trade: ratio(100n),
  withdraw: ratio(100n),
});
export const poolSpec: fc.Arbitrary<SaberSpec & { readonly balances: SaberSides<bigint> }> = fc
  .record({
    initial: amplification,
    target: amplification,
    start: fc.constantFrom(0n, NOW - 90_000n, NOW - 1n),
    stop: fc.constantFrom(0n, NOW - 1n, NOW, NOW + 1n, NOW + 86_400n),
    fees,
    paused: fc.integer({ min: 0, max: 40 }).map((roll) => roll === 0),
    adminFrozen: fc.integer({ min: 0, max: 40 }).map((roll) => roll === 0),
    first: upTo(62).map((value) => value + 1n),
    /** The second reserve in thousandths of the first, mostly near the balance that such pools keep. */
    second: fc.oneof(
      { weight: 6, arbitrary: fc.bigInt(500n, 2000n) },
      { weight: 3, arbitrary: fc.bigInt(1n, 100_000n) },
      { weight: 1, arbitrary: fc.bigInt(0n, 10n) },
    ),
    lpShare: fc.bigInt(500n, 1000n),
  })
  .map(({ initial, target, start, stop, fees, paused, adminFrozen, first, second, lpShare }) => {
    const other = (first * second) / 1000n;
    const balances: SaberSides<bigint> = [first, other >= 1n << 63n ? first : other];
    const pool = { amplification: { initial, target, start, stop }, fees, paused };
    const lpSupply = ((balances[0] + balances[1]) * lpShare) / 1000n;
    return { pool, balances, adminFrozen, lpSupply };
  });

/** Swaps in pools of every kind. More than half of them succeed. */
export const swapCase: fc.Arbitrary<SwapCase> = fc
  .record({
    spec: poolSpec,
    inputSide: fc.constantFrom<0 | 1>(0, 1),
    share: fc.oneof(fc.bigInt(0n, 1_000_000n), fc.bigInt(0n, 1000n)),
    own: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.bigInt(0n, 20n), upTo(63)),
  })
  .map(({ spec, inputSide, share, own }) => ({
    spec,
    inputSide,
    balances: spec.balances,
    amount: own ?? (spec.balances[inputSide] * share) / 1_000_000n,
  }));
