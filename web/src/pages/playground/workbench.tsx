import './workbench.css';
import { Link, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { ApiModel, ApiOperation } from '../../openapi/model/api-model.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Prose } from '../../parts/prose.tsx';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { findRefusal } from './answer/refusal.ts';
import { RequestFormView } from './form/request-form-view.tsx';
import { usePlaygroundForm } from './form/use-playground-form.ts';
import { Method } from '../../parts/operations/method.tsx';
import { answerHistory, useAnswerHistory } from './request/answer-history.ts';
import { SnippetsView } from '../../parts/operations/snippets-view.tsx';
import { type SendState, useSender } from './request/use-sender.ts';

/** The form of one operation, the request as a program, and the answer. */
export function Workbench({
  side,
  model,
  operation,
}: {
  readonly side: ApiSide;
  readonly model: ApiModel;
  readonly operation: ApiOperation;
}) {
  const form = usePlaygroundForm(side, model, operation);
  const sender = useSender(useGivenAnswer(side, operation.id), (request, answer) => {
    answerHistory.add({ side, operationId: operation.id, request, search: form.search, answer });
    form.refuse(answer.status === 400 ? (findRefusal(answer)?.message ?? null) : null);
  });
  const isUnderWay =
    sender.state.kind === 'sending' || (sender.state.kind === 'stream' && sender.state.end === null);
  const formElement = useRef<HTMLFormElement>(null);
  const send = (evenIfWrong: boolean) => {
    if (form.check() || evenIfWrong) sender.send(form.request);
    else requestAnimationFrame(() => focusFirstProblem(formElement.current));
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send(false);
  };
  const { count } = form;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are a short cut for the button Send.
    <div className="workbench" onKeyDown={sendByKey}>
      <OperationHead side={side} operation={operation} />
      <div className="workbench__columns">
        <Panel
          title="Request"
          aside={
            <div className="workbench__tools">
              <CopyButton text={form.link} shown="Copy link" label="Copy link to this request" />
              <Button kind="quiet" onClick={form.reset}>
                Reset
              </Button>
            </div>
          }
        >
          <form
            ref={formElement}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              send(false);
            }}
            onBlur={(event) => form.touch(event.target.dataset.path)}
          >
            <RequestFormView
              key={form.version}
              side={side}
              operation={operation}
              fields={form.fields}
              form={form.values}
              problems={form.problems}
              onChange={form.change}
            />
            <div className="workbench__send">
              <Button kind="primary" type="submit" busy={isUnderWay}>
                Send
              </Button>
              {isUnderWay ? <Button onClick={sender.stop}>Cancel</Button> : null}
              <span className="workbench__keys">
                <kbd>Ctrl</kbd> <kbd>Enter</kbd>
              </span>
              {count === 0 ? null : (
                <p className="workbench__wrong" role="status">
                  {count === 1 ? 'One value is wrong.' : `${count} values are wrong.`}{' '}
                  <Button kind="quiet" onClick={() => send(true)}>
                    Send it anyway
                  </Button>
                </p>
              )}
            </div>
          </form>
        </Panel>
        <div className="workbench__side">
          <Panel>
            <SnippetsView request={form.shownRequest} isStream={operation.stream !== null} />
          </Panel>
          <AnswerPanel side={side} operation={operation} sender={sender} />
        </div>
      </div>
    </div>
  );
}

function focusFirstProblem(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** An answer of this tab that the reader has chosen. */
    readonly answerId?: number;
  }
}

/** Returns the answer that the reader has chosen in the history, where it is one of this operation. */
function useGivenAnswer(side: ApiSide, operationId: string): SendState {
  const answerId = useRouterState({ select: ({ location }) => location.state.answerId });
  const record = useAnswerHistory().find(({ id }) => id === answerId);
  return record?.side === side && record.operationId === operationId
    ? { kind: 'answered', request: record.request, answer: record.answer }
    : { kind: 'idle' };
}

function OperationHead({ side, operation }: { readonly side: ApiSide; readonly operation: ApiOperation }) {
  const { method, path, summary, description, id } = operation;
  const paragraphs = useMemo(() => description.split(/\n{2,}/).filter((part) => part !== ''), [description]);
  return (
    <header className="workbench__head">
      <h2>{summary === '' ? id : summary}</h2>
      <p className="workbench__path">
        <Method name={method} />
        <code>{path}</code>
      </p>
      {paragraphs.map((part) => (
        <p key={part} className="workbench__text">
          <Prose text={part} />
        </p>
      ))}
      <p className="workbench__links">
        <Link
          to="/reference/$operationId"
          params={{ operationId: id }}
          search={side === 'admin' ? { side } : {}}
        >
          Its answers and errors in the API reference
        </Link>
      </p>
    </header>
  );
}
