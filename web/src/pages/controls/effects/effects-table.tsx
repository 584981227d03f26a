import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAdminAnswer } from '../../../api/admin-operations.ts';
import { useInstance } from '../../../api/instance.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { Button } from '../../../parts/button.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { PlaygroundLink } from '../../../parts/raw-answer.tsx';
import { buildQuotePath, formatEffectChange } from './effect-values.ts';
import type { EffectKey, Effects, EffectState, MeasuredEffect } from './use-effects.ts';

interface EffectRow {
  readonly key: EffectKey;
  readonly name: string;
  readonly state: EffectState;
  readonly link: ReactNode;
}

/** What a moved price has changed, asked for before the change and after it. */
export function EffectsTable({ effects, symbol }: { readonly effects: Effects; readonly symbol: string }) {
  const { data: instance } = useInstance();
  const { data: follower } = useAdminAnswer('GET /admin/v1/network/price-follower');
  const { states, token, whole, isMoved, isMeasuring } = effects;
  const rows: readonly EffectRow[] = [
    {
      key: 'quote',
      name: `Best quote of ${formatWhole(whole)} ${token?.symbol ?? symbol}`,
      state: states.quote,
      link:
        token === null ? null : (
          <PlaygroundLink path={buildQuotePath(token, whole)}>The next quote</PlaygroundLink>
        ),
    },
    {
      key: 'pool',
      name: 'Price in the deepest pool',
      state: states.pool,
      link: <PoolLink state={states.pool} />,
    },
    {
      key: 'portfolio',
      name: 'The demo wallet’s portfolio',
      state: states.portfolio,
      link:
        instance?.demoWallet == null ? null : (
          <Link to="/products/portfolio" search={{ address: instance.demoWallet } as never}>
            Its portfolio
          </Link>
        ),
    },
  ];
  const missing = isMoved ? 'measuring …' : 'move the price';
  return (
    <section className="effects" aria-label="What it changed">
      <div className="effects__head">
        <h3>What it changed</h3>
        <Button busy={isMeasuring} onClick={effects.measure}>
          Ask again
        </Button>
      </div>
      <DataTable
        caption="What a moved price changed"
        columns={[
          { heading: 'Value', cell: ({ name }: EffectRow) => name },
          {
            heading: 'Before',
            cell: ({ state }) => (
              <EffectCell
                measured={state.before}
                missing={isMoved ? 'not measured in time' : 'measuring …'}
              />
            ),
            align: 'end',
          },
          {
            heading: 'After',
            cell: ({ state }) => <EffectCell measured={state.after} missing={missing} />,
            align: 'end',
          },
          { heading: 'Change', cell: ({ state }) => describeChange(state), align: 'end' },
          { heading: 'See it', cell: ({ link }) => link },
        ]}
        rows={rows}
        rowKey={({ key }) => key}
      />
      {follower?.following === false ? (
        <p className="controls__note">
          The pools do not follow the feeds now: their prices, and the quotes over them, move when somebody
          trades, or when you turn on <strong>Pools follow the feeds</strong> above.
        </p>
      ) : null}
    </section>
  );
}

function EffectCell({
  measured,
  missing,
}: {
  readonly measured: MeasuredEffect | null;
  readonly missing: string;
}) {
  if (measured === null) return <span className="effects__none">{missing}</span>;
  const { value, at } = measured;
  return (
    <>
      {escapeInvisible(typeof value === 'string' ? value : value.text)}
      <span className="effects__time">{formatUtcTime(at).slice(11)}</span>
    </>
  );
}

function PoolLink({ state: { before, after } }: { readonly state: EffectState }) {
  const value = after?.value ?? before?.value;
  if (value === undefined || typeof value === 'string' || value.pool === undefined) return null;
  return (
    <Link to="/explorer/pool/$address" params={{ address: value.pool }}>
      Its depth chart
    </Link>
  );
}

function describeChange({ before, after }: EffectState): string {
  if (before === null || after === null) return '';
  if (typeof before.value === 'string' || typeof after.value === 'string') return '';
  return formatEffectChange(before.value, after.value);
}
