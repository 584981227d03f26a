import { createHash } from 'node:crypto';
import type { Account } from '../../chain/accounts.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeTokenAccount, type TokenAccount } from '../../solana/programs/token/account.ts';
import type { Extension } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import {
  deriveRaydiumConfigAddress,
  type PoolAddresses,
  derivePoolAddresses,
} from '../../protocols/raydium-cpmm/program/addresses.ts';
import {
  type AmmConfig,
  encodeAmmConfig,
  encodePool,
  type RaydiumPoolAccount,
  type RaydiumSides,
} from '../../protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_PROGRAM,
} from '../../protocols/raydium-cpmm/program/program.ts';

export const createNamedAddress = (name: string): Address =>
  toAddress(createHash('sha256').update(name).digest());
export const RESERVE = 1_000_000_000_000n;

export interface RaydiumPoolChanges {
  readonly pool?: Partial<RaydiumPoolAccount>;
  readonly config?: Partial<AmmConfig>;
  readonly vault?: Partial<TokenAccount>;
  readonly amounts?: RaydiumSides<bigint>;
  readonly extensions?: RaydiumSides<readonly Extension[]>;
}

export interface World {
  readonly addresses: PoolAddresses;
  readonly accounts: Map<Address, Account>;
}

/** A pool with a million units of both tokens, and the accounts that it depends on. */
export function createRaydiumWorld({
  pool,
  config,
  vault,
  amounts = [RESERVE, RESERVE],
  extensions = [[], []],
}: RaydiumPoolChanges = {}): World {
  const program = (side: 0 | 1): Address =>
    extensions[side].length > 0 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  // The names sort by their addresses as they stand.
  const addresses = derivePoolAddresses(deriveRaydiumConfigAddress(0), [
    { mint: createNamedAddress('mint a'), tokenProgram: program(0) },
    { mint: createNamedAddress('mint b'), tokenProgram: program(1) },
  ]);
  const accounts = new Map<Address, Account>();
  const put = (address: Address, owner: Address, data: Uint8Array): void => {
    accounts.set(address, { lamports: 1n, owner, data, executable: false, rentEpoch: 0n });
  };
  put(
    addresses.address,
    RAYDIUM_CPMM_PROGRAM,
    encodePool({ ...createRaydiumPoolAccount(addresses), ...pool }),
  );
  put(addresses.config, RAYDIUM_CPMM_PROGRAM, encodeAmmConfig({ ...CONFIG, ...config }));
  for (const side of [0, 1] as const) {
    const mint = {
      mintAuthority: null,
      supply: 0n,
      decimals: 6,
      freezeAuthority: null,
      extensions: extensions[side],
    };
    put(addresses.mints[side], program(side), encodeMint(mint));
    const holding = { ...VAULT, mint: addresses.mints[side], amount: amounts[side], ...vault };
    put(addresses.vaults[side], program(side), encodeTokenAccount(holding));
  }
  return { addresses, accounts };
}

const CONFIG: AmmConfig = {
  bump: 255,
  disableCreatePool: false,
  index: 0,
  tradeFeeRate: 2500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  createPoolFee: 0n,
  protocolOwner: createNamedAddress('protocol'),
  fundOwner: createNamedAddress('fund'),
  creatorFeeRate: 500n,
  creatorFeeShareRate: 0n,
};

export const VAULT: Omit<TokenAccount, 'mint' | 'amount'> = {
  owner: RAYDIUM_CPMM_AUTHORITY,
  delegate: null,
  state: 'initialized',
  nativeReserve: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  extensions: [],
};

export function createRaydiumPoolAccount(addresses: PoolAddresses): RaydiumPoolAccount {
  return {
    config: addresses.config,
    creator: createNamedAddress('creator'),
    vaults: addresses.vaults,
    lpMint: addresses.lpMint,
    mints: addresses.mints,
    tokenPrograms: addresses.tokenPrograms,
    observation: addresses.observation,
    authorityBump: 253,
    status: 0,
    lpDecimals: 9,
    decimals: [6, 6],
    lpSupply: RESERVE,
    protocolFees: [0n, 0n],
    fundFees: [0n, 0n],
    openTime: 0n,
    recentEpoch: 0n,
    creatorFeeOn: 0,
    creatorFeeEnabled: false,
    creatorFees: [0n, 0n],
  };
}
