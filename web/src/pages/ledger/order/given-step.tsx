import { Link } from '@tanstack/react-router';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import type { Scope } from '../../../api/scope.ts';
import { shortenName } from '../../../base/format-text.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { namePayer } from '../cause/order-cause.ts';
import type { LedgerOrder, OrderRequestEntry } from '../source/ledger-shapes.ts';
import { LedgerAmount } from '../text/ledger-amount.tsx';
import { ChainStep } from './chain-step.tsx';
import { RequestLink } from './request-link.tsx';

/** What was given out, to whom, and at which terms. */
export function GivenStep({
  scope,
  order,
  request,
  tokens,
}: {
  readonly scope: Scope;
  readonly order: LedgerOrder;
  /** The request of the log that it was given out to; null if the log does not have it. */
  readonly request: OrderRequestEntry | null;
  readonly tokens: KnownTokens;
}) {
  const { taker, receiver, inputMint, outputMint, inAmount, outAmount, payer } = order;
  return (
    <ChainStep title="Given out" at={order.at} tone="good">
      {inputMint === null ? (
        <p>
          The terms of the order are not known: the instance that gave it out was killed before it wrote them,
          or had no room for the order.
        </p>
      ) : null}
      <StatList>
        <Stat label="Pays" value={<LedgerAmount tokens={tokens} mint={inputMint} atoms={inAmount} />} />
        <Stat
          label="Receives, as quoted"
          value={<LedgerAmount tokens={tokens} mint={outputMint} atoms={outAmount} />}
          note={order.slippageBps === null ? undefined : `slippage ${order.slippageBps} bps`}
        />
        <Stat
          label="Platform fee"
          value={<LedgerAmount tokens={tokens} mint={order.feeMint} atoms={order.feeAmount} />}
        />
        <Stat
          label="Quoted by"
          value={order.router === null ? 'not known' : shortenName(order.router, 32)}
          note={order.maker === null ? 'pools alone' : `with the maker ${shortenName(order.maker, 64)}`}
        />
      </StatList>
      <p>
        Taker {taker === null ? 'not known' : <AddressText address={taker} />}
        {receiver === null ? null : (
          <>
            {' '}
            and receiver <AddressText address={receiver} />
          </>
        )}
      </p>
      <p>
        {payer === null ? (
          'Who pays the network is not known'
        ) : payer === taker ? (
          'The taker pays the network itself'
        ) : (
          <>
            {namePayer(order)} pays the network <AddressText address={payer} />
          </>
        )}
      </p>
      <p>
        Ordered {order.organisation === null ? 'without a key' : <Owner name={order.organisation} />}.{' '}
        {request === null ? (
          <span className="ledger-muted">The request log does not have the request.</span>
        ) : (
          <RequestLink scope={scope} request={request}>
            The request in the log
          </RequestLink>
        )}
      </p>
    </ChainStep>
  );
}

function Owner({ name }: { readonly name: string }) {
  return (
    <>
      by{' '}
      <Link to="/organisations/$organisation" params={{ organisation: name }} preload={false}>
        {shortenName(name, 64)}
      </Link>
    </>
  );
}
