import { ApiError } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { explainRefusal, nameMints } from '../quote/explain-refusal.ts';
import type { RouteRequest } from '../quote/route-request.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { listRemedies } from './remedies.ts';

/** Says why there is no quote, and offers what would help. */
export function NoQuote({
  error,
  request,
  tokens,
  onAsk,
  onRetry,
}: {
  readonly error: unknown;
  readonly request: RouteRequest;
  readonly tokens: KnownTokens;
  readonly onAsk: (request: RouteRequest) => void;
  readonly onRetry: () => void;
}) {
  const reason = explainRefusal(error);
  const status = error instanceof ApiError ? error.status : null;
  const { title, advice, changes } = listRemedies(request, status, reason);
  return (
    <div className="no-quote" role="alert">
      <h2 className="no-quote__title">{title}</h2>
      <p className="no-quote__reason" title={reason}>
        {nameMints(reason, [request.inputMint, request.outputMint], tokens)}
      </p>
      {advice === null ? null : <p>{advice}</p>}
      <div className="no-quote__buttons">
        {changes.map(({ label, request: changed }) => (
          <Button key={label} onClick={() => onAsk(changed)}>
            {label}
          </Button>
        ))}
        <Button kind="quiet" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}
