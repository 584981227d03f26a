import type { Account } from '../../src/chain/accounts.ts';
import { toLedgerMint } from '../../src/protocol/genesis/mints.ts';
import { getGenesisToken } from '../../src/solana/known-tokens.ts';
import { Swap } from '../../src/protocol/venue/aggregator-step.ts';
import type { MultipleElement } from '../../src/protocol/positions/element.ts';
import type { PositionFetcher } from '../../src/protocol/positions/fetcher.ts';
import type { PositionPlatform } from '../../src/protocol/positions/platform.ts';
import type { Protocol } from '../../src/protocol/protocol.ts';
import type { PoolState, Quote, Venue } from '../../src/protocol/venue/venue.ts';
import type { GenesisPool, VenueGenesis } from '../../src/protocol/genesis/venue-genesis.ts';
import { type Address, address } from '../../src/solana/address.ts';
import { ByteReader } from '../../src/solana/codec/byte-reader.ts';
import { ByteWriter } from '../../src/solana/codec/byte-writer.ts';
import { readonly, writable } from '../../src/solana/messages/instruction.ts';
import { findProgramAddress } from '../../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../src/solana/programs/token/account.ts';
import { U64_MAX } from '../../src/solana/units.ts';

/** The address of a public venue that the aggregator knows and for which Sluice has no adapter. */
export const NEW_VENUE_PROGRAM = address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8');

/** A pool that swaps one token for another at a fixed rate, in one direction. */
interface NewPool extends PoolState {
  readonly vaults: readonly [Address, Address];
  readonly available: bigint;
}

interface NewGenesisPool extends GenesisPool {
  readonly vaults: readonly [Address, Address];
}

/** Atoms of HNT per atom of USDC: one HNT, which costs more elsewhere, for one USDC. */
const RATE = 100n;
const DEPTH = 1_000_000_00000000n;

/** The format is described in programs/test-venue. The places are those of the aggregator's step `RaydiumV2`. */
const SCRIPT = new ByteWriter(32)
  .bytes(Uint8Array.of(1, 0, 7, 5, 3, 4, 6, 1))
  .u64(U64_MAX)
  .u64(RATE)
  .u64(1n)
  .finish();
const POOL_SIZE = SCRIPT.length + 4 * 32;

const derived = (role: string): Address => findProgramAddress(NEW_VENUE_PROGRAM, [Buffer.from(role)]).address;

export const newVenueGenesis: VenueGenesis<NewGenesisPool> = {
  sharedAccounts: [NEW_VENUE_PROGRAM],
  addPools: (ledger, { demoWallets }) => {
    const [usdc, hnt] = [getGenesisToken('USDC'), getGenesisToken('HNT')];
    const pool = { address: derived('pool'), vaults: [derived('usdc'), derived('hnt')] as const };
    const owner = demoWallets[0]?.address;
    if (owner === undefined) throw new Error('the genesis has no demo wallet');
    const data = new ByteWriter(POOL_SIZE).bytes(SCRIPT).address(usdc.mint).address(hnt.mint);
    for (const vault of pool.vaults) data.address(vault);
    ledger.addData(pool.address, NEW_VENUE_PROGRAM, data.finish());
    // The program has one authority for all accounts of a swap, so the taker owns the vaults.
    ledger.addTokens(pool.vaults[0], toLedgerMint(usdc), { owner, amount: 0n });
    ledger.addTokens(pool.vaults[1], toLedgerMint(hnt), { owner, amount: DEPTH });
    return [pool];
  },
  poolAccounts: ({ address: pool, vaults }) => [pool, ...vaults],
};

export const newVenue: Venue<NewPool> = {
  label: 'New venue',
  program: NEW_VENUE_PROGRAM,
  isPool: ({ owner, data }) => owner === NEW_VENUE_PROGRAM && data.length === POOL_SIZE,
  dependencies: (_address, account) => [layoutOf(account).vaults[1]],
  decode: (pool, read) => {
    const account = read(pool);
    if (account === null) return { unusable: 'the pool does not exist' };
    const { mints, vaults } = layoutOf(account);
    const vault = read(vaults[1]);
    if (vault === null) return { unusable: 'the vault does not exist' };
    return { address: pool, mints, vaults, available: decodeTokenAccount(vault.data).amount };
  },
  quoteExactIn: (pool, inputMint, amount) => quote(pool, inputMint, amount, amount * RATE),
  quoteExactOut: (pool, inputMint, amount) => {
    const inAmount = (amount + RATE - 1n) / RATE;
    return quote(pool, inputMint, inAmount, inAmount * RATE);
  },
  estimate: (pool, inputMint, amount) => {
    const out = amount * Number(RATE);
    return inputMint === pool.mints[0] && out <= Number(pool.available) ? out : 0;
  },
  routeStep: ({ address: pool, vaults }, _inputMint, { authority, source, destination }) => ({
    swap: Swap.raydiumV2,
    accounts: [
      readonly(NEW_VENUE_PROGRAM),
      readonly(TOKEN_PROGRAM),
      writable(pool),
      readonly(authority),
      writable(vaults[0]),
      writable(vaults[1]),
      writable(source),
      writable(destination),
      readonly(authority),
    ],
  }),
};

const NEW_PLATFORM: PositionPlatform = {
  id: 'new-platform',
  name: 'New platform',
  image: 'https://new-platform.example/icon.png',
  description: 'What the pools of the new venue hold for a wallet.',
  isDeprecated: false,
  tags: ['dex'],
  links: { website: 'https://new-platform.example/' },
};

/** Finds what is in the pools whose vaults the wallet owns. */
export const newPositions: PositionFetcher = {
  id: 'new-platform-pools',
  platformId: NEW_PLATFORM.id,
  fetch: async (wallet) => {
    const pools = await wallet.programAccounts(NEW_VENUE_PROGRAM, { dataSize: POOL_SIZE });
    const vaults = pools.map(({ account }) => layoutOf(account).vaults[1]);
    const accounts = await wallet.accounts(vaults);
    const elements = accounts.flatMap((account): MultipleElement[] => {
      const vault = account === null ? null : decodeTokenAccount(account.data);
      if (vault === null || vault.owner !== wallet.owner) return [];
      const asset = { type: 'token', mint: vault.mint, amount: vault.amount } as const;
      return [{ type: 'multiple', label: 'LiquidityPool', assets: [asset] }];
    });
    return { elements };
  },
};

/** The value that a newcomer exports from the folder's `index.ts`. */
export const newProtocol: Protocol = {
  name: 'test-venue',
  programs: [{ name: 'test-venue', address: NEW_VENUE_PROGRAM }],
  venue: newVenue,
  platforms: [NEW_PLATFORM],
  fetchers: [newPositions],
  genesis: { pools: newVenueGenesis },
  errors: [{ program: NEW_VENUE_PROGRAM, names: ['VenueClosed', 'RateMoved'], firstCode: 100 }],
};

function quote(pool: NewPool, inputMint: Address, inAmount: bigint, outAmount: bigint): Quote | null {
  if (inputMint !== pool.mints[0] || outAmount > pool.available) return null;
  return { inAmount, outAmount, feeAmount: 0n, feeMint: inputMint };
}

function layoutOf({ data }: Account): Pick<NewPool, 'mints' | 'vaults'> {
  const reader = new ByteReader(data.subarray(SCRIPT.length), 'a pool of the new venue');
  const mints = [reader.address(), reader.address()] as const;
  return { mints, vaults: [reader.address(), reader.address()] };
}
