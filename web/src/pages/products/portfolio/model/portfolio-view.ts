import type { HeldAsset, PortfolioPosition } from './position.ts';
import type { FetcherReport, PortfolioState } from './portfolio-state.ts';
import { createFindSymbol } from './read-asset.ts';
import { readPosition } from './read-position.ts';

/** Shares that are shown apart; the others are one. */
const MAX_SHARES = 7;

/** A part of what a wallet has. */
export interface AllocationShare {
  readonly label: string;
  /** Nano dollars. */
  readonly value: bigint;
}

/** Positions of one kind on one platform. */
export interface PositionGroup {
  readonly label: string;
  readonly positions: readonly PortfolioPosition[];
}

/** What a wallet has on one platform. */
export interface PlatformGroup {
  readonly id: string;
  readonly name: string;
  /** Nano dollars; what has no known value does not count. */
  readonly value: bigint;
  readonly groups: readonly PositionGroup[];
}

/** What the page shows of a portfolio. */
export interface PortfolioView {
  /** Unix ms of the answer. */
  readonly date: number | null;
  readonly total: bigint;
  /** Nano dollars that the wallet owes; the total is without them. */
  readonly debt: bigint;
  readonly positions: number;
  /** Positions whose value is not known. */
  readonly unvalued: number;
  readonly platforms: readonly PlatformGroup[];
  readonly byPlatform: readonly AllocationShare[];
  readonly byToken: readonly AllocationShare[];
  readonly failed: readonly FetcherReport[];
  readonly fetchers: number;
}

/**
 * Puts the positions of a wallet in order for the page.
 *
 * @param names - The names of the platforms by their ids.
 */
export function toPortfolioView(state: PortfolioState, names: ReadonlyMap<string, string>): PortfolioView {
  const findSymbol = createFindSymbol(state.tokenInfo);
  const positions = [...state.elements.values()].map((element) => readPosition(element, findSymbol));
  const platforms = groupByPlatform(positions, names);
  const reports = [...state.reports.values()];
  return {
    date: state.date,
    total: sumValues(positions.map(({ value }) => value)),
    debt: sumValues(positions.map(getDebt)),
    positions: positions.length,
    unvalued: positions.filter(({ value }) => value === null).length,
    platforms,
    byPlatform: takeShares(sumByName(platforms)),
    byToken: takeShares(sumByToken(positions)),
    failed: reports.filter(({ error }) => error !== null),
    fetchers: reports.length,
  };
}

function groupByPlatform(
  positions: readonly PortfolioPosition[],
  names: ReadonlyMap<string, string>,
): readonly PlatformGroup[] {
  const groups = [...collect(positions, ({ platform }) => platform)].map(([id, members]) => ({
    id,
    name: names.get(id) ?? id,
    value: sumValues(members.map(({ value }) => value)),
    groups: [...collect(sortByValue(members), ({ label }) => label)].map(([label, own]) => ({
      label,
      positions: own,
    })),
  }));
  return groups.toSorted((one, other) => compare(other.value, one.value));
}

/** Two platforms may have one name. */
function sumByName(platforms: readonly PlatformGroup[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { name, value } of platforms) add(sums, name, value);
  return sums;
}

/** What positions consist of, by token. Debt is no part of what a wallet has, so it is left out. */
function sumByToken(positions: readonly PortfolioPosition[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { content, value } of positions) {
    if (content.type === 'leverage') add(sums, 'Leveraged positions', value);
    for (const asset of listAssets(content)) {
      add(sums, asset.kind === 'collectible' ? 'Collectibles' : asset.label, asset.value);
    }
  }
  return sums;
}

function listAssets(content: PortfolioPosition['content']): readonly HeldAsset[] {
  switch (content.type) {
    case 'multiple':
      return content.assets;
    case 'liquidity':
      return content.pooled.flatMap(({ assets, rewards }) => [...assets, ...rewards]);
    case 'borrowlend':
      return [...content.loan.supplied, ...content.loan.rewards];
    case 'trade':
      return [content.order.input, content.order.output].flatMap((asset) => asset ?? []);
    default:
      return [];
  }
}

function getDebt({ content }: PortfolioPosition): bigint | null {
  return content.type === 'borrowlend' ? content.loan.borrowedValue : null;
}

function takeShares(sums: ReadonlyMap<string, bigint>): readonly AllocationShare[] {
  const shares = [...sums]
    .filter(([, value]) => value > 0n)
    .map(([label, value]) => ({ label, value }))
    .toSorted((one, other) => compare(other.value, one.value));
  if (shares.length <= MAX_SHARES) return shares;
  const others = shares.slice(MAX_SHARES - 1);
  return [
    ...shares.slice(0, MAX_SHARES - 1),
    { label: `${others.length} others`, value: sumValues(others.map(({ value }) => value)) },
  ];
}

function sortByValue(positions: readonly PortfolioPosition[]): readonly PortfolioPosition[] {
  return positions.toSorted((one, other) => compare(other.value ?? -1n, one.value ?? -1n));
}

function collect<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function add(sums: Map<string, bigint>, label: string, value: bigint | null): void {
  if (value !== null) sums.set(label, (sums.get(label) ?? 0n) + value);
}

function sumValues(values: readonly (bigint | null)[]): bigint {
  return values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n);
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
