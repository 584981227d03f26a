import type { Account, AccountUpdate } from '../chain/accounts.ts';
import type { LamportSupply } from '../chain/chain.ts';
import type { PoolHandle } from '../market/pools/liquidity.ts';
import { type Address, toAddress } from '../solana/address.ts';
import { TOKEN_PROGRAM } from '../solana/program-addresses.ts';
import { encodeMint } from '../solana/programs/token/mint.ts';
import { encodeMetadata } from '../solana/programs/token-metadata/account.ts';
import { deriveMetadataAddress, TOKEN_METADATA_PROGRAM } from '../solana/programs/token-metadata/program.ts';
import type { TokenPrice } from '../market-data/market-data.ts';
import type { WindowStats } from '../market-data/trades/trade.ts';
import { ManualTimers } from './timers.ts';
import type { ListedToken, TokenDecision } from '../tokens/decision.ts';
import type { TokenLaunches } from '../tokens/facts/launch.ts';
import { Tokens, type TokensOptions } from '../tokens/tokens.ts';

/** Returns an address that depends on the number alone. */
export function numbered(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return toAddress(bytes);
}

/** The launches of a network without any. */
export const NO_TOKEN_LAUNCHES: TokenLaunches = {
  find: () => null,
  creatorOf: () => null,
  countOf: () => 0,
};

/** A chain, pools, prices and decisions in memory, for tests of what is known of tokens. */
export class TokenWorld {
  readonly accounts = new Map<Address, Account>();
  readonly timers = new ManualTimers();
  readonly prices = new Map<Address, TokenPrice>();
  readonly stats = new Map<Address, WindowStats>();
  readonly decisions = new Map<Address, TokenDecision>();
  readonly #decided = new Set<(mint: Address) => void>();
  readonly #poolListeners = new Set<(handle: PoolHandle) => void>();
  readonly #pools: PoolHandle[] = [];
  readonly #seenAt = new Map<Address, number>();
  lamports: LamportSupply = { total: 600_000_000_000_000_000n, circulating: 540_000_000_000_000_000n };
  /** How many reads of accounts the chain has answered. */
  reads = 0;
  /** If set, the chain does not answer. */
  failure: Error | null = null;

  mint(
    mint: Address,
    { name, symbol }: { name?: string; symbol?: string } = {},
    supply = 1_000_000n,
  ): Address {
    const data = encodeMint({
      mintAuthority: null,
      freezeAuthority: null,
      supply,
      decimals: 6,
      extensions: [],
    });
    this.accounts.set(mint, account(TOKEN_PROGRAM, data));
    if (name !== undefined || symbol !== undefined) this.name(mint, name ?? '', symbol ?? '');
    return mint;
  }

  name(mint: Address, name: string, symbol: string): void {
    const data = encodeMetadata({
      updateAuthority: mint,
      mint,
      name,
      symbol,
      uri: '',
      sellerFeeBasisPoints: 0,
      creators: null,
      primarySaleHappened: false,
      isMutable: true,
      tokenStandard: 2,
    });
    this.accounts.set(deriveMetadataAddress(mint), account(TOKEN_METADATA_PROGRAM, data));
  }

  /** Adds a pool, or tells that it changed. */
  pool(address: Address, mints: readonly [Address, Address], openedAt: bigint | null = null): void {
    const handle = { venue: { openedAt: () => openedAt }, pool: { address, mints } } as unknown as PoolHandle;
    this.#pools.push(handle);
    const isNew = this.#poolListeners.size > 0 && !this.#seenAt.has(address);
    if (isNew) this.#seenAt.set(address, Math.floor(this.timers.now() / 1_000));
    for (const listener of this.#poolListeners) listener(handle);
  }

  decide(mint: Address, decision: TokenDecision | null): void {
    if (decision === null) this.decisions.delete(mint);
    else this.decisions.set(mint, decision);
    for (const listener of this.#decided) listener(mint);
  }

  price(mint: Address, liquidity: number, usdPrice = 1): void {
    this.prices.set(mint, {
      mint,
      usdPrice,
      dollarsPerAtom: usdPrice / 1e6,
      decimals: 6,
      scaled: null,
      multiplier: 1,
      slot: 5n,
      priceChange24h: null,
      liquidity,
      createdAt: null,
    });
  }

  open(options: Partial<TokensOptions> & { readonly listed?: readonly ListedToken[] } = {}): Promise<Tokens> {
    return Tokens.open({
      chain: {
        getAccounts: async (addresses) => this.#read(addresses),
        lamportSupply: async () => {
          if (this.failure !== null) throw this.failure;
          return this.lamports;
        },
        clock: () => ({
          slot: 5n,
          epoch: 0n,
          unixTimestamp: BigInt(Math.floor(this.timers.now() / 1_000)),
        }),
      },
      pools: {
        account: () => null,
        all: () => this.#pools,
        onChange: (listener) => {
          this.#poolListeners.add(listener);
          return () => this.#poolListeners.delete(listener);
        },
      },
      listed: [],
      launches: NO_TOKEN_LAUNCHES,
      decisions: {
        of: (mint) => this.decisions.get(mint) ?? null,
        mints: () => this.decisions.keys(),
        onChange: (listener) => {
          this.#decided.add(listener);
          return () => this.#decided.delete(listener);
        },
      },
      marketData: {
        price: (mint) => this.prices.get(mint) ?? null,
        stats: (mint) => this.stats.get(mint) ?? null,
        mints: () => this.stats.keys(),
        poolSeenAt: (pool) => this.#seenAt.get(pool) ?? null,
      },
      holderIndex: null,
      timers: this.timers,
      maxTokens: 1_000,
      onDefect: (error) => {
        if (error !== this.failure) throw error;
      },
      ...options,
    });
  }

  /** Lets the background refresh everything once. */
  async refresh(): Promise<void> {
    const before = this.reads;
    this.timers.advance(1_000);
    while (this.reads === before || this.timers.waiting === 0) await new Promise(setImmediate);
  }

  #read(addresses: readonly Address[]): AccountUpdate[] {
    this.reads++;
    if (this.failure !== null) throw this.failure;
    return addresses.map((address) => ({ address, slot: 5n, account: this.accounts.get(address) ?? null }));
  }
}

function account(owner: Address, data: Uint8Array): Account {
  return { lamports: 1n, owner, data, executable: false, rentEpoch: 0n };
}

/** Statistics of a window in which some wallets bought. */
export function boughtBy(traders: number, volume: number, changes: Partial<WindowStats> = {}): WindowStats {
  return {
    priceChange: null,
    liquidityChange: null,
    volumeChange: null,
    buyVolume: volume,
    sellVolume: 0,
    buyOrganicVolume: volume,
    sellOrganicVolume: 0,
    numBuys: traders,
    numSells: 0,
    numTraders: traders,
    numOrganicBuyers: traders,
    numNetBuyers: traders,
    ...changes,
  };
}
