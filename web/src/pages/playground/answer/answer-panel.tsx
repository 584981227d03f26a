import './answer-panel.css';
import type { ApiOperation } from '../../../openapi/model/api-model.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import { type AnswerRecord, answerHistory, useAnswerHistory } from '../request/answer-history.ts';
import { TransactionActions } from '../transaction/transaction-actions.tsx';
import type { useSender } from '../request/use-sender.ts';
import { StatusBadge } from './answer-facts.tsx';
import { formatBytes, formatMilliseconds } from './answer-text.ts';
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
  const history = useAnswerHistory().filter(
    (record) => record.side === side && record.operationId === operation.id,
  );
  return (
    <Panel title="Answer">
      <div aria-live="polite" aria-busy={sender.state.kind === 'sending'}>
        <CurrentAnswer operation={operation} sender={sender} />
      </div>
      {history.length < 2 ? null : (
        <Disclosure summary={`The last ${history.length} answers`}>
          <ol className="answer-panel__history">
            {history.map((record) => (
              <li key={record.id}>
                <HistoryEntry record={record} onShow={() => sender.show(record.request, record.answer)} />
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

function CurrentAnswer({
  operation,
  sender: { state, stop },
}: {
  readonly operation: ApiOperation;
  readonly sender: ReturnType<typeof useSender>;
}) {
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
          actions={<TransactionActions key={answer.receivedAt} answer={answer} request={request} />}
        />
      );
    }
  }
}

function HistoryEntry({ record, onShow }: { readonly record: AnswerRecord; readonly onShow: () => void }) {
  const { answer, id } = record;
  return (
    <Button kind="quiet" className="answer-panel__entry" onClick={onShow}>
      <span className="answer-panel__number">{id}</span>
      <StatusBadge status={answer.status} text={answer.statusText} />
      <span>{formatMilliseconds(answer.totalMs)}</span>
      <span>{formatBytes(answer.byteCount)}</span>
    </Button>
  );
}
