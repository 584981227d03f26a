import { createHash } from 'node:crypto';
import {
  deriveStakeDepositAuthority,
  deriveStakedexFeeAccount,
  deriveWithdrawAuthority,
} from '../../../src/protocols/spl-stake-pool/addresses.ts';
import type { StakePoolAddresses } from '../../../src/protocols/spl-stake-pool/instructions.ts';
import {
  encodeReserve,
  encodeStakePool,
  encodeValidatorList,
  type StakePoolFee,
  STAKE_POOL_SIZE,
  type StakePoolAccount,
  type ValidatorStake,
} from '../../../src/protocols/spl-stake-pool/layout.ts';
import { SOL_BRIDGE_OUT, STAKE_POOL_PROGRAM } from '../../../src/protocols/spl-stake-pool/program.ts';
import { type Address, toAddress } from '../../../src/solana/address.ts';
import {
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../src/solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { encodeTokenAccount, TOKEN_ACCOUNT_SIZE } from '../../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';

/** Returns an address that depends only on its name. */
export function namedAddress(name: string): Address {
  return toAddress(createHash('sha256').update(`stake-pool:${name}`).digest());
}

export const EPOCH = 500n;
export const NO_FEE: StakePoolFee = { denominator: 0n, numerator: 0n };
/** The minimum balance of an initialized stake account. */
const RESERVE_RENT = computeRentExemptMinimum(200);
const TOKEN_RENT = computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE);

export interface StakePoolSpec {
  readonly pool?: Partial<StakePoolAccount>;
  /** Lamports that the reserve holds beyond its rent. */
  readonly reserve?: bigint;
  readonly validators?: readonly ValidatorStake[];
}

export interface StakePoolWorld {
  readonly pool: StakePoolAddresses;
  /** A wallet with lamports, and with accounts of the pool's token and of wrapped SOL. */
  readonly user: { readonly wallet: Address; readonly tokens: Address; readonly wrappedSol: Address };
  readonly referrer: Address;
}

const pool = namedAddress('pool');
export const WORLD: StakePoolWorld = {
  pool: {
    address: pool,
    withdrawAuthority: deriveWithdrawAuthority(pool).address,
    validatorList: namedAddress('validator list'),
    reserve: namedAddress('reserve'),
    mint: namedAddress('mint'),
    managerFeeAccount: namedAddress('manager fee'),
    tokenProgram: TOKEN_PROGRAM,
  },
  user: {
    wallet: namedAddress('user'),
    tokens: namedAddress('user tokens'),
    wrappedSol: namedAddress('user wrapped sol'),
  },
  referrer: namedAddress('referrer'),
};

/** A pool of a million SOL at 1.25 lamports per token, without fees, updated in this epoch. */
export const PLAIN_POOL: StakePoolAccount = {
  manager: namedAddress('manager'),
  staker: namedAddress('staker'),
  stakeDepositAuthority: deriveStakeDepositAuthority(pool),
  withdrawAuthorityBump: deriveWithdrawAuthority(pool).bump,
  validatorList: WORLD.pool.validatorList,
  reserve: WORLD.pool.reserve,
  mint: WORLD.pool.mint,
  managerFeeAccount: WORLD.pool.managerFeeAccount,
  tokenProgram: TOKEN_PROGRAM,
  totalLamports: 1_000_000_000_000_000n,
  tokenSupply: 800_000_000_000_000n,
  lastUpdateEpoch: EPOCH,
  lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
  epochFee: { denominator: 100n, numerator: 4n },
  nextEpochFee: null,
  preferredDepositValidator: null,
  preferredWithdrawValidator: null,
  stakeDepositFee: NO_FEE,
  stakeWithdrawalFee: NO_FEE,
  nextStakeWithdrawalFee: null,
  stakeReferralFee: 0,
  solDepositAuthority: null,
  solDepositFee: NO_FEE,
  solReferralFee: 0,
  solWithdrawAuthority: null,
  solWithdrawalFee: NO_FEE,
  nextSolWithdrawalFee: null,
  lastEpochTokenSupply: 0n,
  lastEpochTotalLamports: 0n,
};

export interface Holding {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly frozen?: boolean;
}

