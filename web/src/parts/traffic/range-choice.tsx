import './traffic.css';
import { Button } from '../button.tsx';
import { ChoiceBar } from '../choice-bar.tsx';
import { Field } from '../field.tsx';
import { formatUtcInput, parseUtcInput, TRAFFIC_RANGES, type TrafficRange } from './traffic-range.ts';
import { useState } from 'react';

const CHOICES = [...TRAFFIC_RANGES.map(([name, label]) => [name, label] as const), ['own', 'Own'] as const];
const DAY_MS = 86_400_000;

/** Chooses of which time requests are shown: the last hour, days, or between two times in UTC. */
export function RangeChoice({
  range,
  onChange,
}: {
  readonly range: TrafficRange;
  /** Called with what the address has to say of the range. */
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}) {
  const choose = (name: string) => {
    if (name !== 'own') return onChange({ range: name, since: null, until: null });
    const now = Date.now();
    const since = now - (range.kind === 'preset' ? range.ms : DAY_MS);
    onChange({ range: null, since: toMinute(since), until: toMinute(now) });
  };
  return (
    <div className="range-choice">
      <ChoiceBar
        label="Range"
        choices={CHOICES}
        chosen={range.kind === 'preset' ? range.name : 'own'}
        onChoose={choose}
      />
      {range.kind === 'own' ? (
        <OwnRange key={`${range.since} ${range.until}`} range={range} onChange={onChange} />
      ) : null}
    </div>
  );
}

function OwnRange({
  range: { since, until },
  onChange,
}: {
  readonly range: TrafficRange & { readonly kind: 'own' };
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}) {
  const [from, setFrom] = useState(formatUtcInput(since));
  const [to, setTo] = useState(until === null ? '' : formatUtcInput(until));
  const [begin, end] = [parseUtcInput(from), parseUtcInput(to)];
  const isReversed = begin !== null && end !== null && end <= begin;
  const problem = begin === null ? 'Enter a date and a time.' : null;
  return (
    <form
      className="range-choice__own"
      onSubmit={(event) => {
        event.preventDefault();
        if (begin === null || isReversed) return;
        onChange({ range: null, since: String(begin), until: end === null ? null : String(end) });
      }}
    >
      <Field label="From" note="UTC" error={problem}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        )}
      </Field>
      <Field label="To" note="UTC, or now" error={isReversed ? 'This is not after the beginning.' : null}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={begin === null || isReversed}>
        Show
      </Button>
    </form>
  );
}

function toMinute(milliseconds: number): string {
  return String(Math.floor(milliseconds / 60_000) * 60_000);
}
