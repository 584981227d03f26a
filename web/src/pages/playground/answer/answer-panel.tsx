import './answer-panel.css';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { formatBytes } from '../../../base/format-bytes.ts';
import type { ApiOperation } from '../../../openapi/model/api-model.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { selectErrorChapters, useErrorSections } from '../../../openapi/use-error-sections.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Method } from '../../../parts/operations/method.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import { type AnswerRecord, answerHistory, useAnswerHistory } from '../request/answer-history.ts';
import { TransactionActions } from '../transaction/transaction-actions.tsx';
import type { SendState, useSender } from '../request/use-sender.ts';
import { StatusBadge } from './answer-facts.tsx';
import { formatMilliseconds } from './answer-text.ts';
import { AnswerView } from './answer-view.tsx';
import { StreamView } from './stream-view.tsx';

/** The answer to the last request, and the answers of before. */
export function AnswerPanel({
  side,
  operation,
  sender,
}: {
  readonly side: ApiSide;
  readonly operation: ApiOperation;
  readonly sender: ReturnType<typeof useSender>;
}) {
  const history = useAnswerHistory();
  const place = useRef<HTMLDivElement>(null);
  useShownAnswer(place, sender.state.kind);
  return (
    <Panel title="Answer">
      <div
        ref={place}
        className="answer-panel__current"
        aria-live="polite"
        aria-busy={sender.state.kind === 'sending'}
      >
        <CurrentAnswer side={side} operation={operation} sender={sender} />
      </div>
      {history.length === 0 ? null : (
        <Disclosure
          summary={
            history.length === 1
              ? 'The last answer of this tab'
              : `The last ${history.length} answers of this tab`
          }
        >
          <ol className="answer-panel__history">
            {history.map((record) => (
              <li key={record.id}>
                <HistoryEntry
                  record={record}
                  isOwn={record.side === side && record.operationId === operation.id}
                  onShow={() => sender.show(record.request, record.answer)}
                />
              </li>
            ))}
          </ol>
          <Button kind="quiet" onClick={() => answerHistory.clear()}>
            Forget all
          </Button>
        </Disclosure>
      )}
    </Panel>
  );
}

/** Scrolls to an answer that has come below the window, as it does where the page has one column. */
function useShownAnswer(place: { readonly current: HTMLElement | null }, kind: SendState['kind']): void {
  const first = useRef(kind);
  useEffect(() => {
    if (kind === first.current) return;
    first.current = kind;
    const top = place.current?.getBoundingClientRect().top ?? 0;
    const isHidden = top > window.innerHeight - 80;
    if (isHidden && (kind === 'answered' || kind === 'stream' || kind === 'failed'))
      place.current?.scrollIntoView({ block: 'start' });
  }, [kind, place]);
}

function CurrentAnswer({
  side,
  operation,
  sender: { state, stop },
}: {
  readonly side: ApiSide;
  readonly operation: ApiOperation;
  readonly sender: ReturnType<typeof useSender>;
}) {
  const { data: chapters = [] } = useErrorSections();
  switch (state.kind) {
    case 'idle':
      return <EmptyNote>Send the request to see its answer here.</EmptyNote>;
    case 'sending':
      return (
        <p className="status" role="status">
          <span className="status__pulse" aria-hidden="true" /> Waiting for the answer …
        </p>
      );
    case 'cancelled':
      return <EmptyNote>The request was cancelled. Sluice may have handled it all the same.</EmptyNote>;
    case 'failed':
      return (
        <div className="status status--error" role="alert">
          <p>{state.message}</p>
        </div>
      );
    case 'stream':
      return <StreamView stream={state} onStop={stop} />;
    case 'answered': {
      const { answer, request } = state;
      const meaning =
        operation.answers.find(({ status }) => status === String(answer.status))?.description ?? '';
      return (
        <AnswerView
          answer={answer}
          meaning={meaning}
          chapters={selectErrorChapters(chapters, operation, side)}
          actions={<TransactionActions key={answer.receivedAt} answer={answer} request={request} />}
        />
      );
    }
  }
}

function HistoryEntry({
  record,
  isOwn,
  onShow,
}: {
  readonly record: AnswerRecord;
  /** Whether the answer is one of the operation that is shown. */
  readonly isOwn: boolean;
  readonly onShow: () => void;
}) {
  const { answer, id, operationId, request, search } = record;
  const content = (
    <>
      <span className="answer-panel__number">{id}</span>
      <StatusBadge status={answer.status} text="" />
      <Method name={request.method} />
      <span className="answer-panel__path">{request.path}</span>
      <span>{formatMilliseconds(answer.totalMs)}</span>
      <span>{formatBytes(answer.byteCount)}</span>
    </>
  );
  if (isOwn)
    return (
      <Button kind="quiet" className="answer-panel__entry" onClick={onShow}>
        {content}
      </Button>
    );
  return (
    <Link
      to="/playground/$operationId"
      params={{ operationId }}
      search={search}
      state={{ answerId: id }}
      preload={false}
      className="button button--quiet answer-panel__entry"
    >
      {content}
    </Link>
  );
}
