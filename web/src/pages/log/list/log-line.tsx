import { formatCounted } from '../../../base/count-words.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { MAX_TIME_MS } from '../../../base/format-time.ts';
import { Badge } from '../../../parts/badge.tsx';
import type { LoggedRequest } from '../source/log-shapes.ts';
import { formatMicroseconds } from '../../../parts/traffic/traffic-text.ts';

const MAX_PATH = 120;
const MAX_NAME = 48;

/** When a request was answered, to the millisecond. The day stands before the clock. */
export function formatLogTime(at: number): string {
  if (!(Math.abs(at) <= MAX_TIME_MS)) return 'an unknown time';
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}

/** The status of an answer: good, refused or failed. */
export function StatusBadge({ status }: { readonly status: number }) {
  const tone = status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'good';
  return <Badge tone={tone}>{status}</Badge>;
}

/** Who sent a request: the key with its owners, or the address of the client. */
export function describeSender({ organisation, team, key, client }: LoggedRequest): string {
  const names = [organisation, team, key].filter((name): name is string => name !== null);
  return key === null
    ? escapeInvisible(client)
    : names.map((name) => shortenName(escapeInvisible(name), MAX_NAME)).join('/');
}

/** One request in a list. It is a button that opens the request. */
export function LogLine({
  request,
  isOpen,
  onOpen,
}: {
  readonly request: LoggedRequest;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { at, status, method, path, latency, credits, decision, firewall } = request;
  return (
    <button type="button" className="log-line" aria-pressed={isOpen} onClick={onOpen}>
      <span className="log-line__time">
        <span className="log-line__day">{formatLogTime(at).slice(0, 11)}</span>
        {formatLogTime(at).slice(11)}
      </span>
      <span className="log-line__status">
        <StatusBadge status={status} />
      </span>
      <span className="log-line__path">
        <b>{shortenName(escapeInvisible(method), 8)}</b> {shortenName(escapeInvisible(path), MAX_PATH)}
      </span>
      <span className="log-line__took">{formatMicroseconds(latency.total)}</span>
      <span className="log-line__credits">{formatCounted(credits, 'credit')}</span>
      <span className="log-line__sender">{describeSender(request)}</span>
      <span className="log-line__verdict">
        {decision === 'admitted' ? '' : escapeInvisible(decision)}
        {firewall === null ? null : (
          <> {shortenName(escapeInvisible(`${firewall.rule}: ${firewall.outcome}`), MAX_NAME)}</>
        )}
      </span>
    </button>
  );
}
