import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { readSourceTree } from '../scripts/structure/source-tree.ts';
import { findSharedFiles, findVenues } from '../scripts/structure/venues.ts';
import { getGenesisPools } from '../src/protocol/genesis/venue-genesis.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { PLATFORMS, POSITION_FETCHERS } from '../src/protocols/fetchers.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { joinProgramErrorNames } from '../src/market/program-errors.ts';
import type { Address } from '../src/solana/address.ts';
import { evaluateForTest } from '../src/testing/products/evaluated-portfolio.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import { openTestSwap } from '../src/testing/genesis-market/swap.ts';
import {
  NEW_VENUE_PROGRAM,
  newPositions,
  newProtocol,
  newVenue,
  newVenueGenesis,
} from './new-venue/index.ts';

/** The one line in the list; the folder is test/new-venue, and the crate programs/test-venue. */
vi.mock('../src/protocols/index.ts', async (importOriginal) => {
  const list = await importOriginal<typeof import('../src/protocols/index.ts')>();
  return { PROTOCOLS: [...list.PROTOCOLS, (await import('./new-venue/index.ts')).newProtocol] };
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const HNT = 'hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux';

const swap = await openTestSwap();

describe('a venue that is one folder, one crate and one line in the list', () => {
  it('is registered', () => {
    expect(PROTOCOLS).toContain(newProtocol);
    expect(VENUES).toContain(newVenue);
  });

  it('has its program, its pools and their accounts in the genesis', () => {
    const { genesis } = swap.market;
    expect(genesis.programs).toContainEqual({ name: 'test-venue', address: NEW_VENUE_PROGRAM });
    const pools = getGenesisPools(genesis, newVenueGenesis);
    expect(pools).toHaveLength(1);
    const written = new Set(genesis.accounts.map(({ address }) => address));
    for (const { address, vaults } of pools) {
      for (const account of [address, ...vaults]) expect(written).toContain(account);
    }
  });

  it('has its program in the first lookup table and the accounts of its pool together in another', () => {
    const { genesis } = swap.market;
    const [shared, ...others] = genesis.lookupTables;
    expect(shared?.addresses).toContain(NEW_VENUE_PROGRAM);
    for (const { address, vaults } of getGenesisPools(genesis, newVenueGenesis)) {
      const table = others.find(({ addresses }) => addresses.includes(address));
      expect(table?.addresses).toEqual(expect.arrayContaining([...vaults]));
    }
  });

  it('has its label, which clients may name to choose venues', async () => {
    expect(swap.composed.venueLabels).toMatchObject({ [NEW_VENUE_PROGRAM]: 'New venue' });
    const other = await swap.order({
      inputMint: USDC,
      outputMint: HNT,
      amount: '10000000',
      excludeDexes: 'New venue',
    });
    expect(other.routePlan.map(({ swapInfo }) => swapInfo.label)).not.toContain('New venue');
  });

  it('has names for the error codes of its program', () => {
    const errorName = joinProgramErrorNames(PROTOCOLS);
    expect(errorName(NEW_VENUE_PROGRAM, 101)).toBe('RateMoved');
    expect(errorName(NEW_VENUE_PROGRAM, 102)).toBeNull();
  });

  it('has its platform and its positions in portfolios', async () => {
    expect(PLATFORMS.at(-1)?.id).toBe('new-platform');
    const { genesis, pools, wallet } = swap.market;
    const view = new TestView(genesis.accounts);
    const { elements } = await evaluateForTest(view, pools, wallet, POSITION_FETCHERS);
    const ofVenue = elements.filter(({ fetcherId }) => fetcherId === newPositions.id);
    expect(ofVenue).toMatchObject([{ platformId: 'new-platform', label: 'LiquidityPool' }]);
    expect(ofVenue[0]?.value).toBeGreaterThan(0);
  });

  it('is routed through, and pays what it quoted', async () => {
    const order = await swap.order({ inputMint: USDC, outputMint: HNT, amount: '10000000' });
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.label)).toEqual(['New venue']);
    const before = swap.holding(swap.wallet.address, HNT as Address);
    const result = await swap.execute(order);
    // The taker owns the pool's vaults, so that the answer's totals, which are by owner, come to nothing.
    expect(result).toMatchObject({ status: 'Success' });
    expect(swap.holding(swap.wallet.address, HNT as Address) - before).toBe(BigInt(order.outAmount));
  });
});

