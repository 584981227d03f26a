import { formatWhole } from '../../../../base/format-amount.ts';
import { toWords } from '../../../../base/to-words.ts';
import type { PositionGroup } from '../model/portfolio-view.ts';
import type { HeldAsset } from '../model/position.ts';
import { AssetTable } from './asset-table.tsx';
import { LeverageTable } from './leverage-table.tsx';
import { LoanList } from './loan-list.tsx';
import { OrderTable } from './order-table.tsx';
import { PooledTable } from './pooled-table.tsx';

/** Loans that are shown, which are no rows of a table. More are named by their number. */
const MAX_LOANS = 100;

/** The positions of one kind on a platform, each type of them as a table of its own. */
export function PositionGroupView({
  platform,
  group,
}: {
  readonly platform: string;
  readonly group: PositionGroup;
}) {
  const { label, positions } = group;
  const caption = `${label} on ${platform}`;
  const assets = positions
    .flatMap(({ content }) => (content.type === 'multiple' ? content.assets : []))
    .toSorted(compareByValue);
  const deposits = positions.flatMap(({ content, name, tags }) =>
    content.type === 'liquidity'
      ? content.pooled.map((pooled) => ({ ...pooled, owner: name, tags, isPool: label === 'LiquidityPool' }))
      : [],
  );
  const loans = positions.flatMap(({ content, name, value }) =>
    content.type === 'borrowlend' ? [{ ...content.loan, name, value }] : [],
  );
  const orders = positions.flatMap(({ content, value }) =>
    content.type === 'trade' ? [{ ...content.order, value }] : [],
  );
  const leveraged = positions.flatMap(({ content }) =>
    content.type === 'leverage' ? content.positions : [],
  );
  const unknown = positions.filter(({ content }) => content.type === 'unknown').length;
  return (
    <section className="position-group">
      <h3 className="position-group__label">{describeLabel(group)}</h3>
      {assets.length === 0 ? null : <AssetTable caption={caption} assets={assets} />}
      {deposits.length === 0 ? null : <PooledTable caption={caption} deposits={deposits} />}
      {loans.length === 0 ? null : <LoanList loans={loans.slice(0, MAX_LOANS)} />}
      {orders.length === 0 ? null : <OrderTable caption={caption} orders={orders} />}
      {leveraged.length === 0 ? null : <LeverageTable caption={caption} positions={leveraged} />}
      <HiddenRows count={Math.max(loans.length - MAX_LOANS, 0)} />
      {unknown === 0 ? null : (
        <p className="position-group__note">
          {formatWhole(unknown)} of a type that this page does not know. The raw answer has it.
        </p>
      )}
    </section>
  );
}

function HiddenRows({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <p className="position-group__note">
      {formatWhole(count)} more of less value. The raw answer has them all.
    </p>
  );
}

/** The label of a group, with the name of its positions if they share one. */
function describeLabel({ label, positions }: PositionGroup): string {
  const names = new Set(positions.map(({ name }) => name));
  const [name = null] = names.size === 1 ? names : [];
  const words = label === 'DCA' || label === 'SmartDCA' ? label : toWords(label);
  return name === null || positions.some(({ content }) => content.type === 'borrowlend')
    ? words
    : `${words}: ${name}`;
}

/** The most valuable first; what has no known value last. */
function compareByValue({ value: one }: HeldAsset, { value: other }: HeldAsset): number {
  return Number((other ?? -1n) > (one ?? -1n)) - Number((one ?? -1n) > (other ?? -1n));
}
