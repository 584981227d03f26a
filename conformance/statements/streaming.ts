import { UpdateType, type QuoteUpdate } from '../../src/gateway/grpc/generated/market_maker_pb.js';
import { PAIR, type quoteAt } from '../../src/testing/gateway/grpc-client.ts';
import { firstOf, unless } from '../answer.ts';
import {
  type ConnectedMaker,
  INVENTORY,
  level,
  nextQuote,
  openClient,
  registerMaker,
  soon,
  withMaker,
} from '../maker.ts';
import type { Statement } from '../statement.ts';

const isAccepted = ({ updateType }: QuoteUpdate) =>
  updateType === UpdateType.UPDATED || updateType === UpdateType.NEW;

function shownUpdate({ updateType, statusMessage }: QuoteUpdate): string {
  return `${UpdateType[updateType]} ${statusMessage}`;
}

const accepted = (update: QuoteUpdate) => unless(isAccepted(update), shownUpdate(update));
const rejected = (update: QuoteUpdate) =>
  unless(update.updateType === UpdateType.REJECTED && update.statusMessage !== '', shownUpdate(update));

/** A statement about one quote: what it changes of an acceptable one, and what becomes of it. */
function quoted(
  id: string,
  says: string,
  verdict: (update: QuoteUpdate) => string | null,
  changes: Parameters<typeof quoteAt>[2],
): Statement {
  return {
    id: `streaming/${id}`,
    says,
    check: (world) => withMaker(world, async ({ stream }) => verdict(await stream(changes))),
  };
}

/** Returns the maker's live books. */
async function booksOf({ client, wallet }: Pick<ConnectedMaker, 'client' | 'wallet'>) {
  const { orderbooks } = await client.unary('getAllOrderbooks', {});
  return orderbooks.filter(({ makerAddress }) => makerAddress === wallet.address);
}

const FIVE_EQUAL = [1n, 2n, 3n, 4n, 5n].map((sol) => level(199_000_000n, sol));

