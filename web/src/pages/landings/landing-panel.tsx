import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callAdmin } from '../../api/admin.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { type LandingView, listSteps, readLandings } from '../../api/landing-report.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible, shortenName } from '../../base/format-text.ts';
import { formatBriefDuration, formatUtcTime } from '../../base/format-time.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { Stat, StatList } from '../../parts/stat.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { OutcomeBadge } from './landing-list.tsx';
import { explainOutcome } from './landing-text.ts';

const REFRESH_MS = 2_000;
const MAX_NAME = 100;
const MAX_SLUG = 40;

/**
 * What became of one transaction, for everybody who submitted it.
 *
 * @param props.name - Its signature, or the id of a request that submitted it.
 */
export function LandingPanel({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const generation = useCredentialGeneration();
  const asked = name.slice(0, MAX_NAME);
  const { data, error, refetch } = useQuery({
    queryKey: ['landings', 'one', generation, asked],
    queryFn: async () =>
      readAnswer(
        'the landing',
        readLandings,
        await callAdmin(`/admin/v1/landings/${encodeURIComponent(asked)}`),
      ),
    // What has ended does not change any more.
    refetchInterval: ({ state }) =>
      state.data?.landings.some(({ outcome }) => outcome === null) === true ? REFRESH_MS : false,
  });
  return (
    <Panel title="One landing" aside={<Button onClick={onClose}>Close</Button>}>
      {data === undefined ? (
        error === null ? (
          <Loading what="the landing" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : data.landings.length === 0 ? (
        <EmptyNote>
          There is no report of <code>{shortenName(asked, MAX_NAME)}</code>. Reports are kept for seven days;
          swaps that are executed are in <Link to="/operate/orders">the ledger of orders</Link>.
        </EmptyNote>
      ) : (
        data.landings.map((landing) => (
          <OneLanding key={`${landing.signature} ${landing.organisation ?? ''}`} landing={landing} />
        ))
      )}
    </Panel>
  );
}

function OneLanding({ landing }: { readonly landing: LandingView }) {
  const { signature, organisation, requestId, outcome, slot, error, sends, firstSeenBy } = landing;
  return (
    <section className="landing">
      <StatList>
        <Stat
          label="Outcome"
          value={<OutcomeBadge outcome={outcome} />}
          note={explainOutcome(outcome) ?? ''}
        />
        <Stat label="Transaction" value={<AddressText address={signature} link="transaction" />} />
        <Stat
          label="Submitted by"
          value={organisation === null ? 'a caller without a key' : shortenName(organisation, MAX_SLUG)}
        />
        <Stat label="Slot" value={slot === null ? 'none' : formatWhole(slot)} />
        <Stat label="Sent" value={sends === 1 ? 'once' : `${formatWhole(sends)} times`} />
        {firstSeenBy === null ? null : (
          <Stat label="First shown by" value={shortenName(firstSeenBy, MAX_SLUG)} />
        )}
      </StatList>
      {error === null ? null : <p className="landing__error">{escapeInvisible(error)}</p>}
      {outcome === 'failed' ? (
        <p className="landings__muted">
          <Link to="/explorer/tx/$signature" params={{ signature }}>
            The page of the transaction
          </Link>{' '}
          says which program failed, and why.
        </p>
      ) : null}
      <ol className="landing__steps">
        {listSteps(landing).map(({ name, at, after }) => (
          <li key={name} className={at === null ? 'landing__step landing__step--open' : 'landing__step'}>
            <span>{name}</span>
            <span className="landings__muted">
              {at === null || after === null
                ? outcome === null
                  ? 'not yet'
                  : 'not known'
                : `${formatUtcTime(at)}, after ${formatBriefDuration(after)}`}
            </span>
          </li>
        ))}
      </ol>
      <p className="landings__muted">
        Request{' '}
        <Link to="/operate/log" search={{ request: requestId } as never}>
          <code>{shortenName(requestId, MAX_NAME)}</code>
        </Link>
      </p>
    </section>
  );
}
