import { ChainUnavailable } from '../../../chain/chain.ts';
import { SwapRefused } from '../errors.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Engine, EngineQuote, EngineRequest } from './engine.ts';

export interface Contest {
  /** Milliseconds that engines have to answer. */
  readonly deadlineMs: number;
  readonly timers: Timers;
  /** Told of an engine that failed, which is a defect; the others go on. */
  readonly onDefect: (router: string, error: unknown) => void;
}

export interface Winner {
  readonly engine: Engine;
  readonly quote: EngineQuote;
}

/**
 * Asks all engines side by side and takes the quote that pays most; among equals, that of the engine named first.
 * Waits for no engine beyond the deadline.
 * @throws SwapRefused when all refuse, with each one's reason
 * @throws Unavailable when none quotes, and some were late or failed: they may quote the next time
 */
export async function compete(
  engines: readonly Engine[],
  request: EngineRequest,
  contest: Contest,
): Promise<Winner> {
  const quotes = new Map<Engine, EngineQuote>();
  const reasons = new Map<Engine, string>();
  let refusals = 0;
  const abort = new AbortController();
  const ask = async (engine: Engine): Promise<void> => {
    try {
      const answer = await engine.quote(request, abort.signal);
      if (abort.signal.aborted) return;
      if (answer.refused === undefined) {
        quotes.set(engine, answer);
        return;
      }
      reasons.set(engine, answer.refused);
      refusals++;
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
  await Promise.race([Promise.all(engines.map(ask)), deadline(contest, abort)]);
  abort.abort();
  const winner = best(engines, quotes);
  if (winner !== null) return winner;
  const reason = whyNone(engines, reasons, contest);
  throw refusals === engines.length ? new SwapRefused(reason) : new Unavailable(reason);
}

function deadline({ deadlineMs, timers }: Contest, abort: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(deadlineMs, () => {
      abort.abort();
      resolve();
    });
    abort.signal.addEventListener('abort', cancel, { once: true });
  });
}

function best(engines: readonly Engine[], quotes: ReadonlyMap<Engine, EngineQuote>): Winner | null {
  let winner: Winner | null = null;
  for (const engine of engines) {
    const quote = quotes.get(engine);
    if (quote === undefined || (winner !== null && quote.outAmount <= winner.quote.outAmount)) continue;
    winner = { engine, quote };
  }
  return winner;
}

function whyNone(
  engines: readonly Engine[],
  reasons: ReadonlyMap<Engine, string>,
  { deadlineMs }: Contest,
): string {
  const late = `no answer within ${deadlineMs} ms`;
  const [only] = engines;
  if (engines.length === 1 && only !== undefined) return reasons.get(only) ?? `${only.router}: ${late}`;
  const each = engines.map((engine) => `${engine.router}: ${reasons.get(engine) ?? late}`);
  return `no router quotes this swap; ${each.join('; ')}`;
}
