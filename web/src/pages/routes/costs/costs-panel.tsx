import './costs-panel.css';
import type { ReactNode } from 'react';
import { formatDollars, formatShare } from '../../../base/format-dollars.ts';
import { Panel } from '../../../parts/page.tsx';
import type { RouteAnswer } from '../quote/route-answer.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { TokenAmount } from '../flow/token-amount.tsx';
import { SOL_MINT } from '../../../base/mints.ts';
import type { SwapCosts } from '../quote/swap-costs.ts';

/** What the swap costs, all together and in its parts. */
export function CostsPanel({
  answer,
  costs,
  tokens,
}: {
  readonly answer: RouteAnswer;
  readonly costs: SwapCosts;
  readonly tokens: KnownTokens;
}) {
  const { inputMint, outputMint, platformFee, network } = answer;
  const isOut = answer.swapMode === 'ExactOut';
  const out = (raw: bigint | null) =>
    raw === null ? 'not known' : <TokenAmount raw={raw} mint={outputMint} tokens={tokens} />;
  const lamports = (raw: bigint) => <TokenAmount raw={raw} mint={SOL_MINT} tokens={tokens} />;
  return (
    <Panel title="All-in costs">
      <dl className="costs">
        <Row name="Worth at market prices" dollars={costs.paidDollars}>
          {out(costs.marketOut)}
        </Row>
        <Row name="Pool fees" dollars={costs.poolFeeDollars} isPart>
          {costs.poolFeeDollars === null ? 'not known' : null}
        </Row>
        <Row name="Platform fee" dollars={costs.platformFeeDollars} isPart>
          {platformFee === null || platformFee.amount === 0n ? (
            'none'
          ) : (
            <TokenAmount raw={platformFee.amount} mint={platformFee.mint} tokens={tokens} />
          )}
        </Row>
        {answer.sponsorBps > 0 ? (
          <Row name="Pays the sponsor back" dollars={costs.sponsorDollars} isPart>
            {`${answer.sponsorBps} basis points`}
          </Row>
        ) : null}
        <Row name="Price impact and spread" dollars={costs.restDollars} isPart>
          {costs.restDollars === null ? 'not known' : null}
        </Row>
        <Row name="Received" dollars={costs.receivedDollars} isSum>
          {out(answer.outAmount)}
        </Row>
        {network === null ? null : (
          <>
            <NetworkRow name="Signatures" payer={network.signaturePayer} taker={answer.taker}>
              {lamports(network.signatureLamports)}
            </NetworkRow>
            <NetworkRow name="Priority fee and tip" payer={network.priorityPayer} taker={answer.taker}>
              {lamports(network.priorityLamports)}
            </NetworkRow>
            <NetworkRow name="Rent of accounts that stay" payer={network.rentPayer} taker={answer.taker}>
              {lamports(network.rentLamports)}
            </NetworkRow>
            <Row
              name="Left after the network"
              dollars={subtract(costs.receivedDollars, costs.networkDollars)}
              isSum
            >
              {out(costs.netOut)}
            </Row>
          </>
        )}
        <Row name={isOut ? 'Paid at most' : 'Received at least'} dollars={null} isSum>
          <TokenAmount raw={answer.threshold} mint={isOut ? inputMint : outputMint} tokens={tokens} />
          <span className="costs__note">
            {answer.slippageBps} basis points of slippage; beyond that the swap fails and costs its fees only
          </span>
        </Row>
        <Row name="All costs together" dollars={null} isSum>
          {costs.allInShare === null ? 'no market price' : formatShare(costs.allInShare)}
        </Row>
      </dl>
      <p className="costs__excluded">
        {network === null
          ? 'Without a taker, nothing is known of what the network takes: signatures, priority fee and rent. '
          : 'Rent that comes back within the transaction is left out. '}
        What the price does until the swap lands is not in the costs either; the slippage bounds it. Market
        prices are those of <code>/price/v3</code>, for display only.
      </p>
    </Panel>
  );
}

function Row({
  name,
  dollars,
  isPart = false,
  isSum = false,
  children,
}: {
  readonly name: string;
  readonly dollars: bigint | null;
  /** Whether it is one of the costs, which are taken off. */
  readonly isPart?: boolean;
  readonly isSum?: boolean;
  readonly children: ReactNode;
}) {
  const kind = isSum ? ' costs__row--sum' : isPart ? ' costs__row--part' : '';
  return (
    <div className={`costs__row${kind}`}>
      <dt>{name}</dt>
      <dd>
        <span className="costs__amount">{children}</span>
        <span className="costs__dollars">
          {dollars === null ? '' : formatDollars(isPart ? -dollars : dollars)}
        </span>
      </dd>
    </div>
  );
}

function NetworkRow({
  name,
  payer,
  taker,
  children,
}: {
  readonly name: string;
  readonly payer: string | null;
  readonly taker: string | null;
  readonly children: ReactNode;
}) {
  return (
    <Row name={name} dollars={null} isPart>
      {children}
      {payer === taker ? null : <span className="costs__note">paid by another wallet</span>}
    </Row>
  );
}

function subtract(from: bigint | null, part: bigint | null): bigint | null {
  return from === null || part === null ? null : from - part;
}
