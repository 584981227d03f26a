import { useMemo } from 'react';
import { useKnownTokens } from '../../../api/known-tokens.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { useDocsUrl } from '../../../api/instance.ts';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { MakerBook } from '../source/maker-shapes.ts';
import type { MakerSource } from '../source/maker-source.ts';
import { useMakerBooks } from '../source/use-maker.ts';
import { BookCard } from './book-card.tsx';

const NO_BOOKS: readonly MakerBook[] = [];

/** The books that a maker has in the market, live. */
export function BooksPanel({ source }: { readonly source: MakerSource }) {
  const { data, error, refetch } = useMakerBooks(source);
  const docs = useDocsUrl();
  const books = data?.value.books ?? NO_BOOKS;
  const mints = useMemo(() => books.flatMap(({ base, quote }) => [base.mint, quote.mint]), [books]);
  const tokens = useKnownTokens(mints);
  if (data === undefined)
    return error === null ? (
      <Loading what="books" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const { notUsed, lastProblem, total, at } = data.value;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {lastProblem === null ? null : (
        <p className="maker-note maker-note--warning">
          Its last book is not in the market: {escapeInvisible(lastProblem)}.
        </p>
      )}
      {books.length === 0 ? (
        <Panel title="Books">
          <EmptyNote>
            <p>
              There is no book of this maker in the market
              {notUsed === null ? '.' : `: ${escapeInvisible(notUsed)}.`}
            </p>
            <p>
              A maker that streams sends its books over gRPC:{' '}
              <a href={`${docs}/quickstart/maker#by-streams`}>start one</a>. A maker that is asked by webhook
              has none, because it quotes each order for itself.
            </p>
          </EmptyNote>
        </Panel>
      ) : (
        <>
          {notUsed === null ? null : (
            <p className="maker-note maker-note--warning">No book is used now: {escapeInvisible(notUsed)}.</p>
          )}
          <div className="maker-books">
            {books.map((book) => (
              <BookCard
                key={`${book.base.mint}/${book.quote.mint}`}
                book={book}
                tokens={tokens}
                said={notUsed}
                answeredAt={at}
                readAt={data.readAt}
              />
            ))}
          </div>
          {total > books.length ? (
            <p className="maker-note">
              {books.length} of {total} books are shown.
            </p>
          ) : null}
        </>
      )}
      <RawAnswer raw={data.raw} name="of the books" />
    </>
  );
}
