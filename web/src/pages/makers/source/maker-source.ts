import { ApiError, fetchText, UnreadableError } from '../../../api/call.ts';
import { getCredential } from '../../../api/credentials.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { fetchRaw, type RawAnswerText } from '../../../api/raw-query.ts';
import { parseExactJson } from '../../../base/exact-json.ts';
import type { ShapeReader } from '../../../base/json-shape.ts';
import { type BidPage, readOperatorFills, readOwnOrders } from './bid-shapes.ts';
import {
  type MakerBooks,
  type MakerConduct,
  type MakerStatusView,
  readBooks,
  readMakerConduct,
  readOperatorStatus,
  readOwnStatus,
} from './maker-shapes.ts';

/** Which of its orders a maker is shown. The operator sees those that were offered only. */
export type BidResult = 'filled' | 'won' | 'lost';

/** What a page reads of an answer, beside the answer as it came. */
export interface MakerAnswer<Value> {
  readonly value: Value;
  readonly raw: RawAnswerText<unknown>;
}

/** Where what a page shows of a maker is read: at the operator's endpoints, or at those of the maker itself. */
export interface MakerSource {
  /** Tells the keys of its queries from those of another one. */
  readonly scope: string;
  readonly isOperator: boolean;
  readonly readStatus: () => Promise<MakerAnswer<MakerStatusView>>;
  readonly readBooks: () => Promise<MakerAnswer<MakerBooks>>;
  /** @param since - Unix milliseconds. */
  readonly readConduct: (since: number) => Promise<MakerAnswer<MakerConduct>>;
  readonly readBids: (result: BidResult, cursor: string | null) => Promise<MakerAnswer<BidPage>>;
}

/** The credential of a maker, kept for this tab. It is sent to the endpoints for makers alone. */
export const MAKER_KEY = 'maker-key';

/** Rows of one page of fills. */
const PAGE = 100;

/** Returns what the operator sees of a maker. */
export function createOperatorSource(maker: string): MakerSource {
  const base = `/admin/v1/makers/${encodeURIComponent(maker)}`;
  const ask = <Value>(path: string, what: string, read: ShapeReader<Value>) =>
    readRaw(fetchRaw(path, 'admin'), what, read);
  return {
    scope: `operator/${maker}`,
    isOperator: true,
    readStatus: () => ask(base, 'a maker', readOperatorStatus),
    readBooks: () => ask(`${base}/books`, 'books', readBooks),
    readConduct: (since) => ask(`${base}/statistics?since=${since}`, 'statistics', readMakerConduct),
    readBids: (_, cursor) => {
      const query = new URLSearchParams({ maker, limit: `${PAGE}`, ...(cursor === null ? {} : { cursor }) });
      return ask(`/admin/v1/fills?${query}`, 'fills', readOperatorFills);
    },
  };
}

/** Returns what a maker sees of itself with the key of this tab. */
export function createOwnSource(): MakerSource {
  const ask = <Value>(path: string, what: string, read: ShapeReader<Value>) =>
    readRaw(fetchAsMaker(`/market-making/v1/${path}`), what, read);
  return {
    scope: 'own',
    isOperator: false,
    readStatus: () => ask('status', 'a maker', readOwnStatus),
    readBooks: () => ask('books', 'books', readBooks),
    readConduct: (since) => ask(`statistics?since=${since}`, 'statistics', readMakerConduct),
    readBids: (result, cursor) => {
      const query = new URLSearchParams({ result, limit: `${PAGE}`, ...(cursor === null ? {} : { cursor }) });
      return ask(`orders?${query}`, 'orders', readOwnOrders);
    },
  };
}

/** Whether a refusal says that the key is none of a maker that may read. */
export function isKeyRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

async function readRaw<Value>(
  asked: Promise<RawAnswerText<unknown>>,
  what: string,
  read: ShapeReader<Value>,
): Promise<MakerAnswer<Value>> {
  const raw = await asked;
  return { value: readAnswer(what, read, raw.answer), raw };
}

/** Asks one of the endpoints for makers. The key of an organisation that this tab has is none for them. */
async function fetchAsMaker(path: string): Promise<RawAnswerText<unknown>> {
  const { response, text } = await fetchText(path, { headers: { 'x-api-key': getCredential(MAKER_KEY) } });
  const reading = parseExactJson(text);
  const answer: unknown = reading.ok ? JSON.parse(text) : text;
  if (!response.ok) throw new ApiError(response.status, answer);
  if (!reading.ok) throw new UnreadableError('a text');
  return { side: 'public', path, text, exact: reading.value, answer };
}
