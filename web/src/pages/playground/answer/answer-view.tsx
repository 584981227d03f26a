import './answer-view.css';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useDocsUrl } from '../../../api/instance.ts';
import { formatBytes } from '../../../base/format-bytes.ts';
import type { ErrorChapter } from '../../../openapi/use-error-sections.ts';
import { Button } from '../../../parts/button.tsx';
import { Code } from '../../../parts/code.tsx';
import type { SentAnswer } from '../request/send-request.ts';
import { AnswerFacts } from './answer-facts.tsx';
import { formatAnswerText } from './answer-text.ts';
import { explainRefusal } from './explain-refusal.ts';
import { findRefusal } from './refusal.ts';
import { saveFile } from '../../../base/save-file.ts';

/** An answer: its status, what it refuses, and its body. */
export function AnswerView({
  answer,
  meaning,
  chapters,
  actions,
}: {
  readonly answer: SentAnswer;
  /** What the description of the operation says of the status; empty if it says nothing. */
  readonly meaning: string;
  /** The parts of the page of errors that are about the operation. */
  readonly chapters: readonly ErrorChapter[];
  /** What can be done with the answer. */
  readonly actions: ReactNode;
}) {
  return (
    <div className="answer-view">
      <AnswerFacts head={answer} size={formatBytes(answer.byteCount)} />
      <RefusalNote answer={answer} meaning={meaning} chapters={chapters} />
      {actions}
      <BodyView answer={answer} />
    </div>
  );
}

function RefusalNote({
  answer,
  meaning,
  chapters,
}: {
  readonly answer: SentAnswer;
  readonly meaning: string;
  readonly chapters: readonly ErrorChapter[];
}) {
  const docs = useDocsUrl();
  const refusal = useMemo(() => findRefusal(answer), [answer]);
  if (refusal === null) return null;
  const { message, details, code, advice } = refusal;
  const explanation = explainRefusal(chapters, refusal, answer.status);
  const remedy = advice ?? explanation?.remedy ?? '';
  const explained = explanation?.meaning || (message === null ? '' : meaning);
  return (
    <div className="answer-view__refusal" role="alert">
      <p>
        <strong>{message ?? meaning}</strong>
      </p>
      {details === null ? null : <p>{details}</p>}
      {explained === '' || explained === message ? null : (
        <p>
          {code === null ? null : <code>{code}</code>} {explained}
        </p>
      )}
      {remedy === '' || remedy === explained ? null : <p>{remedy}</p>}
      <p>
        <a href={`${docs}/errors${explanation === null ? '' : `#${explanation.anchor}`}`}>
          All errors, and what to do about each
        </a>
      </p>
    </div>
  );
}

function BodyView({ answer }: { readonly answer: SentAnswer }) {
  const { body, byteCount } = answer;
  if (body.kind === 'binary') return <BinaryBody content={body.content} isCut={body.isCut} />;
  if (byteCount === 0) return <p className="answer-view__empty">The answer has no body.</p>;
  return <TextBody text={body.text} type={answer.type} isCut={body.isCut} byteCount={byteCount} />;
}

function TextBody({
  text,
  type,
  isCut,
  byteCount,
}: {
  readonly text: string;
  readonly type: string;
  readonly isCut: boolean;
  readonly byteCount: number;
}) {
  const shown = useMemo(() => formatAnswerText(text), [text]);
  const download = () => saveFile(new Blob([text], { type }), nameFile(type));
  return (
    <>
      {shown.isCut || isCut ? (
        <p className="answer-view__cut">
          The beginning of {formatBytes(byteCount)} is shown.
          {isCut ? ' What comes behind 64 MB was not read.' : ''}
        </p>
      ) : null}
      <Code text={shown.text} language={shown.language} label="the body of the answer" maxLines={36} />
      <div>
        <Button kind="quiet" onClick={download}>
          Download the body
        </Button>
      </div>
    </>
  );
}

const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function BinaryBody({ content, isCut }: { readonly content: Blob; readonly isCut: boolean }) {
  const url = useImageUrl(content);
  return (
    <>
      {url === null ? null : <img className="answer-view__image" src={url} alt="The body of the answer" />}
      <p className="answer-view__empty">
        {content.type === '' ? 'Bytes of an unknown type' : content.type}, {formatBytes(content.size)}
        {isCut ? ', of which the rest was not read' : ''}
      </p>
      <div>
        <Button kind="quiet" onClick={() => saveFile(content, nameFile(content.type))}>
          Download the body
        </Button>
      </div>
    </>
  );
}

/** An image stands in the address itself, which the policy of the page allows; an address of the blob it does not. */
function useImageUrl(content: Blob): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    setUrl(null);
    if (!IMAGE_TYPES.includes(content.type) || content.size > 4_000_000) return;
    const reader = new FileReader();
    reader.onload = () => setUrl(String(reader.result));
    reader.readAsDataURL(content);
    return () => reader.abort();
  }, [content]);
  return url;
}

function nameFile(type: string): string {
  const ending = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(type)?.[1] ?? 'bin';
  return `answer.${ending === 'plain' ? 'txt' : ending}`;
}
