import { Type } from 'typebox';
import { KEPT_LEVELS } from '../../rfq/books/book-levels.ts';
import { MAX_SHOWN_BOOKS, type MakerBooksView } from '../../rfq/desk/maker-desk.ts';
import type { BookLadder, LadderToken } from '../../rfq/desk/maker-ladders.ts';
import { named } from '../named-schema.ts';

const Atoms = (description: string) => Type.String({ description: `${description}, in decimal digits.` });
const Time = (description: string) =>
  Type.Integer({ minimum: 0, description: `Unix milliseconds ${description}` });

/** The schema of a text for people, or of null where there is none. */
export function createNullableText(description: string) {
  return Type.Union([Type.String(), Type.Null()], { description });
}

const MakerBookToken = named(
  'MakerBookToken',
  Type.Object({
    mint: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 255 }),
    symbol: Type.String({ description: 'What the maker streams, which may be any text.' }),
  }),
);
const MakerBookLevel = named(
  'MakerBookLevel',
  Type.Object({
    price: Atoms('Atoms of `quote` for one whole token of `base`'),
    volume: Atoms('Atoms of `base`'),
    free: Atoms('Of them, the atoms that no swap under way reserves'),
  }),
);
const MakerBook = named(
  'MakerBook',
  Type.Object({
    base: MakerBookToken,
    quote: MakerBookToken,
    bids: Type.Array(MakerBookLevel, { description: 'What the maker pays for base, highest price first.' }),
    asks: Type.Array(MakerBookLevel, { description: 'What the maker asks for base, lowest price first.' }),
    reserved: Type.Object(
      { base: Atoms('Atoms of `base`'), quote: Atoms('Atoms of `quote`') },
      { description: 'What swaps under way reserve of the inventory of the maker.' },
    ),
    sequenceNumber: Type.String({ description: 'Of the snapshot, a u64.' }),
    lotSizeBase: Atoms('Atoms of `base` in a lot, as the maker streams it'),
    receivedAt: Time('at which the snapshot came.'),
    ageMs: Type.Integer({ minimum: 0, description: 'Milliseconds since then.' }),
    expiresAt: Time('from which on the book is not used.'),
    isCrossed: Type.Boolean({
      description: 'Whether takers can buy at its best ask and sell at its higher best bid.',
    }),
    notUsed: createNullableText('Why it is not used for orders now; null: it is.'),
  }),
);

export const MakerBooksAnswer = named(
  'MakerBooks',
  Type.Object({
    maker: Type.String({ description: 'The id of the maker.' }),
    at: Time('of this answer, by the clock of the times below.'),
    notUsed: createNullableText('Why no book of the maker is used now; null: its books are.'),
    lastProblem: createNullableText(
      'Why its last snapshot or book is not in the market; null: it is, or this instance has seen none.',
    ),
    total: Type.Integer({ minimum: 0, description: 'How many books it has in the market.' }),
    books: Type.Array(MakerBook, {
      description: `At most ${MAX_SHOWN_BOOKS}, the most recently received first. A book has the levels that the balance of the maker covers, at most ${KEPT_LEVELS} on each side.`,
    }),
  }),
);

/** Returns the books of a maker as clients see them. */
export function toMakerBooksJson(
  maker: string,
  { at, notUsed, lastProblem, total, ladders }: MakerBooksView,
): Type.Static<typeof MakerBooksAnswer> {
  return { maker, at, notUsed, lastProblem, total, books: ladders.map((ladder) => toBookJson(ladder, at)) };
}

function toBookJson(
  { base, quote, bids, asks, reserved, sequence, lotSizeBase, ...rest }: BookLadder,
  at: number,
): Type.Static<typeof MakerBook> {
  const { receivedAt, expiresAt, isCrossed, notUsed } = rest;
  return {
    base: toTokenJson(base),
    quote: toTokenJson(quote),
    bids: bids.map(toLevelJson),
    asks: asks.map(toLevelJson),
    reserved: { base: String(reserved.base), quote: String(reserved.quote) },
    sequenceNumber: String(sequence),
    lotSizeBase: String(lotSizeBase),
    receivedAt,
    ageMs: Math.max(at - receivedAt, 0),
    expiresAt,
    isCrossed,
    notUsed,
  };
}

function toTokenJson({ mint, decimals, symbol }: LadderToken): Type.Static<typeof MakerBookToken> {
  return { mint, decimals, symbol };
}

function toLevelJson({
  price,
  volume,
  free,
}: BookLadder['bids'][number]): Type.Static<typeof MakerBookLevel> {
  return { price: String(price), volume: String(volume), free: String(free) };
}
