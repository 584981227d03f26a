import { randomUUID } from 'node:crypto';
import { keepFills } from '../src/rfq/records/recorded-fills.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { disablePretenuring } from '../src/cli/commands/start/v8-flags.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { venueLabels } from '../src/protocol/venue/venue.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import { toOrderResponse } from '../src/products/swap/endpoints/order.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import {
  BookLiquidity,
  FillExecution,
  FillLog,
  JUPITER_RFQ_V2,
  Reservations,
  Settlement,
} from '../src/rfq/index.ts';
import type { FillRecords } from '../src/rfq/fills/fill-records.ts';
import type { MakerLink } from '../src/rfq/streams/maker-link.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { openTestStore } from '../src/testing/store/test-store.ts';
import { createMakerAccount, createMaker, SOL, USDC } from '../src/testing/genesis-market/makers.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { signing, TestMakers } from '../src/testing/rfq/makers.ts';
import { latencyRow, quantileOf } from './latency.ts';
import { type EmbeddedMarket, openEmbeddedMarket } from './market/embedded-market.ts';
import type { Row } from './row.ts';

export const title = 'Swaps with makers';

const WARM_UP = 100;
const SWAPS = 400;
/** Shorter than a cluster's, because every swap waits for its confirmation. */
const SLOT_MS = 100;
const FUNDS = 1_000_000_000_000n;
const DEPTH = 500_000_000_000n;
const MEDIAN_MS = 3;
const TAIL_MS = 3;

const LABELS = { ...venueLabels(VENUES), [JUPITER_RFQ_V2.program]: JUPITER_RFQ_V2.label };
const level = (price: bigint) => [{ price, volume: DEPTH }];

/**
 * Measures the time from a request to `execute` until the swap is on its way to the maker, including the record on
 * disk.
 */
export async function run(): Promise<readonly Row[]> {
  disablePretenuring();
  const opened = await openTestStore('sqlite');
  const market = await openEmbeddedMarket(SLOT_MS);
  try {
    return await measure(
      market,
      keepFills(opened.store, Date.now, (error) => {
        throw error;
      }),
    );
  } finally {
    await market.close();
    await opened.cleanUp();
  }
}

/** Swaps are executed and their floor is measured by turns, so that other load on the machine affects both. */
async function measure(market: EmbeddedMarket, records: FillRecords): Promise<readonly Row[]> {
  const { order, untilPush, recordAndSimulate } = measuredSwap(market, records);
  const times: Times = { whole: [], floor: [], ordering: [] };
  for (let done = 0; done < WARM_UP + SWAPS; done++) {
    const toExecute = await order();
    const whole = await untilPush(toExecute);
    const floor = await recordAndSimulate(await order());
    if (done < WARM_UP) continue;
    times.whole.push(whole);
    times.floor.push(floor);
    times.ordering.push(toExecute.milliseconds);
  }
  return rowsOf(times);
}

