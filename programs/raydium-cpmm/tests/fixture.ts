import { createHash } from 'node:crypto';
import {
  deriveRaydiumConfigAddress,
  type PoolAddresses,
  derivePoolAddresses,
} from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import type { LiquidityParties } from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import {
  type AmmConfig,
  encodeAmmConfig,
  encodeObservationState,
  encodePool,
  type RaydiumPoolAccount,
  type RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY_BUMP,
  RAYDIUM_CPMM_POOL_FEE_RECEIVER,
  RAYDIUM_CPMM_PROGRAM,
} from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { SwapParties } from '../../../src/protocol/venue/venue.ts';
import { type Address, toAddress } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../src/solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { type Extension, ExtensionType } from '../../../src/solana/programs/token/extensions.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import {
  type TransferFee,
  type TransferFeeConfig,
  encodeTransferFeeConfigExtension,
} from '../../../src/solana/programs/token/transfer-fee.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';

/** Returns an address that depends only on its name. */
export function namedAddress(name: string): Address {
  return toAddress(createHash('sha256').update(`constant-product:${name}`).digest());
}

/** A token. With extensions, or with `token2022`, it belongs to Token-2022. */
export interface Token {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly extensions: readonly Extension[];
}

export function token(name: string, extensions: readonly Extension[] = [], token2022 = false): Token {
  const tokenProgram = token2022 || extensions.length > 0 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  return { mint: namedAddress(name), tokenProgram, decimals: 6, extensions };
}

/** The transfer-fee extension with one fee for all epochs, or with another one from the newer's epoch on. */
export function withTransferFee(older: Fee, newer: Fee & { readonly epoch?: bigint } = older): Extension {
  return encodeTransferFeeConfigExtension(feeConfig(older, newer));
}

export type Fee = Pick<TransferFee, 'basisPoints' | 'maximumFee'>;

function feeConfig(older: Fee, newer: Fee & { readonly epoch?: bigint } = older): TransferFeeConfig {
  return {
    configAuthority: null,
    withdrawWithheldAuthority: null,
    withheldAmount: 0n,
    older: { epoch: 0n, ...older },
    newer: { epoch: 0n, ...newer },
  };
}

const HALF = 1n << 63n;

export function writeMint(network: TestNetwork, { mint, tokenProgram, decimals, extensions }: Token): void {
  const base = { mintAuthority: null, supply: HALF, decimals, freezeAuthority: null };
  network.setData(mint, tokenProgram, encodeMint({ ...base, extensions }));
}

export function writeTokenAccount(
  network: TestNetwork,
  address: Address,
  owner: Address,
  { mint, tokenProgram, extensions }: Token,
  amount: bigint,
): void {
  const account = ordinaryTokenAccount({
    mint,
    owner,
    amount,
    extensions: extensions.flatMap(accountExtension),
  });
  network.setData(address, tokenProgram, account);
}

/** Returns the extensions that Token-2022 requires of a token account whose mint has this extension. */
function accountExtension({ type }: Extension): readonly Extension[] {
  if (type === ExtensionType.TRANSFER_FEE_CONFIG) {
    return [{ type: ExtensionType.TRANSFER_FEE_AMOUNT, data: new Uint8Array(8) }];
  }
  if (type === ExtensionType.TRANSFER_HOOK) {
    return [{ type: ExtensionType.TRANSFER_HOOK_ACCOUNT, data: new Uint8Array(1) }];
  }
  return type === ExtensionType.PAUSABLE
    ? [{ type: ExtensionType.PAUSABLE_ACCOUNT, data: new Uint8Array(0) }]
    : [];
}

export const CONFIG: AmmConfig = {
  bump: 255,
  disableCreatePool: false,
  index: 0,
  tradeFeeRate: 2500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  createPoolFee: 0n,
  protocolOwner: namedAddress('protocol owner'),
  fundOwner: namedAddress('fund owner'),
  creatorFeeRate: 500n,
  creatorFeeShareRate: 0n,
};

export const CONFIG_ADDRESS = deriveRaydiumConfigAddress(0);

/** Writes an account that has only lamports. */
export function writeWallet(network: TestNetwork, address: Address, lamports = 10n ** 12n): void {
  const rest = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
  network.setAccount(address, { ...rest, lamports });
}

/** The differences from a plain pool of two tokens with a million units of each. */
export interface PoolSpec {
  readonly tokens?: RaydiumSides<Token>;
  readonly vaultAmounts?: RaydiumSides<bigint>;
  readonly config?: Partial<AmmConfig>;
  readonly pool?: Partial<RaydiumPoolAccount>;
}

export interface Pool {
  readonly addresses: PoolAddresses;
  /** In the order of the pool's mints. */
  readonly tokens: RaydiumSides<Token>;
  /** A provider with plenty of both tokens, and with all LP tokens but the locked ones. */
  readonly user: LiquidityParties;
}

const MILLION_UNITS = 1_000_000_000_000n;
const PLENTY = 1n << 60n;

