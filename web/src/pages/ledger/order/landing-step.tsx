import { type LandingView, listSteps } from '../../../api/landing-report.ts';
import { Link } from '@tanstack/react-router';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import type { LedgerOrder } from '../source/ledger-shapes.ts';
import { getOrderOutcome } from '../text/order-outcome.ts';
import { ChainStep } from './chain-step.tsx';

/** What became of the transaction on its way to the chain. */
export function LandingStep({
  order,
  landings,
}: {
  readonly order: LedgerOrder;
  /** The reports of those that were submitted to be landed; null while they are read, or cannot be. */
  readonly landings: readonly LandingView[] | null;
}) {
  const { execution } = order;
  if (execution === null) return null;
  const { signature, slot, reason } = execution;
  const outcome = getOrderOutcome(order);
  return (
    <ChainStep
      title="Landing"
      at={execution.endedAt}
      after={order.at}
      tone={
        slot !== null
          ? outcome === 'succeeded'
            ? 'good'
            : 'warning'
          : outcome === 'open'
            ? 'plain'
            : 'danger'
      }
    >
      <p>
        {slot !== null ? (
          <>
            It landed in slot{' '}
            <Link to="/explorer/block/$slot" params={{ slot: slot.toString() }} preload={false}>
              {formatWhole(slot)}
            </Link>
            .
          </>
        ) : outcome === 'open' ? (
          'It has not ended yet.'
        ) : outcome === 'unknown' ? (
          'It is not known whether it landed.'
        ) : (
          'It did not land.'
        )}{' '}
        {signature === null ? (
          'It has no signature: whoever pays the network had not signed it.'
        ) : (
          <>
            Transaction <AddressText address={signature} link={slot === null ? null : 'transaction'} />
          </>
        )}
      </p>
      {reason === null ? null : (
        <p>
          What the taker was told: <q>{escapeInvisible(reason)}</q>
        </p>
      )}
      {landings?.map((landing) => (
        <LandingReport key={`${landing.signature} ${landing.organisation}`} landing={landing} />
      ))}
      {landings !== null && landings.length === 0 && signature !== null ? (
        <p className="ledger-muted">
          Sluice sent it by itself, and keeps reports of sends and nodes only of what is submitted to /tx/v1.
        </p>
      ) : null}
    </ChainStep>
  );
}

function LandingReport({ landing }: { readonly landing: LandingView }) {
  const { sends, firstSeenBy, outcome, error } = landing;
  const times = listSteps(landing).flatMap(({ name, at }) =>
    at === null ? [] : [`${name} ${formatUtcTime(at)}`],
  );
  return (
    <div>
      <p>
        It was submitted to be landed
        {landing.organisation === null ? '' : ` by ${shortenName(landing.organisation, 64)}`}: sent{' '}
        {sends === 1 ? 'once' : `${formatWhole(sends)} times`}
        {firstSeenBy === null ? '' : `, first seen by ${shortenName(firstSeenBy, 64)}`},{' '}
        {outcome === null ? 'under way' : escapeInvisible(outcome)}.
        {error === null ? '' : ` ${escapeInvisible(error)}`}
      </p>
      <p className="ledger-muted">{times.join('; ')}</p>
    </div>
  );
}
