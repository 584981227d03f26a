import { getGenesisPools } from '../src/protocol/genesis/venue-genesis.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { lendingGenesis } from '../src/protocols/jupiter-lend/venue/genesis.ts';
import { meteoraDbcVenueGenesis } from '../src/protocols/meteora-dbc/genesis/genesis.ts';
import type { Address } from '../src/solana/address.ts';
import { SwapRefused } from '../src/swaps/refusals.ts';
import { openTestSwap, type TestSwap } from '../src/testing/genesis-market/swap.ts';
import { randomNumbers } from './market/synthetic.ts';
import type { Row } from './row.ts';

export const title = 'Quotes against execution';

const SEED = 20_261_121;
const ORDERS = 500;
/** Not every random pair has a route over a single venue. */
const ATTEMPTS = 20_000;
/** The largest share of the wallet's balance per swap, so small that the wallet does not run out of any token. */
const MAX_SHARE = 0.01;

/** Random orders on the market of the genesis, over each venue alone and over all of them, executed by real programs. */
export async function run(): Promise<readonly Row[]> {
  const labels = VENUES.map(({ label }) => label);
  const rows: Row[] = [];
  // The pools of forecasts are there while a round is open, and the genesis has none.
  const { pools } = (await openTestSwap()).market;
  const traded = new Set(Array.from(pools.all(true), ({ venue }) => venue.label));
  for (const label of labels.filter((each) => traded.has(each))) {
    rows.push(await compare(label, labels));
  }
  rows.push(await compare(null, labels));
  return rows;
}

/** Compares quotes and executions over one venue, or over all venues. */
async function compare(only: string | null, labels: readonly string[]): Promise<Row> {
  const excludeDexes = only === null ? '' : labels.filter((other) => other !== only).join(',');
  const swap = await openTestSwap();
  const random = randomNumbers(SEED);
  const { pools } = swap.market;
  const { genesis } = swap.market;
  const receipts = getGenesisPools(genesis, lendingGenesis).map(({ receiptMint }) => receiptMint);
  const launched = getGenesisPools(genesis, meteoraDbcVenueGenesis).map(({ keys }) => keys.baseMint);
  const mints = [...genesis.tokens.map(({ mint }) => mint), ...receipts, ...launched].filter((mint) =>
    [...pools.counterparts(mint).values()].flat().some(({ venue }) => only === null || venue.label === only),
  );
  const pick = () => mints[Math.floor(random() * mints.length)] as Address;
  let executed = 0;
  let different = 0;
  for (let attempt = 0; attempt < ATTEMPTS && executed < ORDERS; attempt++) {
    const [inputMint, outputMint] = [pick(), pick()];
    const share = random() * MAX_SHARE;
    if (inputMint === outputMint) continue;
    const agrees = await swapOnce(swap, { inputMint, outputMint, excludeDexes }, share);
    if (agrees === null) continue;
    executed++;
    if (!agrees) different++;
  }
  return {
    what: `orders over ${only ?? 'all venues'} that moved another amount than quoted`,
    measured: `${different} of ${executed}`,
    against: 'programs in the virtual machine',
    atLeast: 'none',
    ok: different === 0 && executed === ORDERS,
  };
}

interface Pair {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly excludeDexes: string;
}

/** Returns null when there is no such route, or nothing to sell. */
async function swapOnce(swap: TestSwap, pair: Pair, share: number): Promise<boolean | null> {
  const held = swap.holding(swap.wallet.address, pair.inputMint);
  const amount = (held * BigInt(Math.floor(share * 1e9))) / 1_000_000_000n;
  if (amount === 0n) return null;
  const order = await swap.order({ ...pair, amount: amount.toString() }).catch((error: unknown) => {
    if (error instanceof SwapRefused) return null;
    throw error;
  });
  if (order === null || !order.transaction) return null;
  const result = await swap.execute(order);
  return result.totalInputAmount === order.inAmount && result.totalOutputAmount === order.outAmount;
}
