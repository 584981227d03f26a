import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAdminAnswer } from '../../../api/admin-operations.ts';
import { useInstance } from '../../../api/instance.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { Button } from '../../../parts/button.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { PlaygroundLink } from '../../../parts/raw-answer.tsx';
import { Loading } from '../../../parts/status.tsx';
import { buildQuotePath, type EffectValue, formatEffectChange } from './effect-values.ts';
import type { Effects } from './use-effects.ts';

interface EffectRow {
  readonly key: string;
  readonly name: string;
  readonly before: EffectValue | string;
  readonly after: EffectValue | string | null;
  readonly link: ReactNode;
}

/** What a moved price has changed, asked for before the change and after it. */
export function EffectsTable({ effects, symbol }: { readonly effects: Effects; readonly symbol: string }) {
  const { data: instance } = useInstance();
  const { data: follower } = useAdminAnswer('GET /admin/v1/network/price-follower');
  const { before, after, token, whole, isMeasuring } = effects;
  if (before === null) return <Loading what="what the price changes" />;
  const pool = after !== null && typeof after.pool !== 'string' ? after.pool : before.pool;
  const rows: readonly EffectRow[] = [
    {
      key: 'quote',
      name: `Best quote of ${whole.toLocaleString('en').replaceAll(',', '\u202f')} ${token?.symbol ?? symbol}`,
      before: before.quote,
      after: after?.quote ?? null,
      link:
        token === null ? null : (
          <PlaygroundLink path={buildQuotePath(token, whole)}>The next quote</PlaygroundLink>
        ),
    },
    {
      key: 'pool',
      name: 'Price in the deepest pool',
      before: before.pool,
      after: after?.pool ?? null,
      link:
        typeof pool === 'string' ? null : (
          <Link to="/explorer/pool/$address" params={{ address: pool.address }}>
            Its depth chart
          </Link>
        ),
    },
    {
      key: 'portfolio',
      name: 'The demo wallet’s portfolio',
      before: before.portfolio,
      after: after?.portfolio ?? null,
      link:
        instance?.demoWallet == null ? null : (
          <Link to="/products/portfolio" search={{ address: instance.demoWallet } as never}>
            Its portfolio
          </Link>
        ),
    },
  ];
  return (
    <section className="effects" aria-label="What it changed">
      <div className="effects__head">
        <h3>What it changed</h3>
        <Button busy={isMeasuring} onClick={() => void effects.measure(after === null ? 'before' : 'after')}>
          Ask again
        </Button>
      </div>
      <DataTable
        caption="What a moved price changed"
        columns={[
          { heading: 'Value', cell: ({ name }: EffectRow) => name },
          {
            heading: `Before, ${formatClock(before.at)}`,
            cell: (row) => formatValue(row.before),
            align: 'end',
          },
          {
            heading: after === null ? 'After' : `After, ${formatClock(after.at)}`,
            cell: (row) => (row.after === null ? 'move the price' : formatValue(row.after)),
            align: 'end',
          },
          { heading: 'Change', cell: (row) => describeChange(row.before, row.after), align: 'end' },
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

function formatValue(value: EffectValue | string): ReactNode {
  return typeof value === 'string' ? (
    <span className="effects__none">{escapeInvisible(value)}</span>
  ) : (
    escapeInvisible(value.text)
  );
}

function describeChange(before: EffectValue | string, after: EffectValue | string | null): string {
  if (after === null || typeof before === 'string' || typeof after === 'string') return '';
  return formatEffectChange(before, after);
}

function formatClock(at: number): string {
  return formatUtcTime(at).slice(11);
}