const LIST = 'src/protocols/index.ts';

/** Only for a venue whose step the aggregator does not know yet: the step's tag, and the line that finds its file. */
const SHARED_FILES = ['src/protocol/venue/aggregator-step.ts', 'programs/aggregator/src/venues/mod.rs'];

/** The file of the step, which is the venue's own. */
const STEP_FILE = /^programs\/aggregator\/src\/venues\/(?!mod\.rs)/;

/** A protocol may build on one that stands before it in the list, as bonding curves build on the pools that they become. */
const OTHER_PROTOCOL = /^src\/protocols\/[^/]+\//;

/** Launches are those of Dynamic Bonding Curve, which become pools of Meteora DAMM v2. The studio prepares some. */
const LAUNCHES = /^src\/(launches|studio)\//;

/** Rounds of forecasts are opened, settled and paid out, and are markets of predictions. */
const FORECASTS = /^src\/(forecasts|predictions|products\/prediction|app)\//;

const GENERATED_FILES = ['programs/programs.json'];

/** Files that name a venue for something that no other venue has, and that a new venue does not touch. */
const PARTICULAR_FILES: Readonly<Record<string, string>> = {
  'package.json': 'the public library of bonding curves, for tests, has the name of its venue',
  'programs/Cargo.toml': 'the aggregator works out what exact outputs of Whirlpool take',
  'programs/aggregator/Cargo.toml': 'the aggregator works out what exact outputs of Whirlpool take',
  'src/market/aggregator/interface/swap-kinds.ts':
    'the public interface of the aggregator names all kinds of steps, most of which no venue here uses',
  'src/products/lend/index.ts': 'stake pools have yields',
  'src/products/portfolio/pricing.ts': 'stake pools have yields',
  'src/products/swap/endpoints/swap-parameters.ts':
    'clients name Saber (Decimals) and Sanctum Infinity, which are other venues',
  'src/products/swap/endpoints/v1/example-quote.ts':
    'a quote over Whirlpool is the example of the documentation',
  'src/sandbox/demo/wallet-positions.ts': 'the demo wallet has positions of four venues',
  'src/sandbox/price-follower.ts': 'the follower of prices trades with stake pools at their rate',
};

describe('the files that a venue touches besides its folder and its crate', () => {
  const root = new URL('../', import.meta.url);
  const tree = readSourceTree(fileURLToPath(root));
  const venues = findVenues(tree).filter(({ home }) => home.startsWith('src/protocols/'));

  it('are looked for in all venues', () => {
    const labels = VENUES.filter((venue) => venue !== newVenue).map(({ label }) => label);
    expect(venues.map(({ label }) => label)).toEqual(labels.sort());
  });

  it.each(venues)('are the list and at most two shared files: $label', (venue) => {
    const touched = findSharedFiles(tree, venue).filter(
      (path) =>
        !STEP_FILE.test(path) &&
        !OTHER_PROTOCOL.test(path) &&
        !LAUNCHES.test(path) &&
        !(venue.label === 'BisonFi' && FORECASTS.test(path)) &&
        !GENERATED_FILES.includes(path) &&
        !(path in PARTICULAR_FILES),
    );
    expect(touched).toContain(LIST);
    expect([LIST, ...SHARED_FILES]).toEqual(expect.arrayContaining([...touched]));
  });

  it('are named where the README says how a venue is added', () => {
    const [, section = ''] = readFileSync(new URL('README.md', root), 'utf8').split('\n## Adding a venue\n');
    const [text = ''] = section.split('\n## ');
    for (const file of [LIST, ...SHARED_FILES, ...GENERATED_FILES]) expect(text).toContain(`\`${file}\``);
  });
});
