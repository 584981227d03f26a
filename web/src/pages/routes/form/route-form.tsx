import './route-form.css';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { useKnownTokens } from '../../../api/known-tokens.ts';
import { RouteOptions } from './route-options.tsx';
import {
  findRequestProblems,
  getFixedMint,
  isExactOut,
  QUOTE_SOURCES,
  reverseRequest,
  type QuoteSource,
  type RouteRequest,
} from '../quote/route-request.ts';
import { TokenPicker } from './token-picker.tsx';

/** What is to be swapped, and how. It is asked when the form is sent, so that no half number is. */
export function RouteForm({
  request,
  isAsking,
  onAsk,
}: {
  /** The request that is shown. */
  readonly request: RouteRequest;
  readonly isAsking: boolean;
  readonly onAsk: (request: RouteRequest) => void;
}) {
  const [draft, setDraft] = useState(request);
  const [hasTried, setTried] = useState(false);
  // Back and forward change the request behind the form.
  useEffect(() => setDraft(request), [request]);
  const tokens = useKnownTokens([draft.inputMint, draft.outputMint]);
  const isOut = isExactOut(draft);
  const fixedMint = getFixedMint(draft);
  const { decimals } = tokens.findMarket(fixedMint);
  const problems =
    decimals === null && !tokens.isLoaded ? new Map<never, string>() : findRequestProblems(draft, decimals);
  const change = (part: Partial<RouteRequest>) => setDraft((before) => ({ ...before, ...part }));
  const getError = (field: Parameters<typeof problems.get>[0]) => problems.get(field) ?? null;
  const ask = (wanted: RouteRequest) => {
    setTried(true);
    setDraft(wanted);
    const problemsOfWanted = findRequestProblems(wanted, tokens.findMarket(getFixedMint(wanted)).decimals);
    if (problemsOfWanted.size === 0) onAsk(wanted);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    ask(draft);
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(request);
  return (
    <form className="route-form" onSubmit={send} noValidate>
      <div className="route-form__main">
        <div className="route-form__pair">
          <TokenPicker
            label="You pay"
            mint={draft.inputMint}
            info={tokens.find(draft.inputMint)}
            isLoaded={tokens.isLoaded}
            error={getError('inputMint')}
            onChoose={(inputMint) => change({ inputMint })}
          />
          <Button
            className="route-form__switch"
            onClick={() => ask(reverseRequest(draft))}
            aria-label="Swap in the other direction"
            title="Swap in the other direction"
          >
            <span aria-hidden="true">⇄</span>
          </Button>
          <TokenPicker
            label="You receive"
            mint={draft.outputMint}
            info={tokens.find(draft.outputMint)}
            isLoaded={tokens.isLoaded}
            error={getError('outputMint')}
            onChoose={(outputMint) => change({ outputMint })}
          />
        </div>
        <div className="route-form__terms">
          <Field
            label={isOut ? 'Amount to receive' : 'Amount to pay'}
            note={tokens.find(fixedMint)?.symbol}
            error={hasTried || draft.amount !== '' ? getError('amount') : null}
          >
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={draft.amount}
                onChange={(event) => change({ amount: event.target.value })}
              />
            )}
          </Field>
          <Field label="Fixed amount">
            {(control) => (
              <select
                {...control}
                value={isOut ? 'ExactOut' : 'ExactIn'}
                disabled={draft.source === 'pools'}
                onChange={(event) =>
                  change({ swapMode: event.target.value === 'ExactOut' ? 'ExactOut' : 'ExactIn' })
                }
              >
                <option value="ExactIn">Paid (ExactIn)</option>
                <option value="ExactOut">Received (ExactOut)</option>
              </select>
            )}
          </Field>
          <Field label="Who quotes" help={<code>{QUOTE_SOURCES[draft.source].path}</code>}>
            {(control) => (
              <select
                {...control}
                value={draft.source}
                onChange={(event) => change({ source: event.target.value as QuoteSource })}
              >
                {Object.entries(QUOTE_SOURCES).map(([source, { label }]) => (
                  <option key={source} value={source}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      </div>
      <RouteOptions draft={draft} getError={getError} onChange={change} />
      <div className="route-form__foot">
        <Button kind="primary" type="submit" busy={isAsking}>
          Get quote
        </Button>
        {isChanged ? (
          <span className="route-form__note">The form was changed since the quote below.</span>
        ) : null}
      </div>
    </form>
  );
}
