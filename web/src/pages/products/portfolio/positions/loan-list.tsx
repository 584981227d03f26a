import { AddressText } from '../../../../parts/address-text.tsx';
import { formatShare } from '../../../../base/format-dollars.ts';
import { HealthBar } from '../../money/health-bar.tsx';
import { Dollars } from '../../money/money-text.tsx';
import type { LoanPosition } from '../model/position.ts';
import { AssetLine } from './asset-table.tsx';

const MILLION = 1_000_000n;
/** Below this health a fall of some percent leads to the liquidation. */
const LOW_HEALTH = 150_000n;

/** A loan with the name of its position. */
export interface NamedLoan extends LoanPosition {
  readonly name: string | null;
  readonly value: bigint | null;
}

/** What is lent and owed, with the health of each loan. */
export function LoanList({ loans }: { readonly loans: readonly NamedLoan[] }) {
  return (
    <ul className="loan-list">
      {loans.map((loan, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a loan may have no account that tells it apart.
        <li key={index} className="loan-list__loan">
          <Loan loan={loan} />
        </li>
      ))}
    </ul>
  );
}

function Loan({ loan }: { readonly loan: NamedLoan }) {
  const { name, value, supplied, borrowed, rewards, suppliedValue, borrowedValue, account } = loan;
  return (
    <>
      <h4 className="loan-list__name">
        {account === null ? (
          (name ?? 'Loan')
        ) : (
          <AddressText address={account} label={name ?? 'Loan'} copy={false} />
        )}
        <span className="loan-list__value">
          <Dollars value={value} />
        </span>
      </h4>
      <dl className="loan-list__sides">
        <div>
          <dt>Collateral</dt>
          <dd>
            <AssetLine assets={supplied} /> <Dollars value={suppliedValue} />
          </dd>
        </div>
        <div>
          <dt>Debt</dt>
          <dd>
            {borrowed.length === 0 ? 'none' : <AssetLine assets={borrowed} />}{' '}
            {borrowed.length === 0 ? null : <Dollars value={borrowedValue} />}
          </dd>
        </div>
        {rewards.length === 0 ? null : (
          <div>
            <dt>Rewards</dt>
            <dd>
              <AssetLine assets={rewards} />
            </dd>
          </div>
        )}
      </dl>
      <LoanHealthBar health={loan.health} />
    </>
  );
}

function LoanHealthBar({ health }: { readonly health: bigint | null }) {
  const tone = health === null ? 'plain' : health <= 0n ? 'danger' : health < LOW_HEALTH ? 'warning' : 'good';
  return (
    <HealthBar
      filled={health === null ? null : Number(MILLION - health) / 1_000_000}
      tone={tone}
      text={describeHealth(health)}
      marks={[{ at: 1, label: 'Liquidation', kind: 'danger' }]}
    />
  );
}

/** Says the health of a loan in words. */
export function describeHealth(health: bigint | null): string {
  if (health === null) return 'Health unknown: a price or a threshold is missing.';
  if (health >= MILLION) return 'Health 100%: it owes nothing.';
  if (health <= 0n) return 'It can be liquidated now.';
  const word = health < LOW_HEALTH ? 'Low health' : 'Health';
  return `${word} ${formatShare(health)}: ${formatShare(MILLION - health)} of what the collateral secures is borrowed.`;
}
