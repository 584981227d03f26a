import { recordsIn } from '../src/app/fills.ts';
import { openTestStore } from '../src/store/store-for-tests.ts';
import { executeSwap } from '../src/products/swap/execution/execute.ts';
import { fundMaker, newMaker, openMakerSwap, SOL, USDC } from '../test/genesis-market/makers.ts';
import { signing, TestMakers } from '../test/makers.ts';
import { latencyRow, quantileOf } from './latency.ts';
import type { Row } from './row.ts';

export const title = 'Swaps with makers';

const WARM_UP = 50;
const SWAPS = 400;
const FUNDS = 1_000_000_000_000n;
const DEPTH = 500_000_000_000n;
const MEDIAN_MS = 3;
const TAIL_MS = 3;

/** From a request to `execute` to the swap on its way to the maker, with the record on disk in between. */
export async function run(): Promise<readonly Row[]> {
  const opened = await openTestStore('sqlite');
  const makers = new TestMakers();
  const maker = newMaker('measured');
  let pushedAt = 0;
  const swap = await openMakerSwap({
    makers,
    records: recordsIn(opened.store, Date.now),
    link: {
      offer: (offered) => {
        pushedAt = performance.now();
        return makers.offer(offered);
      },
      confirmed: (...told) => makers.confirmed(...told),
      failed: (...told) => makers.failed(...told),
    },
  });
  makers.connect(`of ${maker.address}`, signing(maker));
  const level = (price: bigint) => [{ price, volume: DEPTH }];
  const until: number[] = [];
  const ordering: number[] = [];
  for (let done = 0; done < WARM_UP + SWAPS; done++) {
    fundMaker(swap.market, maker, SOL, FUNDS);
    fundMaker(swap.market, maker, USDC, FUNDS);
    makers.stream(maker, { base: SOL, quote: USDC }, level(400_000_000n), level(50_000_000n));
    const before = performance.now();
    const order = await swap.order({ inputMint: SOL.mint, outputMint: USDC.mint, amount: '100000000' });
    ordering.push(performance.now() - before);
    const body = { signedTransaction: swap.sign(order), requestId: order.requestId };
    const startedAt = performance.now();
    const { code, error } = await executeSwap(swap.parts, body);
    if (code !== 0) throw new Error(`the swap failed: ${error}`);
    until.push(pushedAt - startedAt);
  }
  await opened.cleanUp();
  const sorted = (times: readonly number[]) => times.slice(WARM_UP).sort((one, other) => one - other);
  return [
    latencyRow('`execute` received until the swap is pushed to the maker', sorted(until), MEDIAN_MS, TAIL_MS),
    {
      what: 'an order through a maker, simulated: p50 / p99',
      measured: [0.5, 0.99]
        .map((share) => `${quantileOf(sorted(ordering), share).toFixed(2)} ms`)
        .join(' / '),
    },
  ];
}
