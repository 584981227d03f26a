import type { ReactNode } from 'react';
import type { InstanceInfo } from '../../api/instance.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/page.tsx';

/** What runs, where it is reached, and whose keys it uses. */
export function WhatRuns({ instance }: { readonly instance: InstanceInfo }) {
  const { version, network, production, requiresKey, urls, demoWallet } = instance;
  const isEmbedded = network.kind === 'embedded';
  return (
    <Panel
      title="What runs here"
      aside={
        <Badge tone={production || !isEmbedded ? 'warning' : 'good'}>
          {production ? 'production' : isEmbedded ? 'sandbox' : 'outside network'}
        </Badge>
      }
    >
      <dl className="facts">
        <Fact name="Version">Sluice {version}</Fact>
        <Fact name="Network">
          {network.kind === 'embedded' ? (
            <>
              Its own, embedded
              <span className="facts__more">
                Genesis <AddressText address={network.genesis} link={null} />
              </span>
            </>
          ) : (
            'That of an outside RPC'
          )}
        </Fact>
        <UrlFact name="REST" url={urls.rest} />
        <UrlFact name="gRPC for makers" url={urls.grpc} />
        <UrlFact name="Solana RPC" url={urls.rpc} />
        <UrlFact name="Solana WebSocket" url={urls.ws} />
        <UrlFact name="Admin" url={urls.admin} />
        <Fact name="API key">
          {requiresKey ? (
            'Needed: callers without one are refused.'
          ) : (
            <>
              Not needed.
              <span className="facts__more">
                The key of the demo team, with higher limits, is in the file <code>demo-api-key</code> of the
                data folder.
              </span>
            </>
          )}
        </Fact>
        {demoWallet === null ? null : (
          <Fact name="Demo wallet">
            <AddressText address={demoWallet} />
            <span className="facts__more">
              Its key is in the file <code>demo-wallet.json</code> of the data folder, <code>.sluice</code>{' '}
              unless you chose another. This page never sees it.
            </span>
          </Fact>
        )}
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="facts__row">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A URL with its copy button; nothing where the instance does not tell it. */
function UrlFact({ name, url }: { readonly name: string; readonly url: string | null }) {
  if (url === null) return null;
  return (
    <Fact name={name}>
      <span className="facts__url">
        <code>{url}</code>
        <CopyButton text={url} label={`Copy the URL of ${name}`} />
      </span>
    </Fact>
  );
}
