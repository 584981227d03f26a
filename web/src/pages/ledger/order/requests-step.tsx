import type { Scope } from '../../../api/scope.ts';
import { useDocsUrl } from '../../../api/instance.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import type { LedgerOrder, OrderRequestEntry } from '../source/ledger-shapes.ts';
import { useCodeMeanings } from '../text/use-code-meanings.ts';
import { ChainStep } from './chain-step.tsx';
import { RequestLink } from './request-link.tsx';

/** The requests that sent the signed order back, and what each was answered. */
export function RequestsStep({
  scope,
  order,
  requests,
  error,
}: {
  readonly scope: Scope;
  readonly order: LedgerOrder;
  /** Oldest first; null while they are read, or if they cannot be. */
  readonly requests: readonly OrderRequestEntry[] | null;
  readonly error: boolean;
}) {
  const meanings = useCodeMeanings();
  const docs = useDocsUrl();
  const first = requests?.[0];
  const isRefused = requests?.some(({ order: about }) => (about?.code ?? 0) !== 0) === true;
  return (
    <ChainStep
      title="Sent back signed"
      at={order.execution?.begunAt ?? first?.at ?? null}
      after={order.at}
      tone={requests === null || requests.length === 0 ? 'plain' : isRefused ? 'warning' : 'good'}
    >
      {requests === null ? (
        <p className="ledger-muted">
          {error ? 'The request log cannot be read now.' : 'Looking into the request log …'}
        </p>
      ) : requests.length === 0 ? (
        <p>
          {order.execution === null
            ? 'The request log has no request that executed the order.'
            : 'It was executed, and the request log no longer has the request, or it was sent to the interface in another way.'}
        </p>
      ) : (
        <ul>
          {requests.map((request) => {
            const code = request.order?.code ?? null;
            const meaning = code === null ? undefined : meanings.get(code);
            return (
              <li key={request.requestId}>
                {formatUtcTime(request.at)}: {escapeInvisible(request.method)} {escapeInvisible(request.path)}{' '}
                was answered with {request.status}
                {code === null ? ', and no code' : ` and code ${code}`}
                {meaning !== undefined
                  ? `: ${meaning.meaning}`
                  : code !== null && code > 0
                    ? ', which is that of the program that failed.'
                    : ''}{' '}
                <RequestLink scope={scope} request={request}>
                  In the log
                </RequestLink>
              </li>
            );
          })}
        </ul>
      )}
      {isRefused ? (
        <p>
          <a href={`${docs}/errors#execute-code`}>All codes of executions</a>
        </p>
      ) : null}
    </ChainStep>
  );
}