/** What is measured: orders of one taker that one maker fills. */
function measuredSwap(market: EmbeddedMarket, records: FillRecords) {
  const [taker] = market.genesis.keys.demoWallets;
  if (taker === undefined) throw new Error('the genesis has no demo wallet');
  const makers = new TestMakers();
  const maker = createMaker('measured');
  let pushedAt = 0;
  let recorded: NewFill | null = null;
  const swap = composeMakerSwap(market, makers, {
    records: {
      ...records,
      begin: (fill) => {
        recorded = fill;
        return records.begin(fill);
      },
    },
    link: {
      offer: (offered) => {
        pushedAt = performance.now();
        return makers.offer(offered);
      },
      confirmed: (...about) => makers.confirmed(...about),
      failed: (...about) => makers.failed(...about),
    },
  });
  makers.connect(`of ${maker.address}`, signing(maker));
  const query = { taker: taker.address, inputMint: SOL.mint, outputMint: USDC.mint, amount: '100000000' };
  const request = parseOrderRequest(query, Object.values(LABELS));
  const order = async (): Promise<SignedOrder> => {
    await fund(market.chain, maker);
    makers.stream(maker, { base: SOL, quote: USDC }, level(400_000_000n), level(50_000_000n));
    const askedAt = performance.now();
    const ordered = await orderSwap(swap, request, {
      requestId: randomUUID(),
      caller: { kind: 'organisation', id: 'bench' },
    });
    const { transaction, error, requestId } = toOrderResponse(swap.prices, ordered);
    const milliseconds = performance.now() - askedAt;
    if (!transaction) throw new Error(`the order has no transaction: ${error}`);
    const signed = addSignatures(parseTransaction(Buffer.from(transaction, 'base64')), [taker]);
    return { requestId, signed, milliseconds };
  };
  const untilPush = async ({ requestId, signed }: SignedOrder): Promise<number> => {
    const body = { signedTransaction: Buffer.from(signed).toString('base64'), requestId };
    const startedAt = performance.now();
    const { code, error } = toExecuteResponse(await executeUnrefused(swap, body));
    if (code !== 0) throw new Error(`the swap failed: ${error}`);
    return pushedAt - startedAt;
  };
  const recordAndSimulate = async ({ requestId, signed }: SignedOrder): Promise<number> => {
    if (recorded === null) throw new Error('no swap was recorded yet');
    const fill = { ...recorded, swapUuid: randomUUID(), requestId };
    const startedAt = performance.now();
    const simulated = market.chain.simulate(signed, { verifySignatures: false });
    await records.begin(fill);
    const { error } = await simulated;
    const milliseconds = performance.now() - startedAt;
    if (error !== null) throw new Error('the simulation failed');
    await records.discard(fill.swapUuid);
    return milliseconds;
  };
  return { order, untilPush, recordAndSimulate };
}

type NewFill = Parameters<FillRecords['begin']>[0];

interface SignedOrder {
  readonly requestId: string;
  readonly signed: Uint8Array;
  /** What the order took. */
  readonly milliseconds: number;
}

/** Milliseconds of each swap. */
interface Times {
  readonly whole: number[];
  /** What no execution can do without: a record, and a simulation begun together with it. */
  readonly floor: number[];
  readonly ordering: number[];
}

function rowsOf({ whole, floor, ordering }: Times): readonly Row[] {
  const ascending = (times: readonly number[]) => times.toSorted((one, other) => one - other);
  const quantiles = (times: readonly number[]) =>
    [0.5, 0.99].map((share) => `${quantileOf(ascending(times), share).toFixed(2)} ms`).join(' / ');
  return [
    {
      ...latencyRow(
        '`execute` received until the swap is pushed to the maker',
        ascending(whole),
        MEDIAN_MS,
        TAIL_MS,
      ),
      against: `a record and a simulation begun together, and nothing else: ${quantiles(floor)}`,
    },
    { what: 'an order through a maker, simulated: p50 / p99', measured: quantiles(ordering) },
  ];
}

/** The swap product with makers in this process, as `sluice start` composes it. */
function composeMakerSwap(
  { chain, market }: EmbeddedMarket,
  makers: TestMakers,
  { records, link }: { readonly records: FillRecords; readonly link: MakerLink },
): ComposedSwap {
  const timers = SYSTEM_TIMERS;
  const onDefect = (error: unknown) => {
    throw error;
  };
  const chainTime = () => chain.clock().unixTimestamp;
  const reservations = new Reservations(makers, timers.now);
  const log = new FillLog({ records, onDefect });
  const settlement = new Settlement({
    link,
    scoring: makers,
    log,
    reservations,
    timers,
    newUuid: randomUUID,
    chainTime,
    onDefect,
    noteLastLook: () => {},
  });
  makers.lastLook = settlement;
  return composeTestSwap(market, {
    venueLabels: LABELS,
    timers,
    makers: {
      books: new BookLiquidity(makers, reservations, timers.now, chainTime),
      fills: new FillExecution({ settlement, log, link, timers, onDefect }),
      trades: makers.trades,
    },
    newRequestId: randomUUID,
    onDefect: (_where, error) => onDefect(error),
  });
}

async function fund(chain: EmbeddedChain, maker: Keypair): Promise<void> {
  await chain.setAccounts([createMakerAccount(maker, SOL, FUNDS), createMakerAccount(maker, USDC, FUNDS)]);
}
