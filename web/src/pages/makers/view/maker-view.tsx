import './maker-view.css';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { type Tab, Tabs } from '../../../parts/tabs.tsx';
import { MakerActions } from '../actions/maker-actions.tsx';
import { BooksPanel } from '../books/books-panel.tsx';
import { CheckPanel } from '../check/check-panel.tsx';
import { ConductPanel } from '../conduct/conduct-panel.tsx';
import { FillsPanel } from '../fills/fills-panel.tsx';
import { LossesPanel } from '../conduct/losses-panel.tsx';
import type { BreakerCounts, MakerStatusView } from '../source/maker-shapes.ts';
import type { MakerSource } from '../source/maker-source.ts';
import { useMakerStatus } from '../source/use-maker.ts';
import { formatBriefDuration } from '../../../base/format-time.ts';
import { formatCountShare } from '../text/format-share.ts';
import { MakerStatusBadge } from '../text/maker-status.tsx';
import { WebhookFacts } from './webhook-facts.tsx';

const MAX_NAME = 64;

/** A maker: what it quotes, what it filled and lost, and how it stands. */
export function MakerView({ source }: { readonly source: MakerSource }) {
  const { data, error, refetch } = useMakerStatus(source);
  if (data === undefined)
    return error === null ? (
      <Loading what="the maker" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const { value: status, raw } = data;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <StatusHead status={status} />
      {status.operator === null ? null : <MakerActions maker={status.operator} />}
      {status.operator === null || status.operator.webhook === null ? null : (
        <WebhookFacts webhook={status.operator.webhook} />
      )}
      <MakerTabs source={source} status={status} />
      <RawAnswer raw={raw} name="of the maker" />
    </>
  );
}

function MakerTabs({ source, status }: { readonly source: MakerSource; readonly status: MakerStatusView }) {
  const [{ tab }, change] = usePageSearch();
  const tabs: readonly Tab[] = [
    { id: 'books', label: 'Books', content: <BooksPanel source={source} /> },
    {
      id: 'fills',
      label: source.isOperator ? 'Fills' : 'Orders and fills',
      content: <FillsPanel source={source} />,
    },
    {
      id: 'conduct',
      label: 'Fill rate and last look',
      content: <ConductPanel source={source} status={status} />,
    },
    { id: 'losses', label: 'Why it lost', content: <LossesPanel source={source} /> },
    {
      id: 'check',
      label: 'Check',
      content: (
        <CheckPanel
          maker={status.id}
          hasWebhook={status.webhookBreaker !== null}
          isOperator={source.isOperator}
        />
      ),
    },
  ];
  const known = tabs.find(({ id }) => id === tab)?.id ?? 'books';
  return (
    <Tabs
      label="What is shown of the maker"
      tabs={tabs.map((each) => ({ ...each, content: <div className="maker-panels">{each.content}</div> }))}
      initial={known}
      onChange={(id) => change({ tab: id })}
    />
  );
}

function StatusHead({ status }: { readonly status: MakerStatusView }) {
  const { noOrders, name, address, lastSequenceNumber, connected, webhookBreaker } = status;
  // What a maker does not do has no figures.
  const isWebhookOnly = webhookBreaker !== null && connected !== true;
  return (
    <StatList>
      {name === null ? null : <Stat label="Name" value={shortenName(name, MAX_NAME)} />}
      <Stat
        label="Gets orders"
        value={noOrders === null ? 'Yes' : 'No'}
        note={noOrders === null ? undefined : escapeInvisible(noOrders)}
        tone={noOrders === null ? 'good' : 'warning'}
      />
      {isWebhookOnly ? null : (
        <Stat
          label="Streams"
          value={<MakerStatusBadge status={status.status} />}
          note={describeConnection(status)}
        />
      )}
      <FillRateStat breaker={isWebhookOnly ? webhookBreaker : status.breaker} />
      {isWebhookOnly ? null : (
        <Stat
          label="Sequence number"
          value={escapeInvisible(lastSequenceNumber)}
          note="of its last accepted book"
        />
      )}
      <Stat label="Wallet" value={<AddressText address={address} />} note="owns the inventory" />
    </StatList>
  );
}

function FillRateStat({ breaker }: { readonly breaker: BreakerCounts | null }) {
  if (breaker === null) return null;
  const { filled, swaps, windowMs } = breaker;
  const rate = formatCountShare(filled, swaps);
  return (
    <Stat
      label="Fill rate"
      value={rate ?? 'No swaps'}
      note={`${rate === null ? '' : `${filled} of ${swaps} swaps `}within ${formatBriefDuration(windowMs)}`}
    />
  );
}

function describeConnection({ connected, operator }: MakerStatusView): string {
  if (connected === null) return 'its instance does not answer';
  const instance = operator?.instance ?? null;
  return `${connected ? 'connected' : 'not connected'}${instance === null ? '' : ` to ${escapeInvisible(instance)}`}`;
}
