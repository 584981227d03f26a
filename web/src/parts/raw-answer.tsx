import './raw-answer.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CalledSide } from '../api/admin.ts';
import type { RawAnswerText } from '../api/raw-query.ts';
import { type ExactJson, formatExactJson } from '../base/exact-json.ts';
import { findOperation } from '../openapi/model/find-operation.ts';
import { useApiModel } from '../openapi/use-api-model.ts';
import { Code } from './code.tsx';
import { CopyButton } from './copy-button.tsx';

/** Longer answers are shown by their beginning; the whole is copied. */
const MAX_SHOWN = 200_000;

/**
 * A disclosure with an answer as it came: what was asked, its JSON, a button that copies it, and a link that opens the same
 * request in the playground.
 *
 * @param props.raw - What `useRawQuery` has read; undefined while there is none.
 * @param props.name - Tells several of one page apart: `of the positions`. Default: nothing.
 */
export function RawAnswer({
  raw,
  name = '',
}: {
  readonly raw: RawAnswerText<unknown> | undefined;
  readonly name?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  if (raw === undefined) return null;
  return (
    <details className="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Raw answer{name === '' ? '' : ` ${name}`}</summary>
      {isOpen ? <RawContent raw={raw} name={name} /> : null}
    </details>
  );
}

function RawContent({ raw, name }: { readonly raw: RawAnswerText<unknown>; readonly name: string }) {
  const text = formatAnswer(raw.exact, raw.text);
  const isCut = text.length > MAX_SHOWN;
  return (
    <div className="disclosure__content raw-answer">
      <p className="raw-answer__request">
        <code>
          {raw.body === undefined ? 'GET' : 'POST'} {raw.path}
        </code>
        <PlaygroundLink
          side={raw.side}
          method={raw.body === undefined ? 'GET' : 'POST'}
          path={raw.path}
          body={raw.body}
        />
        {isCut ? <CopyButton text={raw.text} shown="Copy all" label="Copy all of the answer" /> : null}
      </p>
      <Code
        text={isCut ? text.slice(0, MAX_SHOWN) : text}
        language="json"
        label={`the raw answer${name === '' ? '' : ` ${name}`}`}
        maxLines={24}
      />
      {isCut ? <p className="raw-answer__note">The first {MAX_SHOWN / 1_000} kB are shown.</p> : null}
    </div>
  );
}

function formatAnswer(exact: ExactJson, text: string): string {
  return text.length > 10 * MAX_SHOWN ? text : formatExactJson(exact, 2);
}

/** A link that opens a request in the playground, with its values filled in. Nothing where no endpoint is documented. */
export function PlaygroundLink({
  side = 'public',
  method = 'GET',
  path,
  body,
  children = 'Open in the playground',
}: {
  readonly side?: CalledSide;
  /** In capital letters. Default: GET. */
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  /** The JSON of its body. */
  readonly body?: string | undefined;
  readonly children?: string;
}) {
  const { data: model } = useApiModel(side);
  const found = model === undefined ? null : findOperation(model, method, path);
  if (found === null) return null;
  const values = body === undefined ? found.values : { ...found.values, body };
  return (
    <Link
      to="/playground/$operationId"
      params={{ operationId: found.operation.id }}
      search={side === 'admin' ? { side, ...values } : values}
    >
      {children}
    </Link>
  );
}
