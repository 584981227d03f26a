import type { ReactNode } from 'react';
import type { RawAnswerText } from '../../../api/raw-query.ts';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';

/** What a panel needs of a query. */
interface AnswerQuery {
  readonly data: RawAnswerText<unknown> | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** A part of a page that shows one answer: what is read from it, what went wrong, and the answer as it came. */
export function AnswerPanel({
  title,
  aside,
  what,
  query,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  /** What is loaded, in the plural: `limit orders`. */
  readonly what: string;
  readonly query: AnswerQuery;
  /** Called with the answer once it is there. */
  readonly children: (answer: RawAnswerText<unknown>) => ReactNode;
}) {
  const { data, error, refetch } = query;
  return (
    <Panel title={title} aside={aside}>
      {data !== undefined ? children(data) : error === null ? <Loading what={what} /> : null}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <RawAnswer raw={data} name={`of the ${what}`} />
    </Panel>
  );
}
