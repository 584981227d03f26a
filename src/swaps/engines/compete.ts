import { ChainUnavailable } from '../../chain/chain.ts';
import { createUnquoted, QuotesUnavailable, type RefusalSentence } from '../refusals.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Engine, EngineQuote, EngineRequest } from './engine.ts';

export interface Contest {
  /** Milliseconds that engines have to answer. */
  readonly deadlineMs: number;
  readonly timers: Timers;
  /** Called when an engine fails with an unexpected error; the others continue. */
  readonly onDefect: (router: string, error: unknown) => void;
}

export interface Winner {
  readonly engine: Engine;
  readonly quote: EngineQuote;
}

/**
 * Requests quotes from all engines concurrently and takes the one that pays most after costs; among equals, that of the engine
 * that is listed first. No engine is waited for beyond the deadline; what it has offered until then counts.
 * @throws SwapRefused as `unquoted` when all engines refuse, with the reason of each
 * @throws QuotesUnavailable when no engine quotes and some were late or failed, because they may quote the next time
 */
export async function compete(
  engines: readonly Engine[],
  request: EngineRequest,
  contest: Contest,
): Promise<Winner> {
  const quotes = new Map<Engine, EngineQuote>();
  const reasons = new Map<Engine, RefusalSentence>();
  let refusals = 0;
  let makersAsked = 0;
  const abort = new AbortController();
  const ask = async (engine: Engine): Promise<void> => {
    try {
      const answer = await engine.quote(request, abort.signal, (quote) => {
        if (!abort.signal.aborted) quotes.set(engine, quote);
      });
      if (abort.signal.aborted) return;
      if (answer.refused === undefined) {
        quotes.set(engine, answer);
        return;
      }
      quotes.delete(engine);
      reasons.set(engine, answer.refused);
      refusals++;
      if (answer.askedMakers === true) makersAsked++;
    } catch (error) {
      if (abort.signal.aborted) return;
      if (error instanceof ChainUnavailable) {
        reasons.set(engine, 'the network does not answer');
        return;
      }
      reasons.set(engine, 'it failed');
      contest.onDefect(engine.router, error);
    }
  };
  await Promise.race([Promise.all(engines.map(ask)), waitForDeadline(contest, abort)]);
  abort.abort();
  const winner = findWinner(engines, quotes);
  if (winner !== null) return winner;
  const reason = explainNoQuote(engines, reasons, contest);
  throw refusals === engines.length
    ? createUnquoted(reason, makersAsked === engines.length)
    : new QuotesUnavailable(reason);
}

function waitForDeadline({ deadlineMs, timers }: Contest, abort: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(deadlineMs, () => {
      abort.abort();
      resolve();
    });
    abort.signal.addEventListener('abort', cancel, { once: true });
  });
}

function findWinner(engines: readonly Engine[], quotes: ReadonlyMap<Engine, EngineQuote>): Winner | null {
  let winner: Winner | null = null;
  for (const engine of engines) {
    const quote = quotes.get(engine);
    if (quote === undefined || (winner !== null && quote.netOut <= winner.quote.netOut)) continue;
    winner = { engine, quote };
  }
  return winner;
}

function explainNoQuote(
  engines: readonly Engine[],
  reasons: ReadonlyMap<Engine, RefusalSentence>,
  { deadlineMs }: Contest,
): RefusalSentence {
  const late = `no answer within ${deadlineMs} ms`;
  const [only] = engines;
  if (engines.length === 1 && only !== undefined) return reasons.get(only) ?? `${only.router}: ${late}`;
  const each = engines.map((engine) => [`; ${engine.router}: `, reasons.get(engine) ?? late]);
  return ['no router quotes this swap', ...each];
}
