import { beforeEach, describe, expect, it } from 'vitest';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { bps } from '../../solana/units.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { SwapRefused } from '../refusals.ts';
import { compete } from './compete.ts';
import type { Engine, EngineQuote, EngineRefusal, EngineRequest, OfferQuote, Router } from './engine.ts';
import { openForEach } from '../../testing/opened.ts';

let defects: unknown[];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('compete', () => {
  it('takes the quote that pays most, and the first of equals', async () => {
    const best = await run(paying('metis', 5n), paying('jupiterz', 7n), paying('okx', 7n));
    expect(best.engine.router).toBe('jupiterz');
    expect(best.quote.outAmount).toBe(7n);
    expect(timers.waiting).toBe(0);
  });

  it('compares what is left after costs, and not what is paid', async () => {
    const best = await run(netting('metis', 9n, 6n), netting('jupiterz', 8n, 7n));
    expect(best.quote.outAmount).toBe(8n);
  });

  it('does not wait for an engine beyond the deadline, and aborts it', async () => {
    let stopped = false;
    const slow = engine('jupiterz', (signal) => {
      signal.addEventListener('abort', () => {
        stopped = true;
      });
      return never();
    });
    const running = run(slow, paying('metis', 1n));
    await yieldToOtherWork();
    timers.advance(399);
    expect(await Promise.race([running, Promise.resolve('waiting')])).toBe('waiting');
    timers.advance(1);
    expect((await running).engine.router).toBe('metis');
    expect(stopped).toBe(true);
  });

  it('takes what an engine has offered when its quote comes too late or fails, and not when it refuses', async () => {
    const late = engine('metis', (_signal, offer) => {
      offer(quoteOf(5n));
      return never();
    });
    const running = run(late, paying('jupiterz', 1n));
    await yieldToOtherWork();
    timers.advance(400);
    expect((await running).quote.outAmount).toBe(5n);
    const offline = engine('metis', async (_signal, offer) => {
      offer(quoteOf(5n));
      throw new ChainUnavailable('it does not answer');
    });
    expect((await run(offline)).quote.outAmount).toBe(5n);
    const better = engine('metis', async (_signal, offer) => {
      offer(quoteOf(5n));
      return quoteOf(4n);
    });
    expect((await run(better)).quote.outAmount).toBe(4n);
    const refusing = engine('metis', async (_signal, offer) => {
      offer(quoteOf(5n));
      return { refused: 'nothing fits' };
    });
    await expect(run(refusing)).rejects.toThrow('nothing fits');
  });

  it('ignores a quote that comes too late', async () => {
    let answer = (_quote: EngineQuote): void => {};
    const late = engine('jupiterz', () => new Promise((resolve) => (answer = resolve)));
    const running = run(late, paying('metis', 1n));
    await yieldToOtherWork();
    timers.advance(400);
    answer(quoteOf(1_000n));
    expect((await running).engine.router).toBe('metis');
  });

  it('continues without an engine that fails, and reports the failure', async () => {
    const failure = new Error('broken');
    const broken = engine('jupiterz', () => Promise.reject(failure));
    expect((await run(broken, paying('metis', 1n))).engine.router).toBe('metis');
    expect(defects).toEqual([['jupiterz', failure]]);
  });

  it('reports why each engine did not quote', async () => {
    const refusing = engine('metis', async () => ({ refused: 'no route' }));
    await expect(run(refusing)).rejects.toThrow(/^no route$/);
    const running = run(
      refusing,
      engine('jupiterz', never),
      engine('okx', () => Promise.reject(new Error('x'))),
    );
    const failing = expect(running).rejects.toThrow(
      /^no router quotes this swap; metis: no route; jupiterz: no answer within 400 ms; okx: it failed$/,
    );
    const unavailable = expect(running).rejects.toThrow(Unavailable);
    await yieldToOtherWork();
    timers.advance(400);
    await Promise.all([failing, unavailable]);
    await expect(run(refusing)).rejects.toThrow(SwapRefused);
    await expect(run(refusing, refusing)).rejects.toThrow(SwapRefused);
  });

  it('answers that the service is unavailable when the network does not answer', async () => {
    const silent = engine('metis', () => Promise.reject(new ChainUnavailable('silence')));
    const running = run(silent);
    await expect(running).rejects.toThrow(Unavailable);
    await expect(running).rejects.toThrow('the network does not answer');
    expect(defects).toEqual([]);
  });

  it('answers that the service is unavailable when an engine is late', async () => {
    const running = run(engine('metis', never));
    const failing = expect(running).rejects.toThrow(Unavailable);
    await yieldToOtherWork();
    timers.advance(400);
    await failing;
  });
});

const REQUEST = {} as EngineRequest;

function setUp(): void {
  defects = [];
}

function quoteOf(outAmount: bigint): EngineQuote {
  return {
    outAmount,
    netOut: outAmount,
    threshold: outAmount,
    slippageBps: bps(0),
    priceImpact: '0',
    settlement: { kind: 'route', route: { legs: [] } },
    fees: { mint: SYSTEM_PROGRAM, platformBps: bps(0), platformAmount: 0n, gasBps: bps(0) },
    sponsorship: null,
    makerIds: [],
    build: () => Promise.reject(new Error('not asked for')),
  };
}

function engine(
  router: Router,
  quote: (signal: AbortSignal, offer: OfferQuote) => Promise<EngineQuote | EngineRefusal>,
): Engine {
  return {
    router,
    swapType: 'aggregator',
    takesPayer: true,
    asksOthers: false,
    quote: (_request, signal, offer) => quote(signal, offer),
  };
}

const netting = (router: Router, outAmount: bigint, netOut: bigint) =>
  engine(router, async () => ({ ...quoteOf(outAmount), netOut }));
const paying = (router: Router, outAmount: bigint) => engine(router, async () => quoteOf(outAmount));
const never = () => new Promise<never>(() => {});

function run(...engines: Engine[]) {
  const onDefect = (router: string, error: unknown) => defects.push([router, error]);
  return compete(engines, REQUEST, { deadlineMs: 400, timers, onDefect });
}
