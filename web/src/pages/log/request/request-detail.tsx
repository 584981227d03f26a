import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Scope } from '../../../api/scope.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { formatBytes } from '../../../base/format-bytes.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { formatDuration } from '../../../base/format-time.ts';
import { findOperation } from '../../../openapi/model/find-operation.ts';
import { useApiModel } from '../../../openapi/use-api-model.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Button } from '../../../parts/button.tsx';
import { ShareBar } from '../../../parts/charts/share-bar.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { PlaygroundLink } from '../../../parts/raw-answer.tsx';
import { formatLogTime, StatusBadge } from '../list/log-line.tsx';
import type { LoggedRequest } from '../source/log-shapes.ts';
import { DECISION_TEXTS, type LogFilterName } from '../source/log-search.ts';
import { formatMicroseconds } from '../../../parts/traffic/traffic-text.ts';
import { findRepeatPath } from './repeat-path.ts';
import { FactList, LogFact } from './request-facts.tsx';

/** Everything that the log has about a request. Its texts were sent by anybody: none is a link, but to this portal. */
export function RequestDetail({
  request,
  scope,
  onFilter,
  onClose,
}: {
  readonly request: LoggedRequest;
  readonly scope: Scope;
  /** Called to list the requests that share something with this one. */
  readonly onFilter: (changes: Readonly<Partial<Record<LogFilterName, string>>>) => void;
  readonly onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request is read from its heading.
  useEffect(() => heading.current?.focus(), [request.requestId]);
  const organisation = scope.kind === 'organisation' ? scope.organisation : request.organisation;
  return (
    <section className="panel log-detail" aria-label="The request">
      <div className="panel__head">
        <h2 className="panel__title" ref={heading} tabIndex={-1}>
          <StatusBadge status={request.status} /> {escapeInvisible(request.method)}
        </h2>
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <p className="log-detail__path">{escapeInvisible(request.path)}</p>
      <FactList>
        <LogFact name="Answered">
          {formatLogTime(request.at)} UTC, {formatDuration(Math.max(0, Date.now() - request.at))} ago
        </LogFact>
        <LogFact name="Request id">
          <CopiedText text={request.requestId} what="the request id" />
        </LogFact>
        <LogFact name="Query">
          {request.query === '' ? (
            <Muted>none</Muted>
          ) : (
            <CopiedText text={request.query} what="the query" isCode />
          )}
        </LogFact>
        <LogFact name="Send again">
          <RepeatLink request={request} />
        </LogFact>
        <LogFact name="Endpoint">
          {request.endpoint === '' ? (
            <Muted>no route answered</Muted>
          ) : (
            <>
              <code>{escapeInvisible(request.endpoint)}</code>
              <Only onClick={() => onFilter({ endpoint: request.endpoint })} of="this endpoint" />
            </>
          )}
        </LogFact>
        <LogFact name="Decision">{describeDecision(request.decision)}</LogFact>
        <LogFact name="Firewall">
          <FirewallFact request={request} organisation={organisation} onFilter={onFilter} />
        </LogFact>
        <LogFact name="Key">
          <OwnerFact request={request} scope={scope} onFilter={onFilter} />
        </LogFact>
        <LogFact name="Credits">{formatWhole(request.credits)}</LogFact>
        <LogFact name="Order">
          <OrderFact request={request} scope={scope} onFilter={onFilter} />
        </LogFact>
      </FactList>
      <h3 className="log-detail__title">Where {formatMicroseconds(request.latency.total)} went</h3>
      <ShareBar
        label="Parts of the time"
        empty="It took less than a microsecond."
        parts={[
          toTimePart('gateway', 'key, firewall, limits', request.latency.gateway),
          toTimePart('handler', 'the endpoint', request.latency.handler),
          toTimePart('send', 'sending the answer', request.latency.send),
        ]}
      />
      <h3 className="log-detail__title">Client</h3>
      <FactList>
        <LogFact name="Address">
          {escapeInvisible(request.client)}
          <Only onClick={() => onFilter({ client: request.client })} of="this client" />
        </LogFact>
        <LogFact name="Country">
          {request.country === null ? <Muted>unknown</Muted> : escapeInvisible(request.country)}
        </LogFact>
        <LogFact name="Network">{request.asn === null ? <Muted>unknown</Muted> : `AS${request.asn}`}</LogFact>
        <LogFact name="User agent">
          <SentText text={request.userAgent} />
        </LogFact>
        <LogFact name="Referrer">
          <SentText text={request.referrer} />
        </LogFact>
        <LogFact name="Host">
          <SentText text={request.host} />
        </LogFact>
        <LogFact name="Bodies">
          {formatBytes(request.bytesReceived)} received, {formatBytes(request.bytesSent)} sent
        </LogFact>
      </FactList>
    </section>
  );
}

/** What the log shows in place of the name of something deleted. */
const OWNER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type FactProps = Pick<Parameters<typeof RequestDetail>[0], 'request' | 'scope' | 'onFilter'>;

function RepeatLink({ request }: { readonly request: LoggedRequest }) {
  const { data: model, error } = useApiModel('public');
  const repeat = findRepeatPath(request);
  if (!repeat.ok) return <Muted>{repeat.reason}</Muted>;
  if (model === undefined) return <Muted>{error === null ? '…' : 'The endpoints cannot be read.'}</Muted>;
  if (findOperation(model, request.method, repeat.path) === null)
    return <Muted>It asked for nothing that the playground has.</Muted>;
  return (
    <>
      <PlaygroundLink method={request.method} path={repeat.path}>
        Send it again in the playground
      </PlaygroundLink>
      {request.bytesReceived > 0 ? <Muted> without its body, which is not in the log</Muted> : null}
    </>
  );
}

function FirewallFact({
  request: { firewall, team },
  organisation,
  onFilter,
}: Pick<FactProps, 'request' | 'onFilter'> & { readonly organisation: string | null }) {
  if (firewall === null) return <Muted>no rule matched</Muted>;
  const renderRule = (rule: string) =>
    organisation === null || team === null || [organisation, team].some((name) => OWNER_ID.test(name)) ? (
      <span>{escapeInvisible(rule)}</span>
    ) : (
      <Link
        to="/organisations/$organisation/firewall"
        params={{ organisation }}
        search={{ team, edit: rule } as never}
      >
        {escapeInvisible(rule)}
      </Link>
    );
  return (
    <>
      {escapeInvisible(firewall.outcome)} by {renderRule(firewall.rule)}
      <Only onClick={() => onFilter({ rule: firewall.rule })} of="decided by this rule" />
      {firewall.matched.length === 0 ? null : (
        <span className="log-detail__rules">
          matched:{' '}
          {firewall.matched.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is never changed.
            <span key={index}>
              {index === 0 ? '' : ', '}
              {renderRule(rule)}
            </span>
          ))}
        </span>
      )}
    </>
  );
}

