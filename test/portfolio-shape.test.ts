import {
  getAddressesFromElement,
  getAssetsFromElements,
  mergePortfolioElementMultiples,
  type PortfolioElement,
  type PortfolioElementMultiple,
  type PortfolioElementTrade,
  portfolioElementTradeToMultiple,
  sortPortfolioElements,
} from '@sonarwatch/portfolio-core';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { PLATFORMS, POSITION_FETCHERS } from '../src/protocols/fetchers.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import { toPositionsJson } from '../src/products/portfolio/endpoints/positions-json.ts';
import { evaluateForTest } from '../src/testing/products/evaluated-portfolio.ts';
import { openTestMarket } from '../src/testing/genesis-market/open.ts';
import { ELEMENTS, PLATFORM_LIST, POSITIONS } from './portfolio-shape.ts';
import { openForAll } from '../src/testing/opened.ts';

const FETCHERS = POSITION_FETCHERS;

const market = await openTestMarket('without programs');
const view = new TestView(market.genesis.accounts);
const demo = openForAll(() => answerFor(market.wallet));

describe('the public shape of portfolio-v1', () => {
  it('is that of the answers for the demo wallet, for the collector and for a wallet without anything', async () => {
    expectShape(demo);
    expectShape(await answerFor(market.genesis.keys.collector.address));
    expectShape(await answerFor('2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h'));
  });

  it('refuses an answer without a field that clients rely on', () => {
    for (const element of demo.elements) {
      const schema = ELEMENTS[element.type];
      expect(Value.Check(schema, { ...element, label: 'Unknown' })).toBe(false);
      expect(Value.Check(schema, { ...element, data: {} })).toBe(false);
    }
  });

  it('is that of the list of platforms', () => {
    expect([...Value.Errors(PLATFORM_LIST, JSON.parse(JSON.stringify(PLATFORMS)))]).toEqual([]);
  });
});

describe('the reading code of @sonarwatch/portfolio-core', () => {
  it('finds all assets, and a description of every token among them', () => {
    const elements = [...demo.elements];
    expect(getAssetsFromElements(elements).length).toBeGreaterThan(30);
    const tokens = elements.flatMap((element) => getAddressesFromElement(element, true));
    expect(tokens.filter((mint) => !(mint in demo.tokenInfo.solana))).toEqual([]);
  });

  it('leaves the order of elements and of their assets as it is', () => {
    const sorted = sortPortfolioElements([...demo.elements]);
    const order = (elements: readonly PortfolioElement[]) =>
      elements.map((element) => [element.value, getAssetsFromElements([element]).map(({ value }) => value)]);
    expect(order(sorted)).toEqual(order(demo.elements));
  });

  it('turns orders into assets, and joins the elements of one platform', () => {
    const orders = demo.elements.filter(({ type }) => type === 'trade') as unknown as PortfolioElementTrade[];
    expect(orders.length).toBeGreaterThan(0);
    for (const order of orders) {
      expect(portfolioElementTradeToMultiple(order).value).toBeCloseTo(order.value ?? Number.NaN, 6);
    }
    const multiples = demo.elements.filter(
      ({ type }) => type === 'multiple',
    ) as unknown as PortfolioElementMultiple[];
    const merged = mergePortfolioElementMultiples(multiples);
    const total = (elements: readonly PortfolioElementMultiple[]) =>
      elements.reduce((sum, { value }) => sum + (value ?? 0), 0);
    expect(total(merged)).toBeCloseTo(total(multiples), 6);
  });
});

interface Answer {
  readonly elements: readonly (PortfolioElement & { readonly type: keyof typeof ELEMENTS })[];
  readonly tokenInfo: { readonly solana: Readonly<Record<string, unknown>> };
}

async function answerFor(wallet: string): Promise<Answer> {
  const portfolio = await evaluateForTest(view, market.pools, wallet as never, FETCHERS);
  return JSON.parse(JSON.stringify(toPositionsJson(portfolio)));
}

function expectShape({ elements, ...rest }: Answer): void {
  expect([...Value.Errors(POSITIONS, { elements, ...rest })]).toEqual([]);
  for (const element of elements) {
    expect(
      [...Value.Errors(ELEMENTS[element.type], element)],
      `${element.type} ${element.platformId}`,
    ).toEqual([]);
  }
}
