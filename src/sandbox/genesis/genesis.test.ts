import { createHash } from 'node:crypto';
import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../protocols/raydium-cpmm/genesis/genesis.ts';
import { splStakePoolGenesis } from '../../protocols/spl-stake-pool/genesis.ts';
import { saberGenesis } from '../../protocols/saber/genesis.ts';
import { whirlpoolGenesis } from '../../protocols/whirlpool/genesis/genesis.ts';
import { meteoraDammV2Genesis } from '../../protocols/meteora-damm-v2/genesis/genesis.ts';
import { meteoraDbcVenueGenesis } from '../../protocols/meteora-dbc/genesis/genesis.ts';
import { decodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { EXAMPLE_LAUNCH } from '../../products/studio/endpoints/example-launch.ts';
import { describe, expect, it } from 'vitest';
import programs from '../../../programs/programs.json' with { type: 'json' };
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import { decodePool } from '../../protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../protocols/raydium-cpmm/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { decodeLookupTable } from '../../solana/messages/lookup-table.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint, isMint } from '../../solana/programs/token/mint.ts';
import { findTransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../solana/units.ts';
import { buildGenesis } from './build-genesis.ts';
import { deriveReceiptMintAddress } from '../../protocols/jupiter-lend/lending/addresses.ts';
import { COLLECTED_MINTS } from '../demo/collector.ts';
import { VAULTS_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import { PLANNED_POSITIONS } from '../../protocols/jupiter-lend/vaults/genesis/plan.ts';
import { POSITION } from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import { PLANNED_EARN_TOKENS } from '../../protocols/jupiter-lend/genesis/plan.ts';
import { DEFAULT_SEED, deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import { computeAtomsWorth } from '../../protocol/genesis/prices.ts';
import { type TokenInfo, findTokenByMint, findTokenBySymbol } from '../../solana/known-tokens.ts';

describe('buildGenesis', () => {
  it('returns the same bytes for the same seed, and others for another seed', () => {
    expect(buildGenesis('genesis test')).toEqual(genesis);
    const other = new Map(buildGenesis('another').accounts.map(({ address, account }) => [address, account]));
    const { demoWallets } = genesis.keys;
    for (const { address } of demoWallets) expect(other.has(address)).toBe(false);
  });

  it('returns the same bytes from one version to the next', () => {
    const hash = createHash('sha256');
    for (const { address, account } of genesis.accounts) {
      const { lamports, owner, data, executable, rentEpoch } = account;
      hash.update(`${address} ${lamports} ${owner} ${executable} ${rentEpoch} ${data.length}\n`).update(data);
    }
    expect(hash.digest('hex')).toBe('9040c731868634da80111400d78e85f910cd1f16e02c907ec93f8e6ea5d3cdc5');
  });

  it('has the launch that examples of requests name', () => {
    const account = byAddress.get(EXAMPLE_LAUNCH.pool as Address);
    const { baseMint: mint, creator } = decodeDbcPool(account?.data ?? new Uint8Array());
    expect(mint).toBe(EXAMPLE_LAUNCH.mint);
    expect(creator).toBe(genesis.keys.poolCreator.address);
    expect(deriveGenesisKeys(DEFAULT_SEED).poolCreator.address).toBe(EXAMPLE_LAUNCH.creator);
  });

  it('writes every address once, rent-exempt, with fewer lamports in total than a u64 holds', () => {
    expect(byAddress.size).toBe(genesis.accounts.length);
    let sum = 0n;
    for (const { address, account } of genesis.accounts) {
      expect(account.lamports >= computeRentExemptMinimum(account.data.length), address).toBe(true);
      expect(account.rentEpoch).toBe(U64_MAX);
      sum += account.lamports;
    }
    expect(sum < U64_MAX / 8n).toBe(true);
  });

  it('sets the supply of each mint to the sum of its token accounts', () => {
    const held = new Map<Address, bigint>();
    for (const { holding } of tokenAccounts) {
      held.set(holding.mint, (held.get(holding.mint) ?? 0n) + holding.amount);
    }
    const positions = [
      ...getGenesisPools(genesis, whirlpoolGenesis).flatMap((pool) => pool.positions),
      ...getGenesisPools(genesis, meteoraDammV2Genesis),
    ];
    const lpMints =
      getGenesisPools(genesis, raydiumCpmmGenesis).length + getGenesisPools(genesis, saberGenesis).length;
    const receipts = PLANNED_EARN_TOKENS.length;
    // The collector's mints, a collectible of the demo wallet, and its collection.
    const collected = COLLECTED_MINTS + 2;
    // The launched tokens, and the positions of the pools that they have migrated to.
    const launched = getGenesisPools(genesis, meteoraDbcVenueGenesis);
    const migrated = launched.flatMap((launch) => launch.migrated?.positionMints ?? []);
    const others =
      positions.length + receipts + collected + vaultPositions().length + launched.length + migrated.length;
    expect(mints.length).toBe(genesis.tokens.length + lpMints + others);
    for (const { address, mint } of mints) {
      expect(mint.supply, address).toBe(address === WRAPPED_SOL_MINT ? 0n : (held.get(address) ?? 0n));
    }
    for (const mint of held.keys()) expect(byAddress.has(mint), mint).toBe(true);
  });

  it('backs wrapped SOL with lamports beyond the rent', () => {
    const wrapped = tokenAccounts.filter(({ holding }) => holding.mint === WRAPPED_SOL_MINT);
    expect(wrapped.length).toBeGreaterThan(10);
    for (const { address, account, holding } of wrapped) {
      expect(holding.nativeReserve, address).toBe(computeRentExemptMinimum(165));
      expect(account.lamports, address).toBe(computeRentExemptMinimum(165) + holding.amount);
    }
    for (const { holding } of tokenAccounts) {
      expect(holding.nativeReserve === null).toBe(holding.mint !== WRAPPED_SOL_MINT);
    }
  });

  it('puts every token account under the program of its mint', () => {
    for (const { address, account, holding } of tokenAccounts) {
      expect(account.owner, address).toBe(byAddress.get(holding.mint)?.owner);
    }
  });

  it("keeps wallets' tokens in associated accounts", () => {
    const { demoWallets, poolCreator } = genesis.keys;
    const wallets = new Set([...demoWallets, poolCreator].map(({ address }) => address));
    const theirs = tokenAccounts.filter(({ holding }) => wallets.has(holding.owner));
    expect(theirs.length).toBeGreaterThan(50);
    // The one token of such a position stands at an address that its mint derives.
    const positionMints = new Set([
      ...getGenesisPools(genesis, meteoraDammV2Genesis).map(({ positionMint }) => positionMint),
      ...getGenesisPools(genesis, meteoraDbcVenueGenesis).flatMap(
        ({ migrated }) => migrated?.positionMints ?? [],
      ),
    ]);
    for (const { address, account, holding } of theirs) {
      if (positionMints.has(holding.mint)) continue;
      expect(address).toBe(deriveAssociatedTokenAddress(holding.owner, holding.mint, account.owner));
    }
  });

  it('gives the first demo wallet some of every token, and a position of every kind', () => {
    const owner = genesis.keys.demoWallets[0]?.address;
    const held = tokenAccounts.filter(({ holding }) => holding.owner === owner && holding.amount > 0n);
    const tokens = genesis.tokens.map(({ mint }) => mint).filter((mint) => mint !== WRAPPED_SOL_MINT);
    const receipts = PLANNED_EARN_TOKENS.filter(({ positions }) =>
      positions.some(({ wallet }) => wallet === 0),
    );
    const receiptMints = receipts.map(({ symbol }) => deriveReceiptMintAddress(mintOf(symbol)));
    const mintsHeld = new Set(held.map(({ holding }) => holding.mint));
    expect([...tokens, ...receiptMints].filter((mint) => !mintsHeld.has(mint))).toEqual([]);
    const positionMints = new Set(vaultPositions().map(({ positionMint }) => positionMint));
    const ordinary = held.map(({ holding }) => holding.mint).filter((mint) => !positionMints.has(mint));
    // LP tokens of two pools, two positions of pools, a bundle, and a collectible.
    expect(new Set(ordinary).size).toBe(tokens.length + receiptMints.length + 6);
    expect(held.length - ordinary.length).toBe(PLANNED_POSITIONS.filter(({ wallet }) => wallet === 0).length);
  });

  it('lets the mint authority mint everything but SOL and the tokens of stake pools', () => {
    const staked = new Map(
      getGenesisPools(genesis, splStakePoolGenesis).map((pool) => [pool.mint, pool.withdrawAuthority]),
    );
    expect([...staked.keys()]).toEqual([mintOf('JitoSOL')]);
    for (const { mint } of genesis.tokens) {
      const anyone = mint === WRAPPED_SOL_MINT ? null : genesis.keys.mintAuthority.address;
      expect(decodeMint(dataOf(mint)).mintAuthority, mint).toBe(staked.get(mint) ?? anyone);
    }
  });

  it('has the extensions that PYUSD and BERN have on mainnet', () => {
    const pyusd = decodeMint(dataOf(mintOf('PYUSD')));
    expect(dataOf(mintOf('PYUSD'))).toHaveLength(866);
    expect(pyusd.extensions.map(({ type, data }) => [type, data.length])).toEqual([
      [3, 32],
      [12, 32],
      [1, 108],
      [4, 65],
      [16, 129],
      [14, 64],
      [18, 64],
      [19, 174],
    ]);
    expect(dataOf(mintOf('BERN'))).toHaveLength(278);
    const fee = findTransferFeeConfig(decodeMint(dataOf(mintOf('BERN'))).extensions)?.newer;
    expect(fee).toEqual({ epoch: 0n, maximumFee: 3_906_250_000_000_000_000n, basisPoints: 690 });
  });

  it('names the programs that are built', () => {
    const built = programs.map(({ name, address }) => ({ name, address }));
    expect(genesis.programs).toEqual(expect.arrayContaining(built));
    expect(genesis.programs).toHaveLength(built.length);
  });
});

describe('the pools of buildGenesis', () => {
  it('writes pools whose parts refer to each other', () => {
    for (const { address, pool } of pools) {
      expect(byAddress.get(address)?.owner).toBe(RAYDIUM_CPMM_PROGRAM);
      for (const part of [pool.config, pool.observation]) {
        expect(byAddress.get(part)?.owner, address).toBe(RAYDIUM_CPMM_PROGRAM);
      }
      for (const side of [0, 1] as const) {
        const vault = decodeTokenAccount(dataOf(pool.vaults[side]));
        expect(vault.mint, address).toBe(pool.mints[side]);
        expect(decodeMint(dataOf(vault.mint)).decimals).toBe(pool.decimals[side]);
        expect(byAddress.get(vault.mint)?.owner).toBe(pool.tokenPrograms[side]);
      }
    }
  });

  it('mints LP tokens as the program does: the root of the product of the amounts, less a hundred', () => {
    for (const { address, pool } of pools) {
      const [left, right] = pool.vaults.map((vault) => decodeTokenAccount(dataOf(vault)).amount);
      const product = (left ?? 0n) * (right ?? 0n);
      expect(pool.lpSupply ** 2n <= product && product < (pool.lpSupply + 1n) ** 2n, address).toBe(true);
      expect(decodeMint(dataOf(pool.lpMint)).supply).toBe(pool.lpSupply - 100n);
    }
  });

  it('has a pool for every token against SOL and against USDC', () => {
    const pairs = new Set(
      pools.flatMap(
        ({
          pool: {
            mints: [a, b],
          },
        }) => [`${a}/${b}`, `${b}/${a}`],
      ),
    );
    for (const { symbol, mint } of genesis.tokens) {
      for (const quote of ['SOL', 'USDC']) {
        if (symbol !== quote) expect(pairs.has(`${mint}/${mintOf(quote)}`), `${symbol}/${quote}`).toBe(true);
      }
    }
  });

  it('quotes every pool at the prices of the table, less the fee', () => {
    const clock = { slot: 1n, epoch: 0n, unixTimestamp: 1n };
    const transferFee = mintOf('BERN');
    for (const { address, pool } of pools) {
      const state = raydiumCpmm.decode(address, (each) => byAddress.get(each) ?? null);
      if ('unusable' in state) throw new Error(`${address}: ${state.unusable}`);
      for (const [from, to] of [pool.mints, [...pool.mints].reverse()] as [Address, Address][]) {
        const quote = raydiumCpmm.quoteExactIn(state, from, computeAtomsWorth(100n, tokenOf(from)), clock);
        const ideal = computeAtomsWorth(100n, tokenOf(to));
        const floor = pool.mints.includes(transferFee) ? 90n : 95n;
        expect(quote !== null && quote.outAmount < ideal, address).toBe(true);
        expect(quote !== null && quote.outAmount * 100n > ideal * floor, address).toBe(true);
      }
    }
  });

  it('has several fee tiers in use, and no pool twice', () => {
    expect(new Set(pools.map(({ pool }) => pool.config)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(pools.map(({ address }) => address)).size).toBe(pools.length);
  });

  it('lists in lookup tables every account that a swap through any pool names', () => {
    const listed = new Set<Address>();
    for (const { address, addresses } of genesis.lookupTables) {
      expect(addresses.length).toBeLessThanOrEqual(256);
      expect(new Set(addresses).size).toBe(addresses.length);
      expect(decodeLookupTable(dataOf(address)).addresses).toEqual(addresses);
      for (const each of addresses) listed.add(each);
    }
    for (const { address, pool } of pools) {
      for (const each of [address, pool.config, pool.observation, ...pool.vaults, ...pool.mints]) {
        expect(listed.has(each), each).toBe(true);
      }
    }
  });

  const pools = getGenesisPools(genesis, raydiumCpmmGenesis).map(({ address }) => ({
    address,
    pool: decodePool(dataOf(address)),
  }));
});

const genesis = buildGenesis('genesis test');
const byAddress = new Map(genesis.accounts.map(({ address, account }) => [address, account]));

const owned = genesis.accounts.filter(
  ({ account }) => account.owner === TOKEN_PROGRAM || account.owner === TOKEN_2022_PROGRAM,
);
const mints = owned.flatMap(({ address, account }) =>
  isMint(account.data) ? [{ address, account, mint: decodeMint(account.data) }] : [],
);
const tokenAccounts = owned.flatMap(({ address, account }) =>
  isTokenAccount(account.data) ? [{ address, account, holding: decodeTokenAccount(account.data) }] : [],
);

function dataOf(address: Address): Uint8Array {
  const account = byAddress.get(address);
  if (account === undefined) throw new Error(`the genesis has no account ${address}`);
  return account.data;
}

function tokenOf(mint: Address): TokenInfo {
  const token = findTokenByMint(mint);
  if (token === null) throw new Error(`no token ${mint}`);
  return token;
}

function mintOf(symbol: string): Address {
  const token = findTokenBySymbol(symbol);
  if (token === null) throw new Error(`no token ${symbol}`);
  return token.mint;
}

/** The positions of the borrow product. */
function vaultPositions() {
  return genesis.accounts
    .filter(({ account }) => account.owner === VAULTS_PROGRAM && POSITION.matches(account.data))
    .map(({ account }) => POSITION.decode(account.data));
}
