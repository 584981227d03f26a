import { type SaberAddresses, deriveSaberAuthority } from './addresses.ts';
import { computeInvariant } from './curve.ts';
import { encodeSaber, type SaberFees } from './layout.ts';
import { SABER_PROGRAM } from './program.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import type { VenueGenesis } from '../../protocol/genesis/venue-genesis.ts';
import { computeAtomsWorth } from '../../protocol/genesis/prices.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';

/** A stable pool of the genesis: the plan from which its accounts are written. */
export interface PlannedStablePool {
  /** Symbols: token A, token B. Both are of SPL Token, with equal decimals. */
  readonly pair: readonly [string, string];
  /** The pool's address where mainnet has one. */
  readonly address?: Address;
  readonly amplification: bigint;
  /** Whole US dollars on each side, at the prices of the genesis. */
  readonly depth: bigint;
}

/** One basis point and half of it for the admin; withdrawals are free. */
export const STABLE_POOL_FEES: SaberFees = {
  adminTrade: { numerator: 5000n, denominator: 10_000n },
  adminWithdraw: { numerator: 5000n, denominator: 10_000n },
  trade: { numerator: 1n, denominator: 10_000n },
  withdraw: { numerator: 0n, denominator: 10_000n },
};

/** The order is part of the genesis: append only. */
export const PLANNED_STABLE_POOLS: readonly PlannedStablePool[] = [
  {
    pair: ['USDC', 'USDT'],
    address: 'YAkoNb6HKmSxQN9L8hiBE5tPJRsniSSMzND1boHmZxe' as Address,
    amplification: 5000n,
    depth: 6_000_000n,
  },
];

/** The pools of `PLANNED_STABLE_POOLS`, as `initialize` leaves them. */
export const saberGenesis: VenueGenesis<SaberAddresses> = {
  sharedAccounts: [SABER_PROGRAM],
  addPools: addStablePools,
  poolAccounts: ({ address, authority, reserves, adminFees }) => [
    address,
    authority,
    ...reserves,
    ...adminFees,
  ],
};

function addStablePools(ledger: AccountLedger, keys: GenesisKeys): SaberAddresses[] {
  return PLANNED_STABLE_POOLS.map((plan) => addStablePool(ledger, keys, plan));
}

function addStablePool(
  ledger: AccountLedger,
  { poolCreator, feeOwner }: GenesisKeys,
  plan: PlannedStablePool,
): SaberAddresses {
  const [a, b] = [getGenesisToken(plan.pair[0]), getGenesisToken(plan.pair[1])];
  const address = plan.address ?? keyless('pool', a.mint, b.mint);
  const { address: authority, bump } = deriveSaberAuthority(address);
  const pool: SaberAddresses = {
    address,
    authority,
    lpMint: keyless('lp mint', address),
    mints: [a.mint, b.mint],
    reserves: [keyless('reserve', address, a.mint), keyless('reserve', address, b.mint)],
    adminFees: [keyless('admin fees', address, a.mint), keyless('admin fees', address, b.mint)],
  };
  const amounts = [computeAtomsWorth(plan.depth, a), computeAtomsWorth(plan.depth, b)] as const;
  for (const [side, token] of [a, b].entries()) {
    const [reserve, adminFees] =
      side === 0 ? [pool.reserves[0], pool.adminFees[0]] : [pool.reserves[1], pool.adminFees[1]];
    const amount = side === 0 ? amounts[0] : amounts[1];
    ledger.addTokens(reserve, toLedgerMint(token), { owner: authority, amount });
    ledger.addTokens(adminFees, toLedgerMint(token), { owner: feeOwner.address, amount: 0n });
  }
  const { amplification: value } = plan;
  const data = encodeSaber({
    initialized: true,
    paused: false,
    nonce: bump,
    fees: STABLE_POOL_FEES,
    ...pool,
    amplification: { initial: value, target: value, start: 0n, stop: 0n },
    futureAdminDeadline: 0n,
    futureAdmin: SYSTEM_PROGRAM,
    admin: feeOwner.address,
  });
  ledger.addData(address, SABER_PROGRAM, data);
  addLpMint(
    ledger,
    pool,
    { owner: poolCreator.address, amount: computeInvariant(value, ...amounts) ?? 0n },
    a.decimals,
  );
  return pool;
}

function addLpMint(
  ledger: AccountLedger,
  { lpMint, authority }: SaberAddresses,
  holding: { readonly owner: Address; readonly amount: bigint },
  decimals: number,
): void {
  ledger.addAssociatedTokens({ mint: lpMint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] }, holding);
  const supply = ledger.supplyOf(lpMint);
  const mint = { mintAuthority: authority, supply, decimals, freezeAuthority: null, extensions: [] };
  ledger.addData(lpMint, TOKEN_PROGRAM, encodeMint(mint));
}

/** An address without a key, derived from its purpose and owner. */
function keyless(role: string, ...of: readonly Address[]): Address {
  return findProgramAddress(SABER_PROGRAM, [Buffer.from(role), ...of.map(toAddressBytes)]).address;
}
