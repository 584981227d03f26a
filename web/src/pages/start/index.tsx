import './start.css';
import { type InstanceInfo, useInstance } from '../../api/instance.ts';
import { Page } from '../../parts/page.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { FirstSwap } from './first-swap/first-swap.tsx';
import { FirstQuote } from './first-quote.tsx';
import { Products } from './products.tsx';
import { WhatRuns } from './what-runs.tsx';
import { WhereNext } from './where-next.tsx';

/** What runs here, the first swap, and where to go next. */
export function StartPage() {
  const { data: instance, error, refetch } = useInstance();
  return (
    <Page title="Start" lead={instance === undefined ? 'A DeFi gateway for Solana.' : describe(instance)}>
      {instance === undefined ? (
        error === null ? (
          <Loading what="what runs here" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <div className="start__columns">
            {hasFaucet(instance) ? <FirstSwap /> : <FirstQuote instance={instance} />}
            <WhatRuns instance={instance} />
          </div>
          <WhereNext />
          <Products instance={instance} />
        </>
      )}
    </Page>
  );
}

/** Whether there are tokens to give away. */
function hasFaucet({ network, production }: InstanceInfo): boolean {
  return network.kind === 'embedded' && !production;
}

function describe({ network, production }: InstanceInfo): string {
  if (network.kind === 'rpc')
    return 'A DeFi gateway for Solana. This one works on the network of an outside RPC, where tokens are real.';
  return production
    ? 'A DeFi gateway for Solana. This one runs in production over a network of its own.'
    : 'A DeFi gateway for Solana, with a complete Solana network inside. Everything here is a sandbox: you cannot break or lose anything.';
}