function OwnerFact({ request: { organisation, team, key }, scope, onFilter }: FactProps) {
  if (organisation === null || team === null || key === null) return <Muted>without a valid key</Muted>;
  const owner = scope.kind === 'instance' ? { organisation, team, key } : { team, key };
  const names = [organisation, team, key].map(escapeInvisible).join(' / ');
  return (
    <>
      {OWNER_ID.test(organisation) ? (
        <span>{names}</span>
      ) : (
        <Link to="/organisations/$organisation/keys" params={{ organisation }} search={{ team } as never}>
          {names}
        </Link>
      )}
      <Only onClick={() => onFilter(owner)} of="this key" />
      {[organisation, team, key].some((name) => OWNER_ID.test(name)) ? (
        <span className="log-detail__rules">An id stands for the name of something that was deleted.</span>
      ) : null}
    </>
  );
}

function OrderFact({ request: { order }, scope, onFilter }: FactProps) {
  if (order === null) return <Muted>none</Muted>;
  const id = <code>{escapeInvisible(order.requestId)}</code>;
  return (
    <>
      {scope.kind === 'instance' ? (
        <Link to="/operate/orders/$order" params={{ order: order.requestId }}>
          {id}
        </Link>
      ) : (
        <Link
          to="/organisations/$organisation/orders/$order"
          params={{ organisation: scope.organisation, order: order.requestId }}
        >
          {id}
        </Link>
      )}
      <Only onClick={() => onFilter({ order: order.requestId })} of="about this order" />
      <span className="log-detail__rules">
        {order.code === null ? 'given out' : `executed with code ${order.code}`}
        {order.router === '' ? '' : ` by ${escapeInvisible(order.router)}`}
      </span>
      {order.signature === '' ? null : <AddressText address={order.signature} link="transaction" />}
    </>
  );
}

function Only({ onClick, of }: { readonly onClick: () => void; readonly of: string }) {
  return (
    <Button kind="quiet" className="log-detail__only" aria-label={`Only requests of ${of}`} onClick={onClick}>
      only these
    </Button>
  );
}

function SentText({ text }: { readonly text: string }) {
  return text === '' ? <Muted>not sent</Muted> : <span>{escapeInvisible(text)}</span>;
}

function CopiedText({
  text,
  what,
  isCode = false,
}: {
  readonly text: string;
  readonly what: string;
  readonly isCode?: boolean;
}) {
  return (
    <>
      <span className={isCode ? 'log-detail__code' : 'log-detail__mono'}>{escapeInvisible(text)}</span>{' '}
      <CopyButton text={text} label={`Copy ${what}`} />
    </>
  );
}

function Muted({ children }: { readonly children: ReactNode }) {
  return <span className="log-muted">{children}</span>;
}

function describeDecision(decision: string): string {
  return DECISION_TEXTS.find(([name]) => name === decision)?.[1] ?? escapeInvisible(decision);
}

function toTimePart(key: string, explained: string, microseconds: number) {
  return { key, name: `${key} (${explained})`, value: microseconds, text: formatMicroseconds(microseconds) };
}
