import './answer-facts.css';
import { Badge } from '../../../parts/badge.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { type AnswerHead, findHeader } from '../request/send-request.ts';
import { formatMilliseconds } from './answer-text.ts';

const REQUEST_ID = 'x-api-gateway-request-id';

/** The status of an answer and how long it took, and what its headers say of the request and the limits. */
export function AnswerFacts({ head, size }: { readonly head: AnswerHead; readonly size: string | null }) {
  const id = findHeader(head, REQUEST_ID);
  const remaining = findHeader(head, 'x-ratelimit-remaining');
  return (
    <div className="answer-facts">
      <p className="answer-facts__line">
        <StatusBadge status={head.status} text={head.statusText} />
        <span>{formatMilliseconds(head.headMs)}</span>
        {size === null ? null : <span>{size}</span>}
        {remaining === null ? null : <span>{remaining} requests left of the limit</span>}
      </p>
      <Disclosure summary="Headers">
        <dl className="answer-facts__headers">
          {head.headers.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
      {id === null ? null : (
        <p className="answer-facts__id">
          Request <code>{id}</code> <CopyButton text={id} label="Copy the id of the request" />
        </p>
      )}
    </div>
  );
}

/** The status of an answer, in the colour of its class. */
export function StatusBadge({ status, text }: { readonly status: number; readonly text: string }) {
  const tone = status < 300 ? 'good' : status < 400 ? 'plain' : status < 500 ? 'warning' : 'danger';
  return (
    <Badge tone={tone}>
      {status} {text}
    </Badge>
  );
}
