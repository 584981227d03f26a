import { type FormEvent, useState } from 'react';
import { callAdminOperation } from '../../../api/admin-operations.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Field } from '../../../parts/field.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';
import type { FeedPrice } from './feed-history.ts';

interface WalkTerms {
  readonly deviation: number;
  readonly drift: number;
  readonly seconds: number;
}

const FIELDS = [
  {
    name: 'deviation',
    label: 'Deviation in an hour',
    unit: '%',
    help: 'How far the price typically strays.',
  },
  { name: 'drift', label: 'Drift in an hour', unit: '%', help: 'What it gains; negative when it falls.' },
  { name: 'seconds', label: 'Length of a step', unit: 's', help: 'By the clock of the network.' },
] as const;

/** Lets the price of a feed move at random, or stops it. */
export function WalkForm({ feed: { symbol, walk, follows } }: { readonly feed: FeedPrice }) {
  const [terms, setTerms] = useState({
    deviation: String(walk?.deviation ?? 2),
    drift: String(walk?.drift ?? 0),
    seconds: String(walk?.seconds ?? 5),
  });
  const start = useControl<FeedPrice, WalkTerms>({
    act: (body) =>
      callAdminOperation('PUT /admin/v1/network/prices/{symbol}/walk', { path: { symbol }, body }),
    nameAct: () => `Let the price of ${symbol} move at random`,
    describeResult: (answer) =>
      `${answer.walk?.deviation}% in an hour, a step each ${answer.walk?.seconds} s, from $${answer.price}`,
    makeUndo: () => () => stop.mutate(),
  });
  const stop = useControl<FeedPrice>({
    act: () => callAdminOperation('DELETE /admin/v1/network/prices/{symbol}/walk', { path: { symbol } }),
    nameAct: () => `Stopped the price of ${symbol}`,
    describeResult: ({ price }) => `It stays at $${price}`,
  });
  if (follows !== null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({
      deviation: Number(terms.deviation),
      drift: Number(terms.drift),
      seconds: Number(terms.seconds),
    });
  };
  const error = start.error ?? stop.error;
  return (
    <Disclosure
      summary={
        walk === null
          ? `Random walk of ${symbol}: off`
          : `Random walk of ${symbol}: ${walk.deviation}% in an hour, ${walk.steps} steps so far`
      }
    >
      <form className="controls__line" onSubmit={submit}>
        {FIELDS.map(({ name, label, unit, help }) => (
          <Field key={name} label={label} note={unit} help={help}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                value={terms[name]}
                onChange={({ target }) => setTerms({ ...terms, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" busy={start.isPending}>
          {walk === null ? 'Start the walk' : 'Walk by these terms'}
        </Button>
        {walk === null ? null : (
          <Button busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop the walk
          </Button>
        )}
      </form>
      {error === null ? null : <ErrorNote error={error} />}
    </Disclosure>
  );
}
