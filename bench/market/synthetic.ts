import { createHash } from 'node:crypto';
import type { Account, AccountUpdate } from '../../src/chain/accounts.ts';
import type { Chain, ChainClock } from '../../src/chain/chain.ts';
import { encodeAmmConfig, encodePool } from '../../src/protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY_BUMP,
  RAYDIUM_CPMM_PROGRAM,
} from '../../src/protocols/raydium-cpmm/program/program.ts';
import { type Address, toAddress, compareAddresses } from '../../src/solana/address.ts';
import { TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { encodeTokenAccount } from '../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../src/solana/programs/token/mint.ts';

/** A constant-product pool of the synthetic market, with the numbers that an independent solver needs. */
export interface SyntheticPool {
  readonly address: Address;
  readonly mints: readonly [Address, Address];
  readonly reserves: readonly [bigint, bigint];
  readonly feeRate: bigint;
  readonly vaults: readonly [Address, Address];
}

export interface SyntheticMarket {
  readonly mints: readonly Address[];
  readonly pools: readonly SyntheticPool[];
  readonly chain: SyntheticChain;
}

const CLOCK: ChainClock = { slot: 1_000n, epoch: 1n, unixTimestamp: 1_800_000_000n };
const FEE_RATES = [100n, 500n, 2_500n, 10_000n] as const;

/** Numbers in [0, 1) that are the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A market of `poolCount` pools over `tokenCount` tokens: most pools pair a token with one of the first few, as on
 * mainnet. Prices agree within the fees, so no cycle is profitable.
 */
export function syntheticMarket(seed: number, tokenCount: number, poolCount: number): SyntheticMarket {
  const random = randomNumbers(seed);
  const name = (kind: string, index: number) => addressNamed(`${seed}:${kind}:${index}`);
  const mints = Array.from({ length: tokenCount }, (_, index) => name('mint', index));
  const prices = mints.map(() => 10 ** (random() * 4 - 2));
  const chain = new SyntheticChain();
  const mintData = encodeMint(plainMint(name('authority', 0)));
  for (const mint of mints) chain.set(mint, TOKEN_PROGRAM, mintData);
  const configs = FEE_RATES.map((feeRate, index) => ({ feeRate, address: name('config', index) }));
  for (const [index, { address, feeRate }] of configs.entries()) {
    chain.set(address, RAYDIUM_CPMM_PROGRAM, encodeAmmConfig(config(index, feeRate, name('owner', 0))));
  }
  const hubs = Math.max(2, Math.min(8, Math.floor(tokenCount / 4)));
  const pools = Array.from({ length: poolCount }, (_, index) => {
    const one = index < tokenCount ? index : Math.floor(random() * tokenCount);
    const other = pickOther(one, random() < 0.9 ? hubs : tokenCount, random);
    const [first, second] = inOrder(one, other, mints);
    const depth = 10 ** (8 + random() * 4);
    const skew = 1 + (random() - 0.5) * 0.0001;
    const reserves: [bigint, bigint] = [
      BigInt(Math.floor(depth / (prices[first] as number))),
      BigInt(Math.floor((depth / (prices[second] as number)) * skew)),
    ];
    const { feeRate, address: configured } = configs[
      Math.floor(random() * configs.length)
    ] as (typeof configs)[0];
    const pool: SyntheticPool = {
      address: name('pool', index),
      mints: [mints[first] as Address, mints[second] as Address],
      reserves,
      feeRate,
      vaults: [name('vault-0', index), name('vault-1', index)],
    };
    chain.addPool(pool, configured);
    return pool;
  });
  return { mints, pools, chain };
}

/** The part of the chain port that the pool index uses, over accounts in memory. */
export class SyntheticChain implements Pick<Chain, 'getAccounts' | 'getProgramAccounts' | 'clock'> {
  readonly #accounts = new Map<Address, AccountUpdate>();
  readonly #pools: AccountUpdate[] = [];
  readonly #watchers: ((updates: readonly AccountUpdate[]) => void)[] = [];

  set(address: Address, owner: Address, data: Uint8Array): void {
    const account: Account = { lamports: 1_000_000n, owner, data, executable: false, rentEpoch: 0n };
    this.#accounts.set(address, { address, slot: CLOCK.slot, account });
  }

  addPool(pool: SyntheticPool, configured: Address): void {
    for (const side of [0, 1] as const) {
      const data = encodeTokenAccount(vault(pool.mints[side], pool.reserves[side]));
      this.set(pool.vaults[side], TOKEN_PROGRAM, data);
    }
    this.set(pool.address, RAYDIUM_CPMM_PROGRAM, encodePool(poolAccount(pool, configured)));
    this.#pools.push(this.#accounts.get(pool.address) as AccountUpdate);
  }

  /** The update that the chain would send to watchers when a vault's balance changes. */
  vaultUpdate(pool: SyntheticPool, side: 0 | 1, amount: bigint, slot: bigint): AccountUpdate {
    const data = encodeTokenAccount(vault(pool.mints[side], amount));
    const account: Account = { lamports: 1n, owner: TOKEN_PROGRAM, data, executable: false, rentEpoch: 0n };
    return { address: pool.vaults[side], slot, account };
  }

  announce(updates: readonly AccountUpdate[]): void {
    for (const watcher of this.#watchers) watcher(updates);
  }

  /** All account data, which readers of the accounts keep. */
  dataBytes(): number {
    let total = 0;
    for (const { account } of this.#accounts.values()) total += account?.data.length ?? 0;
    return total;
  }

  clock(): ChainClock {
    return CLOCK;
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    return addresses.map(
      (address) => this.#accounts.get(address) ?? { address, slot: CLOCK.slot, account: null },
    );
  }

  async getProgramAccounts(program: Address): Promise<readonly AccountUpdate[]> {
    return program === RAYDIUM_CPMM_PROGRAM ? this.#pools : [];
  }

  watchProgram(): () => void {
    return () => {};
  }

  watchAccounts(
    _addresses: readonly Address[],
    onChange: (updates: readonly AccountUpdate[]) => void,
  ): () => void {
    this.#watchers.push(onChange);
    return () => {};
  }
}

function pickOther(one: number, among: number, random: () => number): number {
  for (;;) {
    const other = Math.floor(random() * among);
    if (other !== one) return other;
  }
}

function inOrder(one: number, other: number, mints: readonly Address[]): readonly [number, number] {
  return compareAddresses(mints[one] as Address, mints[other] as Address) < 0 ? [one, other] : [other, one];
}

function addressNamed(name: string): Address {
  return toAddress(createHash('sha256').update(name).digest());
}

function plainMint(mintAuthority: Address) {
  const supply = 10n ** 18n;
  return { mintAuthority, supply, decimals: 6, freezeAuthority: null, extensions: [] };
}

function config(index: number, tradeFeeRate: bigint, owner: Address) {
  return {
    bump: 255,
    disableCreatePool: false,
    index,
    tradeFeeRate,
    protocolFeeRate: 120_000n,
    fundFeeRate: 40_000n,
    createPoolFee: 0n,
    protocolOwner: owner,
    fundOwner: owner,
    creatorFeeRate: 0n,
    creatorFeeShareRate: 0n,
  };
}

function vault(mint: Address, amount: bigint) {
  return {
    mint,
    owner: RAYDIUM_CPMM_AUTHORITY,
    amount,
    delegate: null,
    state: 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  } as const;
}

function poolAccount({ address, mints, vaults }: SyntheticPool, configured: Address) {
  return {
    config: configured,
    creator: address,
    vaults,
    lpMint: address,
    mints,
    tokenPrograms: [TOKEN_PROGRAM, TOKEN_PROGRAM],
    observation: address,
    authorityBump: RAYDIUM_CPMM_AUTHORITY_BUMP,
    status: 0,
    lpDecimals: 9,
    decimals: [6, 6],
    lpSupply: 1n,
    protocolFees: [0n, 0n],
    fundFees: [0n, 0n],
    openTime: 0n,
    recentEpoch: 0n,
    creatorFeeOn: 0,
    creatorFeeEnabled: false,
    creatorFees: [0n, 0n],
  } as const;
}
