import './book-card.css';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { formatUnits } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Amount } from '../../../parts/amount.tsx';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import type { MakerBook } from '../source/maker-shapes.ts';
import { formatBriefDuration } from '../../../base/format-time.ts';
import { labelToken } from '../../../api/token-label.ts';
import { computeWorth, type Ladder, type LadderRow, toLadder } from './ladder.ts';
import { useClock } from './use-clock.ts';

/** How often the age of a book is written again. */
const TICK_MS = 250;

interface Pair {
  readonly base: MakerBook['base'];
  readonly quote: MakerBook['quote'];
  readonly baseSymbol: string;
  readonly quoteSymbol: string;
}

/** One book as a ladder, with its age and whether it is used. */
export function BookCard({
  book,
  tokens,
  said,
  answeredAt,
  readAt,
}: {
  readonly book: MakerBook;
  readonly tokens: KnownTokens;
  /** Why no book is used, which stands above them all; null: this is not so. */
  readonly said: string | null;
  /** When the server answered, by its clock. */
  readonly answeredAt: number;
  /** When the answer was read, by `performance.now`. */
  readonly readAt: number;
}) {
  const { base, quote, reserved, sequenceNumber, notUsed, isCrossed } = book;
  const [baseSymbol, quoteSymbol] = [labelToken(tokens, base.mint), labelToken(tokens, quote.mint)];
  const pair = { base, quote, baseSymbol, quoteSymbol };
  return (
    <section className="panel book-card">
      <div className="panel__head">
        <h2 className="panel__title">
          {baseSymbol} / {quoteSymbol}
        </h2>
        {notUsed === null ? <Badge tone="good">used now</Badge> : <Badge tone="warning">not used</Badge>}
      </div>
      {notUsed === null || notUsed === said ? null : (
        <p className="maker-note maker-note--warning">{escapeInvisible(notUsed)}</p>
      )}
      {isCrossed ? (
        <p className="maker-note maker-note--warning">
          The book crosses: the best bid is above the best ask, and the maker pays the difference to whoever
          takes both.
        </p>
      ) : null}
      <div className="book-card__body">
        <LadderTable ladder={toLadder(book)} pair={pair} />
        <dl className="book-card__facts">
          <Freshness book={book} answeredAt={answeredAt} readAt={readAt} />
          <div>
            <dt>Sequence number</dt>
            <dd>{sequenceNumber === null ? 'not known' : escapeInvisible(sequenceNumber)}</dd>
          </div>
          <div>
            <dt>Reserved by swaps under way</dt>
            <dd>
              <Amount raw={reserved.base} decimals={base.decimals} symbol={baseSymbol} />,{' '}
              <Amount raw={reserved.quote} decimals={quote.decimals} symbol={quoteSymbol} />
            </dd>
          </div>
          <div>
            <dt>Tokens</dt>
            <dd>
              <AddressText address={base.mint} label={baseSymbol} />{' '}
              <AddressText address={quote.mint} label={quoteSymbol} />
            </dd>
          </div>
        </dl>
      </div>
    </section>
  );
}

