import { formatUnits } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatDuration } from '../../base/format-time.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import { computeShares, formatShare } from './budget-share.ts';
import type { BudgetView, OperationView, WalletView } from './operation-shape.ts';

const SOL_DECIMALS = 9;
const DOLLAR_DECIMALS = 6;
const MS = 1_000n;
/** What lasts longer than ten years lasts. */
const LONG_SECONDS = 315_360_000n;

/** What the wallets of the operator hold, and what they may spend. */
export function BudgetPanel({ operation: { wallets, reserves } }: { readonly operation: OperationView }) {
  return (
    <Panel title="Wallets and budgets">
      {wallets.length === 0 ? (
        <EmptyNote>
          <p>
            No wallet of the operator pays for anything: nothing is sponsored, and no order that waits is
            filled here. The settings <code>sponsor-keypair</code> and <code>gas-keypair</code> name one.
          </p>
        </EmptyNote>
      ) : (
        <div className="operate-wallets">
          {wallets.map((wallet) => (
            <WalletCard key={wallet.address} wallet={wallet} />
          ))}
        </div>
      )}
      {reserves.length === 0 ? null : (
        <dl className="operate-reserves">
          {reserves.map(({ name, meaning, microDollars }) => (
            <div key={name}>
              <dt>{escapeInvisible(name)}</dt>
              <dd>
                {microDollars === null ? 'not known yet' : `$${formatUnits(microDollars, DOLLAR_DECIMALS)}`}
                {microDollars !== null && microDollars < 0n ? <Badge tone="danger">below zero</Badge> : null}
              </dd>
              <dd className="operate-muted">{escapeInvisible(meaning)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}

function WalletCard({ wallet }: { readonly wallet: WalletView }) {
  const { names, address, meaning, lamports, lastsSeconds, budgets } = wallet;
  return (
    <section className="wallet-card" aria-label={escapeInvisible(names.join(' and '))}>
      <h3 className="wallet-card__title">{escapeInvisible(names.join(' and '))}</h3>
      <p className="wallet-card__address">
        <AddressText address={address} />
      </p>
      <p className="wallet-card__balance">
        {lamports === null
          ? 'The network has not said what it holds.'
          : `${formatUnits(lamports, SOL_DECIMALS)} SOL`}
        {lamports === 0n ? <Badge tone="danger">empty</Badge> : null}
      </p>
      <p className="operate-muted">{describeLasting(lastsSeconds)}</p>
      {budgets.map((budget) => (
        <BudgetBar key={budget.name} budget={budget} />
      ))}
      <p className="operate-muted">{escapeInvisible(meaning)}</p>
    </section>
  );
}

function describeLasting(seconds: bigint | null): string {
  if (seconds === null)
    return 'How long that lasts is not known: nothing was spent lately, or not for long enough.';
  if (seconds > LONG_SECONDS) return 'At the pace of now, that lasts for more than ten years.';
  return `At the pace of now, that lasts for ${formatDuration(Number(seconds * MS))}.`;
}

function BudgetBar({ budget }: { readonly budget: BudgetView }) {
  const { name, window, spent, limit, limitOfOne, held, atLimit } = budget;
  const shares = computeShares(budget);
  const isSpent = spent !== null && spent >= limit;
  return (
    <div className="budget">
      <p className="budget__head">
        <span>{escapeInvisible(name)}</span>
        <span className="budget__numbers">
          {spent === null ? 'not known' : formatUnits(spent, SOL_DECIMALS)} of{' '}
          {formatUnits(limit, SOL_DECIMALS)} SOL {window === 'hour' ? 'in the last hour' : 'today (UTC)'}
          {spent === null ? '' : `, ${formatShare(spent, limit)}`}
        </span>
      </p>
      <div className={`budget__bar${isSpent ? ' budget__bar--spent' : ''}`} aria-hidden="true">
        <span className="budget__part" style={{ flexGrow: shares.spent }} />
        <span className="budget__part budget__part--held" style={{ flexGrow: shares.held }} />
        <span style={{ flexGrow: shares.left }} />
      </div>
      {held !== null && held > 0n ? (
        <p className="operate-muted">
          Of it, {formatUnits(held, SOL_DECIMALS)} SOL are held by transactions under way, and come back as
          far as they cost less.
        </p>
      ) : null}
      <p className="operate-muted">
        {isSpent ? <Badge tone="danger">at the limit</Badge> : 'At the limit:'} {escapeInvisible(atLimit)}
        {limitOfOne === null
          ? ''
          : ` A single user, launch or round may cost ${formatUnits(limitOfOne, SOL_DECIMALS)} SOL in that time.`}
      </p>
    </div>
  );
}