export function writeTokens(network: TestNetwork, address: Address, holding: Holding): void {
  const { mint, owner, amount, frozen = false } = holding;
  const native = mint === WRAPPED_SOL_MINT;
  const data = encodeTokenAccount({
    mint,
    owner,
    amount,
    delegate: null,
    state: frozen ? 'frozen' : 'initialized',
    nativeReserve: native ? TOKEN_RENT : null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  });
  const lamports = native ? TOKEN_RENT + amount : TOKEN_RENT;
  network.setAccount(address, { lamports, owner: TOKEN_PROGRAM, data, executable: false, rentEpoch: 0n });
}

export function writeLamports(
  network: TestNetwork,
  address: Address,
  lamports: bigint,
  owner: Address = SYSTEM_PROGRAM,
  data: Uint8Array = new Uint8Array(0),
): void {
  network.setAccount(address, { lamports, owner, data, executable: false, rentEpoch: 0n });
}

/** Writes the accounts that a deposit or withdrawal uses, except those of the user. */
export function writeStakePool(network: TestNetwork, spec: StakePoolSpec = {}): StakePoolAccount {
  const account = { ...PLAIN_POOL, ...spec.pool };
  const { address, withdrawAuthority: authority, mint } = WORLD.pool;
  const reserve = spec.reserve ?? account.totalLamports;
  network.setData(address, STAKE_POOL_PROGRAM, encodeStakePool(account));
  const reserveData = encodeReserve(authority, RESERVE_RENT);
  writeLamports(network, WORLD.pool.reserve, RESERVE_RENT + reserve, STAKE_PROGRAM, reserveData);
  const list = encodeValidatorList(spec.validators ?? [], 4);
  network.setData(WORLD.pool.validatorList, STAKE_POOL_PROGRAM, list);
  const supply = account.tokenSupply;
  const mintAccount = { mintAuthority: authority, supply, decimals: 9, freezeAuthority: null };
  network.setData(mint, TOKEN_PROGRAM, encodeMint({ ...mintAccount, extensions: [] }));
  writeTokens(network, WORLD.pool.managerFeeAccount, { mint, owner: PLAIN_POOL.manager, amount: 0n });
  writeTokens(network, WORLD.referrer, { mint, owner: WORLD.referrer, amount: 0n });
  return account;
}

/**
 * Writes the accounts of a pool that is not created yet: an empty pool account and list, no tokens, and the reserve.
 */
export function writeUnmade(network: TestNetwork, reserve: bigint): void {
  writeStakePool(network, { pool: { tokenSupply: 0n }, reserve });
  network.setData(WORLD.pool.address, STAKE_POOL_PROGRAM, new Uint8Array(STAKE_POOL_SIZE));
  network.setData(WORLD.pool.validatorList, STAKE_POOL_PROGRAM, new Uint8Array(9 + 4 * 73));
}

/** Writes the user's accounts, and those of the wrapper, which hold `kept` of both tokens. */
export function writeUser(
  network: TestNetwork,
  tokens: bigint,
  wrapped: bigint,
  lamports = 10n ** 15n,
  kept = 0n,
): void {
  const { wallet, tokens: account, wrappedSol } = WORLD.user;
  const { mint } = WORLD.pool;
  writeLamports(network, wallet, lamports);
  writeTokens(network, account, { mint, owner: wallet, amount: tokens });
  writeTokens(network, wrappedSol, { mint: WRAPPED_SOL_MINT, owner: wallet, amount: wrapped });
  writeLamports(network, SOL_BRIDGE_OUT, TOKEN_RENT);
  for (const each of [mint, WRAPPED_SOL_MINT]) {
    const { address } = deriveStakedexFeeAccount(each);
    writeTokens(network, address, { mint: each, owner: address, amount: kept });
  }
}

/** Writes the mint of wrapped SOL, which a fresh test network does not have. */
export function writeWrappedSolMint(network: TestNetwork): void {
  const mint = { mintAuthority: null, supply: 0n, decimals: 9, freezeAuthority: null, extensions: [] };
  network.setData(WRAPPED_SOL_MINT, TOKEN_PROGRAM, encodeMint(mint));
}
