import { type ExactJson, isExactObject, parseExactJson } from '../../../../base/exact-json.ts';
import { getEntries, getItems, getMember, getText } from '../../../../base/read-json.ts';
import { shortenName } from '../../../../base/format-text.ts';
import { getMillisecondTime } from '../../../../base/read-times.ts';

const MAX_ID = 48;
const MAX_SAID = 300;

/** Whether a kind of positions could be read. */
export interface FetcherReport {
  readonly id: string;
  /** Null if it succeeded. */
  readonly error: string | null;
}

/** The answer of a portfolio, with the changes that a stream has told since. */
export interface PortfolioState {
  /** Unix ms. */
  readonly date: number | null;
  /** By the key that the stream gives each; of an answer, by its place. */
  readonly elements: ReadonlyMap<string, ExactJson>;
  readonly reports: ReadonlyMap<string, FetcherReport>;
  readonly tokenInfo: ExactJson;
}

/** Reads the answer of a request for positions; null if it is none. */
export function readPortfolioAnswer(body: ExactJson | undefined): PortfolioState | null {
  if (!isExactObject(body)) return null;
  const keys = getItems(body, 'keys');
  return {
    date: getMillisecondTime(body, 'date'),
    elements: new Map(
      getItems(body, 'elements').map((element, index) => [toKey(keys[index], index), element]),
    ),
    reports: new Map(readReports(body)),
    tokenInfo: getMember(body, 'tokenInfo') ?? null,
  };
}

/**
 * Returns the state after an event of the stream of a wallet.
 *
 * @param state - What was there before; null before the first event.
 * @param type - `positions` has everything, `changes` what is other than before.
 * @param data - One JSON text.
 */
export function applyPortfolioEvent(
  state: PortfolioState | null,
  type: string,
  data: string,
): PortfolioState | null {
  const reading = parseExactJson(data);
  if (!reading.ok) return state;
  if (type === 'positions') return readPortfolioAnswer(reading.value) ?? state;
  if (type !== 'changes' || state === null) return state;
  const changed = readPortfolioAnswer(reading.value);
  if (changed === null) return state;
  const elements = new Map([...state.elements, ...changed.elements]);
  for (const key of getItems(reading.value, 'removed')) if (typeof key === 'string') elements.delete(key);
  return {
    date: changed.date ?? state.date,
    elements,
    reports: new Map([...state.reports, ...changed.reports]),
    tokenInfo: joinTokenInfo(state.tokenInfo, changed.tokenInfo),
  };
}

function joinTokenInfo(before: ExactJson, more: ExactJson): ExactJson {
  const tokens = [...getEntries(before, 'solana'), ...getEntries(more, 'solana')];
  return new Map([['solana', new Map(tokens)]]);
}

function toKey(key: ExactJson | undefined, index: number): string {
  return typeof key === 'string' ? key : String(index);
}

function readReports(body: ExactJson): readonly (readonly [string, FetcherReport])[] {
  return getItems(body, 'fetcherReports').flatMap((entry) => {
    const id = shortenName(getText(entry, 'id') ?? '', MAX_ID);
    if (id === '') return [];
    const error =
      getText(entry, 'status') === 'failed'
        ? shortenName(getText(entry, 'error') ?? 'It did not say why.', MAX_SAID)
        : null;
    return [[id, { id, error }] as const];
  });
}
