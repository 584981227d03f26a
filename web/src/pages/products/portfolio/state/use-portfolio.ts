import { useCallback, useMemo, useState } from 'react';
import { type RawAnswerText, useRawQuery } from '../../../../api/raw-query.ts';
import { type EventSourceState, useEventSource } from '../../../../parts/live/use-event-source.ts';
import { applyPortfolioEvent, type PortfolioState, readPortfolioAnswer } from '../model/portfolio-state.ts';
import { readPlatforms } from '../model/read-platforms.ts';
import { type PortfolioView, toPortfolioView } from '../model/portfolio-view.ts';

/** A portfolio as it is now, and how it is known. */
export interface FollowedPortfolio {
  /** Undefined while nothing has been read. */
  readonly view: PortfolioView | undefined;
  readonly raw: RawAnswerText<unknown> | undefined;
  readonly platforms: RawAnswerText<unknown> | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
  readonly live: EventSourceState;
}

/**
 * Reads the portfolio of a wallet, and follows it.
 *
 * @param address - Null: nothing is read.
 * @param isFollowed - Whether the stream of the wallet is read too. A caller with a key pays for it.
 * @param hidesSpam - Whether tokens that anybody may have sent are left out.
 */
export function usePortfolio(
  address: string | null,
  isFollowed: boolean,
  hidesSpam: boolean,
): FollowedPortfolio {
  const query = hidesSpam ? '?hideSpam=true' : '';
  const path = address === null ? null : `/portfolio/v1/positions/${address}`;
  const positions = useRawQuery<unknown>(path === null ? null : path + query);
  const platforms = useRawQuery<unknown>('/portfolio/v1/platforms');
  const [told, setTold] = useState<{ readonly path: string; readonly state: PortfolioState } | null>(null);
  const stream = path === null || !isFollowed ? null : `${path}/stream${query}`;
  const onEvents = useCallback(
    (events: readonly { readonly type: string | null; readonly data: string }[]) => {
      if (stream === null) return;
      setTold((before) => {
        const first = before?.path === stream ? before.state : null;
        const state = events.reduce(
          (last, { type, data }) => applyPortfolioEvent(last, type ?? '', data),
          first,
        );
        return state === null ? before : { path: stream, state };
      });
    },
    [stream],
  );
  const live = useEventSource(stream, onEvents);
  const exact = positions.data?.exact;
  const answered = useMemo(() => readPortfolioAnswer(exact), [exact]);
  const state = told !== null && told.path === stream ? told.state : answered;
  const names = useMemo(() => toNames(platforms.data), [platforms.data]);
  const view = useMemo(() => (state === null ? undefined : toPortfolioView(state, names)), [state, names]);
  return {
    view,
    raw: positions.data,
    platforms: platforms.data,
    error: positions.error,
    refetch: () => void positions.refetch(),
    live,
  };
}

function toNames(raw: RawAnswerText<unknown> | undefined): ReadonlyMap<string, string> {
  return new Map(readPlatforms(raw?.exact).map(({ id, name }) => [id, name]));
}