/** Writes a pool as if it had been created and used: no instruction runs. */
export function writePool(network: TestNetwork, spec: PoolSpec = {}): Pool {
  const pool = layOut(spec.tokens ?? [token('a'), token('b')]);
  writePoolAccounts(network, pool, spec);
  for (const each of pool.tokens) writeMint(network, each);
  network.setData(pool.addresses.observation, RAYDIUM_CPMM_PROGRAM, freshObservation(pool.addresses.address));
  writeWallet(network, pool.user.owner);
  pool.tokens.forEach((each, side) => {
    writeTokenAccount(network, pool.user.tokens[side === 0 ? 0 : 1], pool.user.owner, each, PLENTY);
  });
  return pool;
}

/** Returns the user's accounts in a swap whose input is on `inputSide`. */
export function swapParties({ user }: Pool, inputSide: 0 | 1): SwapParties {
  const [source, destination] = [user.tokens[inputSide], user.tokens[inputSide === 0 ? 1 : 0]];
  return { authority: user.owner, source, destination };
}

/** Returns the addresses of a pool of these tokens, and of a user. */
export function layOut(tokens: RaydiumSides<Token>): Pool {
  const addresses = derivePoolAddresses(CONFIG_ADDRESS, tokens);
  const ordered: RaydiumSides<Token> =
    addresses.mints[0] === tokens[0].mint ? tokens : [tokens[1], tokens[0]];
  const owner = namedAddress('user');
  const user: LiquidityParties = {
    owner,
    lpToken: deriveAssociatedTokenAddress(owner, addresses.lpMint, TOKEN_PROGRAM),
    tokens: [namedAddress('user 0'), namedAddress('user 1')],
  };
  return { addresses, tokens: ordered, user };
}

/**
 * Writes the accounts that swaps and changes of liquidity use: configuration, pool, vaults, LP mint and LP tokens.
 */
export function writePoolAccounts(network: TestNetwork, pool: Pool, spec: PoolSpec): void {
  writeSwapAccounts(network, pool, spec);
  const { addresses, user } = pool;
  const { lpSupply } = { ...plainPool(pool), ...spec.pool };
  const minted = lpSupply > 100n ? lpSupply - 100n : 0n;
  const mintAuthority = RAYDIUM_CPMM_AUTHORITY;
  const lpMint = { mintAuthority, supply: minted, decimals: 9, freezeAuthority: null, extensions: [] };
  network.setData(addresses.lpMint, TOKEN_PROGRAM, encodeMint(lpMint));
  const lpToken = { mint: addresses.lpMint, tokenProgram: TOKEN_PROGRAM, decimals: 9, extensions: [] };
  writeTokenAccount(network, user.lpToken, user.owner, lpToken, minted);
}

/** Writes the accounts that a swap uses: configuration, pool and vaults. */
export function writeSwapAccounts(network: TestNetwork, pool: Pool, spec: PoolSpec): void {
  const { addresses, tokens } = pool;
  const amounts = spec.vaultAmounts ?? [MILLION_UNITS, MILLION_UNITS];
  const account = { ...plainPool(pool), ...spec.pool };
  network.setData(CONFIG_ADDRESS, RAYDIUM_CPMM_PROGRAM, encodeAmmConfig({ ...CONFIG, ...spec.config }));
  network.setData(addresses.address, RAYDIUM_CPMM_PROGRAM, encodePool(account));
  writeTokenAccount(network, addresses.vaults[0], RAYDIUM_CPMM_AUTHORITY, tokens[0], amounts[0]);
  writeTokenAccount(network, addresses.vaults[1], RAYDIUM_CPMM_AUTHORITY, tokens[1], amounts[1]);
}

function plainPool({ addresses, tokens }: Pool): RaydiumPoolAccount {
  return {
    config: addresses.config,
    creator: namedAddress('creator'),
    vaults: addresses.vaults,
    lpMint: addresses.lpMint,
    mints: addresses.mints,
    tokenPrograms: addresses.tokenPrograms,
    observation: addresses.observation,
    authorityBump: RAYDIUM_CPMM_AUTHORITY_BUMP,
    status: 0,
    lpDecimals: 9,
    decimals: [tokens[0].decimals, tokens[1].decimals],
    lpSupply: MILLION_UNITS,
    protocolFees: [0n, 0n],
    fundFees: [0n, 0n],
    openTime: 0n,
    recentEpoch: 0n,
    creatorFeeOn: 0,
    creatorFeeEnabled: false,
    creatorFees: [0n, 0n],
  };
}

function freshObservation(pool: Address): Uint8Array {
  return encodeObservationState({
    initialized: false,
    index: 0,
    pool,
    observations: [],
    lastUpdateTimestamp: 0n,
  });
}

/** Writes the wrapped-SOL account that the creation of a pool needs, as on mainnet, and the mint of wrapped SOL. */
export function writePoolFeeReceiver(network: TestNetwork): void {
  writeMint(network, { mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM, decimals: 9, extensions: [] });
  const rent = network.svm.minimumBalanceForRentExemption(165n);
  const data = ordinaryTokenAccount({
    mint: WRAPPED_SOL_MINT,
    owner: namedAddress('fee treasury'),
    amount: 0n,
    nativeReserve: rent,
  });
  network.setData(RAYDIUM_CPMM_POOL_FEE_RECEIVER, TOKEN_PROGRAM, data);
}
