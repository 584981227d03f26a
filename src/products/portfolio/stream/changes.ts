import type { Work } from '../../../common/work/work.ts';
import type { Address } from '../../../solana/address.ts';
import type { FetcherOutcome } from '../evaluation/run-fetcher.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import type { TokenDescription } from '../evaluation/token-list.ts';
import { listNamedMints } from '../valuation/named-mints.ts';
import type { ValuedElement } from '../valuation/valued.ts';

/** An element of a wallet, by a key that stays the same while the position exists. */
export interface KeyedElement {
  readonly key: string;
  readonly element: ValuedElement;
  /** A text that differs if what is shown of the element differs. */
  readonly text: string;
}

/** The differences between two evaluations of a wallet. */
export interface PortfolioChanges {
  readonly portfolio: Portfolio;
  /** New elements, and elements that clients see differently now. */
  readonly changed: readonly KeyedElement[];
  /** Keys of elements that are gone. */
  readonly removed: readonly string[];
  /** The outcomes of fetchers that started or stopped to fail. */
  readonly outcomes: readonly FetcherOutcome[];
  /** The descriptions of the mints in `changed`. */
  readonly tokens: ReadonlyMap<Address, TokenDescription>;
}

/** The state that the next evaluation is compared with. */
export interface Shown {
  readonly elements: ReadonlyMap<string, KeyedElement>;
  readonly errors: ReadonlyMap<string, string | null>;
}

/** Writes an element as clients see it, in turns. */
export type TextOf = (element: ValuedElement, work: Work) => Promise<string>;

export async function computeShown(portfolio: Portfolio, textOf: TextOf, work: Work): Promise<Shown> {
  const elements = await createKeyedElements(portfolio.elements, textOf, work);
  return {
    elements: new Map(elements.map((each) => [each.key, each])),
    errors: new Map(portfolio.outcomes.map(({ fetcher, error }) => [fetcher.id, error])),
  };
}

/**
 * Compares a new evaluation with the previous one. Elements of a fetcher that fails now are kept, because they are
 * unknown and not gone.
 *
 * Returns the new state and the changes; null if there are none.
 */
export async function computeChanges(
  before: Shown,
  portfolio: Portfolio,
  textOf: TextOf,
  work: Work,
): Promise<{ readonly shown: Shown; readonly changes: PortfolioChanges | null }> {
  const now = await computeShown(portfolio, textOf, work);
  const failing = new Set(
    portfolio.outcomes.flatMap(({ fetcher, error }) => (error === null ? [] : [fetcher.id])),
  );
  const changed = [...now.elements.values()].filter(
    ({ key, text }) => before.elements.get(key)?.text !== text,
  );
  const gone = [...before.elements.values()].filter(({ key }) => !now.elements.has(key));
  const kept = gone.filter(({ element }) => failing.has(element.fetcherId));
  const removed = gone.filter(({ element }) => !failing.has(element.fetcherId)).map(({ key }) => key);
  const outcomes = portfolio.outcomes.filter(
    ({ fetcher, error }) => (before.errors.get(fetcher.id) ?? null) !== error,
  );
  const elements = new Map([...kept.map((each) => [each.key, each] as const), ...now.elements]);
  const shown = { elements, errors: now.errors };
  if (changed.length === 0 && removed.length === 0 && outcomes.length === 0) return { shown, changes: null };
  const mints = new Set(changed.flatMap(({ element }) => listNamedMints(element)));
  const tokens = new Map([...portfolio.tokens].filter(([mint]) => mints.has(mint)));
  return { shown, changes: { portfolio, changed, removed, outcomes, tokens } };
}

/** Elements of a kind that have no account of their own, such as the tokens of a wallet, are numbered. */
async function createKeyedElements(
  elements: readonly ValuedElement[],
  textOf: TextOf,
  work: Work,
): Promise<KeyedElement[]> {
  const counts = new Map<string, number>();
  const all: KeyedElement[] = [];
  for (const element of elements) {
    const { fetcherId, platformId, type, label } = element;
    const base = [fetcherId, platformId, type, label, getPositionRef(element)]
      .filter((part) => part !== '')
      .join('/');
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const key = count === 1 ? base : `${base}/${count}`;
    all.push({ key, element, text: await textOf(element, work) });
  }
  return all;
}

/** Returns the account of the position; an empty text for an element with several positions. */
function getPositionRef(element: ValuedElement): string {
  if (element.type === 'liquidity') {
    const [first, ...others] = element.liquidities;
    return others.length === 0 ? (first?.position.ref ?? '') : '';
  }
  return element.element.ref ?? '';
}
