import { MemoryRecords, signing, TestMakers } from '../rfq/makers.ts';
import {
  fundMaker,
  createMaker,
  openMakerSwap,
  SOL,
  type TestMakerSwap,
  type TestMakerSwapOptions,
  USDC,
} from './makers.ts';

/** What the maker pays for a SOL and asks for one, in atoms of USDC: far better than the pools, in either direction. */
export const [BID, ASK] = [400_000_000n, 50_000_000n];
/** Lamports at each of the two prices. */
export const DEPTH = 20_000_000_000n;
/** Atoms of each token that the maker holds. */
export const HELD = 1_000_000_000_000n;

export const MAKER = createMaker('one');
export const MAKER_ID = `of ${MAKER.address}`;

/** Queries of orders that the maker wins. */
export const SELL = { inputMint: SOL.mint, outputMint: USDC.mint, amount: '1000000000' };
export const BUY = { inputMint: USDC.mint, outputMint: SOL.mint, amount: '100000000' };

export interface OneMakerSwap {
  readonly swap: TestMakerSwap;
  readonly makers: TestMakers;
  readonly records: MemoryRecords;
}

/** A swap product with one maker, which is connected, quotes SOL in USDC, and signs whatever comes. */
export async function openOneMakerSwap(
  options: Pick<TestMakerSwapOptions, 'house'> = {},
): Promise<OneMakerSwap> {
  const makers = new TestMakers();
  const records = new MemoryRecords();
  const swap = await openMakerSwap({ makers, records, ...options });
  for (const token of [SOL, USDC]) fundMaker(swap.market, MAKER, token, HELD);
  makers.connect(MAKER_ID, signing(MAKER));
  streamBook(makers);
  return { swap, makers, records };
}

/** Puts a book of one bid and one ask in place of the maker's last one. */
export function streamBook(makers: TestMakers, { depth = DEPTH, bid = BID } = {}) {
  const [bids, asks] = [bid, ASK].map((price) => [{ price, volume: depth }]);
  return makers.stream(MAKER, { base: SOL, quote: USDC }, bids ?? [], asks ?? []);
}

/** Of the venues that an answer leads over, in its order. */
export function listLabels(answer: {
  readonly routePlan: readonly { readonly swapInfo: { readonly label?: unknown } }[];
}): readonly unknown[] {
  return answer.routePlan.map(({ swapInfo }) => swapInfo.label);
}
