import { openTestRfq, type TestRfq } from '../rfq/test-rfq.ts';
import { TestMaker } from './grpc-client.ts';
import { type GrpcOptions, type GrpcServer, startGrpc } from '../../gateway/grpc/server.ts';
import { stopwatch } from '../waits.ts';

/** A running server over makers in memory, with clients whose keys are `key-<number of the maker>`. */
export interface TestGrpcServer extends TestRfq {
  readonly server: GrpcServer;
  /** The work that the server repeats at intervals. */
  readonly ticks: (() => void)[];
  readonly defects: unknown[];
  /** @param key - Null for none. */
  readonly connect: (key?: string | null) => TestMaker;
  readonly close: () => Promise<void>;
}

export async function startTestServer(overrides: Partial<GrpcOptions> = {}): Promise<TestGrpcServer> {
  const test = await openTestRfq();
  const makers: TestMaker[] = [];
  const ticks: (() => void)[] = [];
  const defects: unknown[] = [];
  const server = await startGrpc({
    rfq: test.rfq,
    findMaker: (key) => test.rfq.makers.get(key.replace('key-', 'maker-')),
    listen: { host: '127.0.0.1', port: 0, setting: 'grpc-port' },
    tls: null,
    now: () => test.timers.now(),
    stopwatch,
    every: (_milliseconds, work) => {
      ticks.push(work);
      return () => ticks.splice(ticks.indexOf(work), 1);
    },
    onDefect: (error) => defects.push(error),
    ...overrides,
  });
  return {
    ...test,
    server,
    ticks,
    defects,
    connect: (key = 'key-1') => {
      const maker = new TestMaker(server.port, key);
      makers.push(maker);
      return maker;
    },
    close: async () => {
      for (const maker of makers) maker.close();
      await test.rfq.close();
      await server.close();
    },
  };
}