function LadderTable({ ladder, pair }: { readonly ladder: Ladder; readonly pair: Pair }) {
  const { base, quote, baseSymbol, quoteSymbol } = pair;
  return (
    <div className="ladder">
      <table>
        <caption className="visually-hidden">
          The levels of {baseSymbol} against {quoteSymbol}: asks from the highest price to the best one, then
          bids from the best one down
        </caption>
        <thead>
          <tr>
            <th scope="col">
              Price <span className="ladder__unit">{quoteSymbol}</span>
            </th>
            <th scope="col">
              Size <span className="ladder__unit">{baseSymbol}</span>
            </th>
            <th scope="col" className="ladder__wide">
              Up to here <span className="ladder__unit">{baseSymbol}</span>
            </th>
            <th scope="col" className="ladder__wide">
              Worth <span className="ladder__unit">{quoteSymbol}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {ladder.asks.map((row) => (
            <LevelRow key={`ask-${row.level}`} side="ask" row={row} pair={pair} />
          ))}
          <tr className="ladder__spread">
            <td colSpan={4}>{describeSpread(ladder, quote.decimals, quoteSymbol)}</td>
          </tr>
          {ladder.bids.map((row) => (
            <LevelRow key={`bid-${row.level}`} side="bid" row={row} pair={pair} />
          ))}
        </tbody>
      </table>
      <p className="ladder__legend">
        <span className="ladder__key ladder__key--ask" /> asks: the maker sells {baseSymbol}{' '}
        <span className="ladder__key ladder__key--bid" /> bids: it buys {baseSymbol}
        {hasReserved(ladder) ? (
          <>
            {' '}
            <span className="ladder__key ladder__key--reserved" /> reserved by swaps under way
          </>
        ) : null}
        <span className="visually-hidden"> Sizes have {base.decimals} decimals.</span>
      </p>
    </div>
  );
}

function LevelRow({
  side,
  row,
  pair: { base, quote },
}: {
  readonly side: 'ask' | 'bid';
  readonly row: LadderRow;
  readonly pair: Pair;
}) {
  const { price, volume, free, total, length, freeLength } = row;
  return (
    <tr className={`ladder__row ladder__row--${side}`}>
      <th
        scope="row"
        className={`ladder__price--${side}`}
        title={`${side === 'ask' ? 'Sells' : 'Buys'} at ${price} of the smallest unit`}
      >
        <span className="visually-hidden">{side} </span>
        {formatUnits(price, quote.decimals)}
      </th>
      <td className="ladder__size" title={`${volume} of the smallest unit, ${free} of them free`}>
        <span className="ladder__bar" style={{ width: `${length * 100}%` }} aria-hidden="true">
          <span className="ladder__free" style={{ width: `${freeLength * 100}%` }} />
        </span>
        <span className="ladder__amount">{formatUnits(volume, base.decimals)}</span>
        {free === volume ? null : (
          <span className="visually-hidden"> of which {formatUnits(free, base.decimals)} are free</span>
        )}
      </td>
      <td className="ladder__wide">{formatUnits(total, base.decimals)}</td>
      <td className="ladder__wide">{formatUnits(computeWorth(row, base.decimals), quote.decimals)}</td>
    </tr>
  );
}

/** How old the book is and when it expires, counted on from the answer. */
function Freshness({
  book: { receivedAt, expiresAt },
  answeredAt,
  readAt,
}: {
  readonly book: MakerBook;
  readonly answeredAt: number;
  readonly readAt: number;
}) {
  const now = answeredAt + Math.max(0, useClock(TICK_MS) - readAt);
  const left = expiresAt - now;
  const lifetime = receivedAt === null ? null : expiresAt - receivedAt;
  return (
    <>
      <div>
        <dt>Age</dt>
        <dd className="book-card__clock">
          {receivedAt === null ? 'not known' : formatBriefDuration(now - receivedAt)}
        </dd>
      </div>
      <div>
        <dt>{left > 0 ? 'Expires in' : 'Expired'}</dt>
        <dd className="book-card__clock">
          {left > 0 ? formatBriefDuration(left) : `${formatBriefDuration(-left)} ago`}
          {lifetime === null || lifetime <= 0 ? null : (
            <meter
              min={0}
              max={lifetime}
              value={Math.max(0, left)}
              aria-label="What is left of its lifetime"
            />
          )}
        </dd>
      </div>
    </>
  );
}

function describeSpread({ spread, spreadCentiBps }: Ladder, decimals: number, symbol: string): string {
  if (spread === null || spreadCentiBps === null) return 'One side is empty, so there is no spread';
  return `Spread ${formatUnits(spread, decimals)} ${symbol}, ${formatUnits(spreadCentiBps, 2)} bps`;
}

function hasReserved({ asks, bids }: Ladder): boolean {
  return [...asks, ...bids].some(({ free, volume }) => free < volume);
}
