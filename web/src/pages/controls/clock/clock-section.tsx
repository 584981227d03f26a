import { type FormEvent, useState } from 'react';
import { type AdminAnswer, callAdminOperation, useAdminAnswer } from '../../../api/admin-operations.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { formatDuration, formatUtcTime } from '../../../base/format-time.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';

const REFRESH_MS = 2_000;
/** Below this the clocks differ by what reading them takes. */
const SAME_MS = 5_000;

interface ClockMove {
  readonly slots?: number;
  readonly seconds?: number;
  readonly label: string;
}

const MOVES: readonly ClockMove[] = [
  { label: '10 slots', slots: 10 },
  { label: '150 slots', slots: 150 },
  { label: '1 minute', seconds: 60 },
  { label: '1 hour', seconds: 3_600 },
  { label: '1 day', seconds: 86_400 },
  { label: '30 days', seconds: 30 * 86_400 },
];

/** The clock of the network, which only goes forward. */
export function ClockSection() {
  const { data, error, refetch, dataUpdatedAt } = useAdminAnswer('GET /admin/v1/network', REFRESH_MS);
  const move = useControl<AdminAnswer<'POST /admin/v1/network/clock'>, ClockMove>({
    act: ({ slots = 0, seconds = 0 }) =>
      callAdminOperation('POST /admin/v1/network/clock', { body: { slots, seconds } }),
    nameAct: ({ label }) => `Moved the clock by ${label}`,
    describeResult: ({ slot, unixTimestamp }) =>
      `Slot ${formatWhole(BigInt(slot))}, ${formatUtcTime(Number(unixTimestamp) * 1_000)}`,
  });
  return (
    <section id="clock">
      <Panel title="Clock">
        {data === undefined ? (
          error === null ? (
            <Loading what="the clock" />
          ) : (
            <ErrorNote error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <StatList>
            <Stat label="Network’s time" value={formatUtcTime(Number(data.unixTimestamp) * 1_000)} />
            <Stat
              label="Compared with this machine"
              value={describeDifference(Number(data.unixTimestamp) * 1_000 - dataUpdatedAt)}
            />
            <Stat label="Slot" value={formatWhole(BigInt(data.slot))} />
          </StatList>
        )}
        <p className="controls__note">
          The clock goes forward only: orders expire, interest grows and rounds end as they would. A snapshot,
          or a reset, is the way back.
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen. */}
        <div className="controls__buttons" role="group" aria-label="Move the clock forward by">
          {MOVES.map((each) => (
            <Button key={each.label} disabled={move.isPending} onClick={() => move.mutate(each)}>
              + {each.label}
            </Button>
          ))}
        </div>
        <OwnMove busy={move.isPending} onMove={(chosen) => move.mutate(chosen)} />
        {move.error === null ? null : <ErrorNote error={move.error} />}
        {move.data?.notice === undefined ? null : <EmptyNote>{move.data.notice}</EmptyNote>}
      </Panel>
    </section>
  );
}

const UNITS = {
  slots: { label: 'slots', seconds: null },
  seconds: { label: 'seconds', seconds: 1 },
  hours: { label: 'hours', seconds: 3_600 },
  days: { label: 'days', seconds: 86_400 },
} as const;

function OwnMove({ busy, onMove }: { readonly busy: boolean; readonly onMove: (move: ClockMove) => void }) {
  const [count, setCount] = useState('');
  const [unit, setUnit] = useState<keyof typeof UNITS>('hours');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const whole = /^\d{1,9}$/.test(count.trim()) ? Number(count) : 0;
    setError(whole > 0 ? null : 'Enter a whole number above 0.');
    if (whole === 0) return;
    const { seconds, label } = UNITS[unit];
    onMove({
      label: `${whole} ${label}`,
      ...(seconds === null ? { slots: whole } : { seconds: whole * seconds }),
    });
  };
  return (
    <form className="controls__line" onSubmit={submit}>
      <Field label="How much" error={error}>
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            value={count}
            onChange={({ target }) => setCount(target.value)}
          />
        )}
      </Field>
      <Field label="Unit">
        {(control) => (
          <select
            {...control}
            value={unit}
            onChange={({ target }) => setUnit(target.value as keyof typeof UNITS)}
          >
            {Object.entries(UNITS).map(([key, { label }]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button type="submit" busy={busy}>
        Move the clock
      </Button>
    </form>
  );
}

function describeDifference(milliseconds: number): string {
  if (Math.abs(milliseconds) < SAME_MS) return 'the same';
  const size = formatDuration(Math.abs(milliseconds));
  return milliseconds > 0 ? `${size} ahead` : `${size} behind`;
}
