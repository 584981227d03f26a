import { escapeInvisible } from '../../../base/format-text.ts';
import { useDocsUrl } from '../../../api/instance.ts';
import { BarList } from '../../../parts/charts/share-bar.tsx';
import { BarChart } from '../../../parts/charts/bar-chart.tsx';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { MakerConduct } from '../source/maker-shapes.ts';
import type { MakerSource } from '../source/maker-source.ts';
import { useMakerConduct } from '../source/use-maker.ts';
import { formatCountShare } from '../text/format-share.ts';
import { describeReason } from '../../../base/losing-reasons.ts';
import { formatCount, formatOrders, nameDistance } from './conduct-text.ts';
import { RangeChoice, useConductRange } from './range.tsx';

/** Who won the orders that the maker lost. Another maker is not named. */
const WINNERS: ReadonlyMap<string, string> = new Map([
  ['pools', 'pools alone'],
  ['stream', 'a maker by streams'],
  ['webhook', 'a maker by webhook'],
]);

/** Why a maker lost orders: the reasons with their shares, how far it was behind, and to whom it lost. */
export function LossesPanel({ source }: { readonly source: MakerSource }) {
  const { data, error, refetch } = useMakerConduct(source, useConductRange());
  return (
    <>
      <RangeChoice />
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="statistics" />
        ) : null
      ) : (
        <Losses conduct={data.value} />
      )}
      <RawAnswer raw={data?.raw} name="of the statistics" />
    </>
  );
}

function Losses({ conduct }: { readonly conduct: MakerConduct }) {
  const { lost, considered, won, lostTo, behind, behindUnknown, isComplete } = conduct;
  const docs = useDocsUrl();
  const count = lost.reduce((sum, { orders }) => sum + orders, 0);
  const known = lostTo.reduce((sum, { orders }) => sum + orders, 0);
  const byPrice = lost.find(({ reason }) => reason === 'price')?.orders ?? 0;
  if (considered === 0) {
    return (
      <Panel title="Why it lost">
        <EmptyNote>
          <p>The maker was considered for no order in this range.</p>
          <p>
            An order counts when it is given out with a transaction while the maker has a book of its pair, or
            is asked by webhook. Make one on the <a href="/portal">start page</a>.
          </p>
        </EmptyNote>
      </Panel>
    );
  }
  return (
    <>
      {isComplete ? null : (
        <p className="maker-note">
          Only the newest orders of the range are added up, because it has more than can be read at once.
        </p>
      )}
      <Panel title="Why it lost">
        <StatList>
          <Stat label="Considered" value={considered} note="orders" />
          <Stat label="Won" value={won} note={formatCountShare(won, considered) ?? ''} />
          <Stat label="Lost" value={count} note={formatCountShare(count, considered) ?? ''} />
        </StatList>
        <BarList
          label="Reasons for losing"
          bars={toSorted(lost).map(({ reason, orders }) => ({
            key: reason,
            name: (
              <>
                <strong>{escapeInvisible(reason)}</strong>: {escapeInvisible(describeReason(reason))}
              </>
            ),
            value: orders,
            text: formatOrderShare(orders, count),
          }))}
          empty="It lost no order in this range."
        />
        <p className="maker-muted">
          <a href={`${docs}/orders#what-is-kept`}>What each reason means</a>
        </p>
      </Panel>
      {byPrice === 0 ? null : (
        <Panel title="How close it was">
          <p>
            How far its price was behind the best offer, in the {formatOrders(byPrice)} that it lost by price.
            Where it was not behind, the costs of the network or the size of the transaction decided.
          </p>
          <BarChart
            label="Orders lost by price, by how far it was behind"
            bars={behind.map(({ upToBps, orders }, index) => ({
              name: nameDistance(upToBps, behind[index - 1]?.upToBps ?? null),
              value: orders,
              text: formatOrders(orders),
            }))}
            yTitle="Orders"
            formatY={formatCount}
            nameTitle="Distance"
            valueTitle="Orders"
            empty="No distance is known."
          />
          {behindUnknown === 0 ? null : (
            <p className="maker-muted">Of {formatOrders(behindUnknown)} the distance is not known.</p>
          )}
        </Panel>
      )}
      {lostTo.length === 0 ? null : (
        <Panel title="Who won instead">
          <BarList
            label="Who won the orders that it lost"
            bars={lostTo.map(({ winner, orders }) => ({
              key: winner,
              name: WINNERS.get(winner) ?? escapeInvisible(winner),
              value: orders,
              text: formatOrderShare(orders, known),
            }))}
          />
        </Panel>
      )}
    </>
  );
}

function toSorted(lost: MakerConduct['lost']): MakerConduct['lost'] {
  return lost.toSorted((one, other) => other.orders - one.orders);
}

/** A count of orders with its share of them all. */
function formatOrderShare(orders: number, whole: number): string {
  const share = formatCountShare(orders, whole);
  return share === null ? formatOrders(orders) : `${formatOrders(orders)}, ${share}`;
}
