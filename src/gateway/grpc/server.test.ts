import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOf, openTestRfq, type TestRfq, USDC } from '../../rfq/rfq-for-tests.ts';
import { WRAPPED_SOL_MINT } from '../../solana/programs.ts';
import { quoteAt, TestMaker } from './client-for-tests.ts';
import { SwapMessageType, UpdateType } from './generated/market_maker_pb.js';
import { type GrpcServer, startGrpc } from './server.ts';

const KEYS: Readonly<Record<string, string>> = { 'key-1': 'maker-1', 'key-2': 'maker-2' };

describe('the server of makers', () => {
  let test: TestRfq;
  let server: GrpcServer;
  let makers: TestMaker[];

  beforeEach(async () => {
    test = await openTestRfq();
    makers = [];
    server = await startGrpc({
      rfq: test.rfq,
      findMaker: (key) => test.rfq.makers.get(KEYS[key] ?? ''),
      listen: { host: '127.0.0.1', port: 0, setting: 'grpc-port' },
      tls: null,
      now: () => test.timers.now(),
      stopwatch: () => performance.now(),
      every: () => () => undefined,
      onDefect: (error) => {
        throw error;
      },
    });
  });
  afterEach(async () => {
    for (const maker of makers) maker.close();
    await test.rfq.close();
    await server.close();
  });

  function connect(key: string | null = 'key-1'): TestMaker {
    const maker = new TestMaker(server.port, key);
    makers.push(maker);
    return maker;
  }

  it('takes a quote into the market and acknowledges it', async () => {
    const maker = connect();
    const swaps = maker.swaps();
    expect((await swaps.until(1))[0]?.messageType).toBe(SwapMessageType.CONNECTION_READY);
    const quotes = maker.quotes();
    quotes.call.write(quoteAt(test.timers.now(), addressOf(1)));
    expect((await quotes.until(1))[0]).toMatchObject({ updateType: UpdateType.UPDATED });
    const [book] = test.rfq.books.between(USDC, WRAPPED_SOL_MINT, test.timers.now());
    expect(book).toMatchObject({
      makerId: 'maker-1',
      bids: [{ price: 99_000_000n, volume: 1_000_000_000n }],
      asks: [{ price: 101_000_000n, volume: 1_000_000_000n }],
    });
  });
});
