import { useState } from 'react';
import type { ApiAnswer } from '../../openapi/model/api-model.ts';
import type { NamedNodes } from '../../openapi/model/schema.ts';
import { describeType } from '../../openapi/model/type-label.ts';
import { Prose } from '../../parts/prose.tsx';
import { SchemaTree } from './schema-tree.tsx';

/** How answers that go on are sent, by their media type. */
const STREAM_NOTES: Readonly<Record<string, string>> = {
  'text/event-stream': 'A stream of server-sent events. The data of each one is:',
  'application/x-ndjson': 'A stream of lines. Each one is JSON:',
};

/** The answers of an operation by their status. The successful one is open at first. */
export function AnswerList({
  answers,
  named,
}: {
  readonly answers: readonly ApiAnswer[];
  readonly named: NamedNodes;
}) {
  return (
    <div className="answer-list">
      {answers.map((answer) => (
        <AnswerItem key={answer.status} answer={answer} named={named} />
      ))}
    </div>
  );
}

function AnswerItem({ answer, named }: { readonly answer: ApiAnswer; readonly named: NamedNodes }) {
  const { status, description, contents } = answer;
  const isSuccess = status.startsWith('2');
  const [isOpen, setOpen] = useState(isSuccess);
  // The images of one kind have one schema for all their types.
  const schemas = contents.filter(
    ({ schema }, index) =>
      schema !== null &&
      contents.findIndex((other) => JSON.stringify(other.schema) === JSON.stringify(schema)) === index,
  );
  return (
    <details
      className="answer-list__answer"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={`answer-list__status answer-list__status--${isSuccess ? 'good' : 'bad'}`}>
          {status}
        </span>
        <Prose text={description} />
      </summary>
      {isOpen ? (
        <div className="answer-list__contents">
          {schemas.map(({ type, schema }) => (
            <div key={type}>
              <p className="answer-list__type">
                {STREAM_NOTES[type] ??
                  contents
                    .filter((each) => JSON.stringify(each.schema) === JSON.stringify(schema))
                    .map((each) => each.type)
                    .join(', ')}{' '}
                {schema === null ? null : <code>{describeType(schema)}</code>}
              </p>
              {schema === null ? null : <SchemaTree schema={schema} named={named} />}
            </div>
          ))}
        </div>
      ) : null}
    </details>
  );
}
