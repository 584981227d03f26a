import './playground-home.css';
import { Link } from '@tanstack/react-router';
import type { ApiModel } from '../../../openapi/model/api-model.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { Method } from '../../../parts/operations/method.tsx';

/** Where a reader may begin. One that this instance does not have is left out. */
const BEGINNINGS: Readonly<Record<ApiSide, readonly string[]>> = {
  public: [
    'GetOrder',
    'GetQuote',
    'GetBuild',
    'GetPrices',
    'StreamPrices',
    'SearchTokens',
    'ListPredictionEvents',
    'GetHoldings',
  ],
  admin: ['GetAdminV1Orders', 'GetAdminV1Makers', 'GetAdminV1Log', 'GetAdminV1NetworkWallets'],
};

/** What is shown while no endpoint is chosen. */
export function PlaygroundHome({ model, side }: { readonly model: ApiModel; readonly side: ApiSide }) {
  const chosen = BEGINNINGS[side].flatMap((id) => model.operations.get(id) ?? []);
  return (
    <div className="playground-home">
      <p className="playground-home__lead">
        Choose one of {model.operations.size} endpoints. Its form is filled with an example, which works as it
        stands unless it needs the answer of another request. <kbd>/</kbd> leads to the filter.
      </p>
      <ul className="playground-home__cards">
        {chosen.map(({ id, method, path, summary }) => (
          <li key={id}>
            <Link
              to="/playground/$operationId"
              params={{ operationId: id }}
              search={side === 'admin' ? { side } : {}}
              className="playground-home__card"
              preload={false}
            >
              <span className="playground-home__summary">{summary}</span>
              <span className="playground-home__path">
                <Method name={method} /> {path}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