export const streamingStatements: readonly Statement[] = [
  quoted('accepted', 'An acceptable quote is answered with UPDATED or NEW.', accepted, {}),
  quoted('equal-prices', 'Levels of a side may have the same price.', accepted, { bidLevels: FIVE_EQUAL }),
  quoted('crossed', 'The best bid may be above the best ask, as the public examples stream it.', accepted, {
    bidLevels: [level(200_140_000n, 10n)],
    askLevels: [level(199_860_000n, 10n)],
  }),
  quoted('one-side', 'A quote may have one side only.', accepted, { askLevels: [] }),
  quoted('long-expiry', 'quote_expiry_time is a duration without a low upper bound.', accepted, {
    quoteExpiryTime: 10_000_000n,
  }),
  quoted('shortest-expiry', 'quote_expiry_time may be 10 seconds.', accepted, { quoteExpiryTime: 10n }),
  quoted('short-expiry', 'quote_expiry_time below 10 seconds is rejected.', rejected, {
    quoteExpiryTime: 9n,
  }),
  quoted('lot-size', 'lot_size_base must match the pair.', rejected, { lotSizeBase: 1n }),
  quoted('no-level', 'A quote without a level is rejected.', rejected, { bidLevels: [], askLevels: [] }),
  quoted('empty-levels', 'A level needs a price and a volume above zero.', rejected, {
    bidLevels: [level(0n, 1n)],
    askLevels: [level(201_000_000n, 0n)],
  }),
  quoted('maker-id', 'maker_id must be the one of the key.', rejected, { makerId: 'another' }),
  {
    id: 'streaming/no-inventory',
    says: 'A quote of a maker without token accounts is rejected.',
    check: (world) => withMaker(world, async ({ stream }) => rejected(await stream()), registerMaker(world)),
  },
  {
    id: 'streaming/first-sequence-number',
    says: 'GetLastSequenceNumber answers a maker without history with success and 0.',
    check: async (world) => {
      const { id, key } = await registerMaker(world);
      const client = openClient(world, key);
      const answer = await soon(client.unary('getLastSequenceNumber', { makerId: id, authToken: key }), 'it');
      client.close();
      return unless(answer.success && answer.lastSequenceNumber === 0n, answer);
    },
  },
  {
    id: 'streaming/sequence-number',
    says: 'A sequence number must be above the last accepted one; a rejection leaves the stream open and the number free.',
    check: (world) =>
      withMaker(world, async ({ stream, client, id }) => {
        const last = async () =>
          (await client.unary('getLastSequenceNumber', { makerId: id, authToken: '' })).lastSequenceNumber;
        const number = (await last()) + 5n;
        return firstOf(
          accepted(await stream({ sequenceNumber: number })),
          unless((await last()) === number, await last()),
          rejected(await stream({ sequenceNumber: number })),
          rejected(await stream({ sequenceNumber: number + 1n, quoteExpiryTime: 1n })),
          accepted(await stream({ sequenceNumber: number + 1n })),
        );
      }),
  },
  {
    id: 'streaming/needs-swap-stream',
    says: 'A quote without a live swap stream is rejected, and the stream stays open.',
    check: async (world) => {
      const maker = await registerMaker(world);
      const client = openClient(world, maker.key);
      const quotes = client.quotes();
      for (const count of [1, 2]) {
        quotes.call.write(await nextQuote(client, maker));
        await soon(quotes.until(count), 'an ack');
      }
      client.close();
      return firstOf(...quotes.got.map(rejected));
    },
  },
  {
    id: 'streaming/headers-at-once',
    says: 'Both streams send their response headers before any message of the client.',
    check: async (world) => {
      const client = openClient(world, (await registerMaker(world)).key);
      const streams = [client.quotes(), client.swaps()];
      for (const { headers } of streams) await soon(headers, 'headers');
      client.close();
      return null;
    },
  },
  {
    id: 'streaming/five-levels',
    says: 'The best five levels of a side are kept: bids highest first, asks lowest first.',
    check: (world) =>
      withMaker(world, async (maker) => {
        const steps = [3n, 1n, 7n, 5n, 2n, 6n, 4n];
        await maker.stream({
          bidLevels: steps.map((step) => level(190_000_000n + step, 1n)),
          askLevels: steps.map((step) => level(210_000_000n + step, 1n)),
        });
        const [book] = await booksOf(maker);
        const bids = book?.bidLevels.map(({ price }) => Number(price - 190_000_000n));
        const asks = book?.askLevels.map(({ price }) => Number(price - 210_000_000n));
        return unless(`${bids}` === '7,6,5,4,3' && `${asks}` === '1,2,3,4,5', { bids, asks });
      }),
  },
  {
    id: 'streaming/covered-levels',
    says: 'Levels that the balance does not cover are dropped.',
    check: (world) =>
      withMaker(world, async (maker) => {
        const askLevels = [60n, 60n, 60n].map((sol, index) => level(210_000_000n + BigInt(index), sol));
        const update = await maker.stream({ askLevels });
        const [book] = await booksOf(maker);
        const offered = (book?.askLevels ?? []).reduce((sum, { volume }) => sum + volume, 0n);
        return firstOf(accepted(update), unless(offered > 0n && offered <= INVENTORY.sol, offered));
      }),
  },
  {
    id: 'streaming/books-leave',
    says: 'The books of a maker leave the market with its swap stream.',
    check: (world) =>
      withMaker(world, async (maker) => {
        await maker.stream();
        const before = await booksOf(maker);
        maker.swaps.call.end();
        await soon(maker.swaps.ended, 'the end of the stream');
        const after = await booksOf(maker);
        return unless(before.length === 1 && after.length === 0, [before.length, after.length]);
      }),
  },
  {
    id: 'streaming/get-quotes',
    says: 'GetQuotes echoes the pair that it is asked for; GetAllOrderbooks has a timestamp in microseconds.',
    check: (world) =>
      withMaker(world, async ({ client, stream, id, key }) => {
        await stream();
        const { quotes } = await client.unary('getQuotes', { tokenPair: PAIR, authToken: key });
        const own = quotes.find(({ makerId }) => makerId === id);
        const { timestamp } = await client.unary('getAllOrderbooks', {});
        const age = Date.now() - Number(timestamp) / 1_000;
        const symbol = own?.tokenPair?.baseToken?.symbol;
        return unless(symbol === 'SOL' && Math.abs(age) < 60_000, { symbol, age });
      }),
  },
];
