import { ChainUnavailable } from '../../../chain/chain.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { WorkRefused } from '../../../common/work/work.ts';
import type { Element } from '../../../protocol/positions/element.ts';
import type {
  Fetched,
  PositionFetcher,
  Unreadable,
  WalletReader,
} from '../../../protocol/positions/fetcher.ts';
import { reportOmittedTokens } from '../../../protocol/positions/omitted-tokens.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';

/** The outcome of a fetcher. It may have found some positions and failed to read others. */
export interface FetcherOutcome {
  readonly fetcher: PositionFetcher;
  readonly elements: readonly Element[];
  /** Milliseconds. */
  readonly duration: number;
  /** Why positions may be missing; null if all were read. */
  readonly error: string | null;
  /** Whether the fetcher did not run, because its search is rare. Default: it ran. */
  readonly isLeftOut?: boolean;
}

export interface FetcherRunOptions {
  /** Milliseconds after which a fetcher is abandoned. */
  readonly deadlineMs: number;
  readonly timers: Timers;
  /** Called when a fetcher failed because of a defect, which clients are not shown. */
  readonly onDefect: (fetcherId: string, error: unknown) => void;
}

/** The most unreadable accounts that a report names. The others are only counted. */
const MAX_NAMED = 3;

const TIMED_OUT = Symbol('timed out');

/** Returns the outcome of a fetcher whose rare search was not made. */
export function leaveOut(fetcher: PositionFetcher): FetcherOutcome {
  const error =
    'Not searched: few wallets have such positions, and finding them takes a search by the RPC. ' +
    `Ask with platforms=${fetcher.platformId} for them`;
  return { fetcher, elements: [], duration: 0, error, isLeftOut: true };
}

/** Runs one fetcher with its deadline. The promise rejects with `WorkRefused` alone. */
export async function runFetcher(
  fetcher: PositionFetcher,
  wallet: WalletReader,
  { deadlineMs, timers, onDefect }: FetcherRunOptions,
): Promise<FetcherOutcome> {
  const start = timers.now();
  let cancel = () => {};
  const deadline = new Promise<typeof TIMED_OUT>((resolve) => {
    cancel = timers.after(deadlineMs, () => resolve(TIMED_OUT));
  });
  const ended = (elements: readonly Element[], error: string | null): FetcherOutcome => ({
    fetcher,
    elements,
    duration: Math.max(0, Math.round(timers.now() - start)),
    error,
  });
  try {
    const fetched = await Promise.race([fetchAll(fetcher, wallet), deadline]);
    if (fetched === TIMED_OUT) return ended([], `Fetcher timed out: ${fetcher.id}`);
    return ended(fetched.elements, describeUnreadable(fetched.unreadable ?? []));
  } catch (error) {
    if (error instanceof WorkRefused) throw error;
    return ended([], describeFailure(fetcher.id, error, onDefect));
  } finally {
    cancel();
  }
}

/** Fetches positions, and reports which of the tokens that may represent positions were not read. */
async function fetchAll(fetcher: PositionFetcher, wallet: WalletReader): Promise<Fetched> {
  const fetched = await fetcher.fetch(wallet);
  if (fetcher.claims === undefined) return fetched;
  return {
    elements: fetched.elements,
    unreadable: [...(await reportOmittedTokens(wallet)), ...(fetched.unreadable ?? [])],
  };
}

/** Returns a sentence that names the accounts that could not be read; null if there are none. */
function describeUnreadable(unreadable: readonly Unreadable[]): string | null {
  if (unreadable.length === 0) return null;
  const named = unreadable.slice(0, MAX_NAMED).map(({ address, reason }) => `${address}: ${reason}`);
  const more = unreadable.length - named.length;
  return `positions could not be read: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function describeFailure(id: string, error: unknown, onDefect: FetcherRunOptions['onDefect']): string {
  if (error instanceof ChainUnavailable && error.kind === 'refused')
    return `Positions cannot be read: ${error.message}`;
  if (error instanceof Unavailable) return `The Solana network does not answer: ${error.message}`;
  if (error instanceof LayoutInvalid) return error.message;
  onDefect(id, error);
  return `Fetcher failed: ${id}`;
}
