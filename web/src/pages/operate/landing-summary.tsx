import { Link } from '@tanstack/react-router';
import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { BarList } from '../../parts/charts/share-bar.tsx';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import type { OperationView } from './operation-shape.ts';

/** The landings of the last hour by how they ended. */
export function LandingSummary({ landings }: Pick<OperationView, 'landings'>) {
  return (
    <Panel title="Landings of the last hour" aside={<Link to="/operate/landings">All landings</Link>}>
      {landings === null ? (
        <EmptyNote>The database has not said how many there were.</EmptyNote>
      ) : landings.outcomes.length === 0 ? (
        <EmptyNote>
          No client has submitted a transaction with <code>POST /tx/v1/submit</code> in the last hour.
        </EmptyNote>
      ) : (
        <BarList
          label="Landings by outcome"
          bars={landings.outcomes.map(({ outcome, count }) => ({
            key: outcome,
            name: escapeInvisible(outcome),
            value: count,
            text: formatWhole(count),
            tone: outcome === 'confirmed' ? 'good' : outcome === 'under-way' ? 'series-1' : 'bad',
          }))}
        />
      )}
    </Panel>
  );
}
