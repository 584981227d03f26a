import { formatCounted } from '../../../base/count-words.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { BarChart } from '../../../parts/charts/bar-chart.tsx';
import { LineChart } from '../../../parts/charts/line-chart.tsx';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import type { MakerConduct, MakerStatusView } from '../source/maker-shapes.ts';
import type { MakerSource } from '../source/maker-source.ts';
import { useMakerConduct } from '../source/use-maker.ts';
import { formatBriefDuration } from '../../../base/format-time.ts';
import { formatCountShare } from '../text/format-share.ts';
import { BreakerPanels } from './breaker-panel.tsx';
import { formatCount, nameLookBucket } from './conduct-text.ts';
import { RangeChoice, useConductRange } from './range.tsx';

/** How reliably a maker fills, and how fast it answers. */
export function ConductPanel({
  source,
  status,
}: {
  readonly source: MakerSource;
  readonly status: MakerStatusView;
}) {
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
        <>
          {data.value.isComplete ? null : (
            <p className="maker-note">
              Only the newest orders of the range are added up, because it has more than can be read at once.
            </p>
          )}
          <FillRatePanel conduct={data.value} />
          <LastLookPanel conduct={data.value} />
        </>
      )}
      <BreakerPanels status={status} />
      <RawAnswer raw={data?.raw} name="of the statistics" />
    </>
  );
}

function FillRatePanel({ conduct }: { readonly conduct: MakerConduct }) {
  const { considered, won, fills, microDollars, overTime } = conduct;
  const count = (state: string) => fills.find((each) => each.state === state)?.fills ?? 0;
  const offered = fills.reduce((sum, each) => sum + each.fills, 0);
  const confirmed = count('confirmed');
  const points = overTime.flatMap(({ at, offered: asked, filled }) =>
    asked === 0
      ? []
      : [
          {
            x: at,
            y: (filled / asked) * 100,
            text: `${filled} of ${asked}, ${formatCountShare(filled, asked)}`,
          },
        ],
  );
  return (
    <Panel title="Fill rate">
      <StatList>
        <Stat
          label="Filled"
          value={formatCountShare(confirmed, offered) ?? 'No fills'}
          note={`${confirmed} of ${offered} that were offered`}
        />
        <Stat
          label="Won"
          value={formatCountShare(won, considered) ?? 'No orders'}
          note={`${won} of ${considered} for which it was considered`}
        />
        <Stat
          label="Not filled"
          value={count('expired') + count('failed') + count('rejected')}
          note={`${count('expired')} expired, ${count('failed')} failed, ${count('rejected')} rejected`}
        />
        <Stat label="Volume" value={formatDollars(microDollars * 1_000n)} note="of fills that landed" />
      </StatList>
      <LineChart
        label="The fill rate over time"
        series={[{ name: 'Fill rate', points }]}
        fromZero
        yTitle="Filled, % of the fills offered"
        formatY={(value) => `${value}%`}
        empty="No fill was offered in this range."
      />
    </Panel>
  );
}

function LastLookPanel({
  conduct: { lastLook, lastLookTimes, answers },
}: {
  readonly conduct: MakerConduct;
}) {
  const bars = lastLookTimes.map((bucket, index) => ({
    name: nameLookBucket(bucket, lastLookTimes[index - 1]),
    value: bucket.answers,
    text: formatCounted(bucket.answers, 'answer'),
  }));
  return (
    <Panel title="Last look">
      <p>
        How long it takes from the offer of a fill to its answer. It has 10 seconds to sign over its streams,
        and 40 to answer by webhook.
      </p>
      {lastLook === null ? null : (
        <StatList>
          <Stat
            label="Median"
            value={formatBriefDuration(lastLook.p50)}
            note={formatCounted(lastLook.answers, 'answer')}
          />
          <Stat label="90th percentile" value={formatBriefDuration(lastLook.p90)} />
          <Stat label="95th percentile" value={formatBriefDuration(lastLook.p95)} />
          <Stat label="99th percentile" value={formatBriefDuration(lastLook.p99)} />
          <Stat label="Longest" value={formatBriefDuration(lastLook.max)} />
        </StatList>
      )}
      <BarChart
        label="Answers by how long they took"
        bars={lastLook === null ? [] : bars}
        yTitle="Answers"
        formatY={formatCount}
        xTitle="Time to the answer"
        nameTitle="Time"
        valueTitle="Answers"
        empty="No fill was answered in this range."
      />
      {answers === null ? null : (
        <p className="maker-muted">
          {[
            `${answers.signed} signed`,
            `${answers.accepted} accepted and ${answers.rejected} rejected by webhook`,
            `${answers.unanswered} unanswered`,
            `${answers.tampered} returned with another message`,
          ]
            .map(escapeInvisible)
            .join(', ')}
          .
        </p>
      )}
    </Panel>
  );
}
