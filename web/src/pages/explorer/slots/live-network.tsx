import './live-network.css';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { LineChart } from '../../../parts/charts/line-chart.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { LiveFeed } from '../../../parts/live/live-feed.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { EmptyNote, Loading } from '../../../parts/status.tsx';
import { formatUnixTime } from '../../../parts/transaction-view/field-text.ts';
import { SlotLink } from './slot-link.tsx';
import { type LiveSlot, sumSlots } from './slot-stream.ts';
import { type LiveSlots, type LiveTransaction, useLiveSlots } from './use-live-slots.ts';

/** The slots that the table and the chart show. */
const TABLE_SLOTS = 10;
const CHART_SLOTS = 60;
/** What a page lists of one slot. */
const LISTED = 50;
/** The date is that of the clock above the table. */
const DATE_LENGTH = '2026-01-01 '.length;

/**
 * The network as it moves: where it is, its slots and its transactions.
 * @param isOutside - Whether it is reached over an outside RPC, which tells less.
 */
export function LiveNetwork({ isOutside }: { readonly isOutside: boolean }) {
  const live = useLiveSlots();
  return (
    <>
      <Panel title="The network now" aside={<LiveBadge live={live} />}>
        <NetworkFacts live={live} />
        {isOutside ? null : <SlotChart slots={live.slots} />}
      </Panel>
      <div className="live-network__pair">
        <Panel title="Slots">
          <SlotTable slots={live.slots} isOutside={isOutside} />
        </Panel>
        {isOutside ? null : (
          <Panel title="Transactions as they are confirmed">
            <LiveFeed
              label="Transactions, the newest first"
              feed={live.transactions}
              source={live.source}
              noun={['transaction', 'transactions']}
              renderRow={(transaction) => <TransactionRow transaction={transaction} />}
              empty="No transaction has been confirmed since this page was opened. Make a first swap on the Start page."
              height="24rem"
            />
            <p className="live-network__note">
              Of each slot, the last {LISTED} transactions at most are listed.
            </p>
          </Panel>
        )}
      </div>
    </>
  );
}

function LiveBadge({ live: { source } }: { readonly live: LiveSlots }) {
  if (source.kind === 'open') return <Badge tone="good">live</Badge>;
  if (source.kind === 'refused') return <Badge tone="danger">refused</Badge>;
  return <Badge tone="warning">connecting</Badge>;
}

function NetworkFacts({ live: { head, slots, source } }: { readonly live: LiveSlots }) {
  if (head === null) {
    return 'reason' in source ? (
      <EmptyNote>{escapeInvisible(source.reason)}</EmptyNote>
    ) : (
      <Loading what="the network" />
    );
  }
  const totals = sumSlots(slots);
  return (
    <StatList>
      <Stat
        label="Slot"
        value={formatWhole(head.confirmed)}
        note={`confirmed; processed ${formatWhole(head.processed)}, finalized ${formatWhole(head.finalized)}`}
      />
      <Stat label="Block height" value={formatWhole(head.height)} note={`epoch ${formatWhole(head.epoch)}`} />
      <Stat label="Clock of the network" value={formatUnixTime(head.time)} />
      {totals === null ? null : (
        <>
          <Stat
            label="Transactions a second"
            value={totals.perSecond === null ? 'unknown' : formatRate(totals.perSecond)}
            note={`${formatWhole(totals.transactions)} in the last minute`}
          />
          <Stat
            label="Failed"
            value={`${formatWhole(totals.failed)} of ${formatWhole(totals.transactions)}`}
            note="in the last minute"
            tone={totals.failed === 0 ? 'plain' : 'warning'}
          />
        </>
      )}
    </StatList>
  );
}

function formatRate(perSecond: number): string {
  return perSecond >= 10 ? formatWhole(Math.round(perSecond)) : perSecond.toFixed(1);
}

function SlotChart({ slots }: { readonly slots: readonly LiveSlot[] }) {
  const shown = slots.slice(-CHART_SLOTS).filter(({ transactions }) => transactions !== null);
  const toPoints = (read: (slot: LiveSlot) => number | null) =>
    shown.map((slot) => ({ x: slot.slot, y: read(slot) ?? 0, text: formatWhole(read(slot) ?? 0) }));
  return (
    <LineChart
      label={`Transactions in each of the last ${CHART_SLOTS} slots`}
      xKind="number"
      step
      fromZero
      series={[
        { name: 'all', points: toPoints(({ transactions }) => transactions) },
        { name: 'failed', points: toPoints(({ failed }) => failed) },
      ]}
      formatX={(slot) => `slot ${formatWhole(Math.round(slot))}`}
      formatY={(count) => (Number.isInteger(count) ? formatWhole(count) : '')}
      yTitle="transactions"
      xTitle="slot"
      height={160}
      empty="No slot yet."
    />
  );
}

function SlotTable({
  slots,
  isOutside,
}: {
  readonly slots: readonly LiveSlot[];
  readonly isOutside: boolean;
}) {
  if (slots.length === 0) return <EmptyNote>No slot has been confirmed yet.</EmptyNote>;
  return (
    <>
      <DataTable
        caption="The last slots"
        columns={isOutside ? OUTSIDE_COLUMNS : COLUMNS}
        rows={slots.slice(-TABLE_SLOTS).toReversed()}
        rowKey={({ slot }) => slot}
      />
      {isOutside ? (
        <p className="live-network__note">
          These are the slots that Sluice follows anyway. What is in a block is read when you open one,
          because each call of the RPC costs the operator.
        </p>
      ) : null}
    </>
  );
}

const TIME: TableColumn<LiveSlot> = {
  heading: 'Time',
  align: 'end',
  cell: ({ time }) => (time === null ? '' : formatUnixTime(time).slice(DATE_LENGTH)),
};

const OUTSIDE_COLUMNS: readonly TableColumn<LiveSlot>[] = [
  { heading: 'Slot', cell: ({ slot }) => <SlotLink slot={slot} /> },
  TIME,
];

const COLUMNS: readonly TableColumn<LiveSlot>[] = [
  { heading: 'Slot', cell: ({ slot }) => <SlotLink slot={slot} /> },
  {
    heading: 'Transactions',
    align: 'end',
    cell: ({ transactions }) => (transactions === null ? '' : formatWhole(transactions)),
  },
  {
    heading: 'Failed',
    align: 'end',
    cell: ({ failed }) =>
      failed === null ? '' : failed === 0 ? '0' : <Badge tone="danger">{formatWhole(failed)}</Badge>,
  },
  TIME,
];

function TransactionRow({
  transaction: { signature, slot, isFailed },
}: {
  readonly transaction: LiveTransaction;
}) {
  return (
    <div className="live-network__row">
      <AddressText address={signature} link="transaction" copy={false} />
      {isFailed ? <Badge tone="danger">failed</Badge> : <Badge tone="good">landed</Badge>}
      <span className="live-network__slot">
        slot <SlotLink slot={slot} />
      </span>
    </div>
  );
}
