import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../src/testing/genesis-market/open.ts';
import { LENDING_PROGRAM, VAULTS_PROGRAM } from '../src/protocols/jupiter-lend/lending-base/programs.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../src/protocols/raydium-cpmm/program/program.ts';
import { SABER_PROGRAM } from '../src/protocols/saber/program.ts';
import { COLLECTED_ACCOUNTS } from '../src/sandbox/demo/collector.ts';
import { PLATFORMS, POSITION_FETCHERS } from '../src/protocols/fetchers.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import { toPositionsJson } from '../src/products/portfolio/endpoints/positions-json.ts';
import { PositionsResponse } from '../src/products/portfolio/endpoints/positions-schema.ts';
import { evaluateForTest } from '../src/testing/products/evaluated-portfolio.ts';
import { openForAll } from '../src/testing/opened.ts';

const FETCHERS = POSITION_FETCHERS;

const market = await openTestMarket('without programs');
const view = new TestView(market.genesis.accounts);
const demo = openForAll(() => evaluateForTest(view, market.pools, market.wallet, FETCHERS));

describe('the demo wallet', () => {
  it('is read with four calls for accounts, one after another, and with searches that an outside RPC answers', async () => {
    const counted = new TestView(market.genesis.accounts);
    await evaluateForTest(counted, market.pools, market.wallet, FETCHERS);
    expect(counted.reads).toHaveLength(4);
    // Over an outside RPC, the programs of these fields are watched, and rare searches are left out.
    const rare = new Set(FETCHERS.flatMap(({ rareSearch }) => rareSearch?.program ?? []));
    const calls = counted.searched.filter((program) => !INDEXED.has(program) && !rare.has(program));
    expect(calls).toHaveLength(6);
  });

  it('has positions of every kind, and every fetcher reads all of its own', () => {
    expect(demo.outcomes.filter(({ error }) => error !== null)).toEqual([]);
    const kinds = demo.elements.map(({ fetcherId, type, label }) => `${fetcherId} ${type} ${label}`);
    expect(kinds.sort()).toEqual([
      'jupiter-exchange-dca trade DCA',
      'jupiter-exchange-lend-earn liquidity Vault',
      'jupiter-exchange-lend-earn liquidity Vault',
      'jupiter-exchange-lend-earn liquidity Vault',
      'jupiter-exchange-lend-vaults borrowlend Lending',
      'jupiter-exchange-lend-vaults borrowlend Lending',
      'jupiter-exchange-lend-vaults borrowlend Lending',
      'jupiter-exchange-limit trade LimitOrder',
      'jupiter-exchange-limit-v1 trade LimitOrder',
      'jupiter-exchange-lock multiple Vesting',
      'jupiter-exchange-perpetual leverage Leverage',
      'jupiter-exchange-perpetual-borrow borrowlend Lending',
      'jupiter-exchange-value-average trade SmartDCA',
      'jupiter-governance-vote multiple Staked',
      'jupiter-jupuary-airdrops multiple Airdrop',
      'meteora-cpamm-positions liquidity LiquidityPool',
      'native-stake-solana multiple Rewards',
      'native-stake-solana multiple Staked',
      'orca-whirlpools liquidity LiquidityPool',
      'orca-whirlpools liquidity LiquidityPool',
      'raydium-cpmm liquidity LiquidityPool',
      'saber-pools liquidity LiquidityPool',
      'wallet-nfts-solana multiple Wallet',
      'wallet-tokens-solana multiple Wallet',
      'wallet-tokens-solana-native multiple Wallet',
    ]);
  });

  it('is answered in the documented shape, with a description of every mint that is named', () => {
    const body = JSON.parse(JSON.stringify(toPositionsJson(demo)));
    const errors = Value.Errors(PositionsResponse, body);
    expect([...errors].slice(0, 5)).toEqual([]);
    const named =
      JSON.stringify(body.elements).match(/"(?:address|mint|inputAddress|outputAddress)":"(\w+)"/g) ?? [];
    expect(named.length).toBeGreaterThan(30);
    for (const mint of demo.tokens.keys()) expect(body.tokenInfo.solana[mint].decimals).toBeTypeOf('number');
  });

  it('sorts elements by value, and shows positions nowhere as tokens', () => {
    const values = demo.elements.map(({ value }) => value ?? 0);
    expect(values).toEqual([...values].sort((one, other) => other - one));
    const wallet = demo.elements.filter(({ platformId }) => platformId.startsWith('wallet-'));
    const assets = wallet.flatMap((element) => (element.type === 'multiple' ? element.assets : []));
    expect(
      assets.filter(({ attributes }) => attributes.tags?.includes('Spam')).map(({ asset }) => asset.name),
    ).toEqual([]);
    expect(assets.filter(({ value }) => value === null)).toEqual([]);
  });
});

describe('evaluate', () => {
  it('runs only the fetchers of the platforms that are asked for, without showing positions as tokens', async () => {
    const owner = market.wallet;
    const platforms = new Set(['wallet-tokens']);
    const only = await evaluateForTest(view, market.pools, owner, FETCHERS, { platforms });
    expect(only.outcomes.map(({ fetcher }) => fetcher.id)).toEqual([
      'wallet-tokens-solana',
      'wallet-tokens-solana-native',
    ]);
    const same = demo.elements.filter(({ platformId }) => platformId === 'wallet-tokens');
    expect(only.elements.map(({ value }) => value)).toEqual(same.map(({ value }) => value));
  });

  it('shows all tokens of the collector, tagged, and leaves them out on request', async () => {
    const owner = market.genesis.keys.collector.address;
    const all = await evaluateForTest(view, market.pools, owner, FETCHERS);
    const [tokens] = all.elements.filter(({ fetcherId }) => fetcherId === 'wallet-tokens-solana');
    const assets = tokens?.type === 'multiple' ? tokens.assets : [];
    expect(assets).toHaveLength(COLLECTED_ACCOUNTS);
    expect(assets.every(({ attributes, value }) => attributes.tags?.includes('Spam') && value === null)).toBe(
      true,
    );
    expect(all.tokens.size).toBe(101);
    const hidden = await evaluateForTest(view, market.pools, owner, FETCHERS, { hideSpam: true });
    expect(hidden.elements.map(({ fetcherId }) => fetcherId)).toEqual(['wallet-tokens-solana-native']);
  });

  it('answers a wallet without anything with no elements, and a report of every fetcher', async () => {
    const nobody = POSITION_FETCHERS[0] && market.network.newAddress();
    if (nobody === undefined) throw new Error('no address');
    const empty = await evaluateForTest(view, market.pools, nobody, FETCHERS);
    expect(empty.elements).toEqual([]);
    expect(empty.outcomes.map(({ fetcher }) => fetcher.id)).toEqual(FETCHERS.map(({ id }) => id));
    expect(empty.outcomes.every(({ error }) => error === null)).toBe(true);
  });
});

describe('PLATFORMS', () => {
  it('lists every platform that has a fetcher, once', () => {
    const ids = PLATFORMS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { platformId, id } of FETCHERS) {
      expect(ids).toContain(platformId);
      expect(id.startsWith(`${platformId}-`)).toBe(true);
    }
  });
});

/** Programs whose accounts an instance follows. */
const INDEXED: ReadonlySet<string> = new Set([
  RAYDIUM_CPMM_PROGRAM,
  SABER_PROGRAM,
  LENDING_PROGRAM,
  VAULTS_PROGRAM,
]);
