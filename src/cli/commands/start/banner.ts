import type { RunningApp } from '../../../app/app.ts';

/** What `sluice start` prints when everything answers. */
export function renderBanner(app: RunningApp, milliseconds: number): string {
  const { urls, network } = app;
  const rows = [
    ['REST', urls.rest],
    ['Documentation', `${urls.rest}/docs`],
    ...networkRows(network),
    ['Makers (gRPC)', urls.grpc],
    ['Admin', `${urls.admin}/docs`],
    ['  credential in', app.operatorCredentialFile ?? 'admin-credential of the configuration'],
    ...(urls.metrics === null ? [] : [['Metrics', `${urls.metrics}/metrics`]]),
    ...walletRows(network),
    ...keyRows(app.demoKey),
  ];
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(18)}${value}`);
  return `
Sluice is ready after ${(milliseconds / 1_000).toFixed(1)} s.

${lines.join('\n')}

${attempt(app)}

Ctrl-C stops.
`;
}

function networkRows(network: RunningApp['network']): string[][] {
  if (network.kind === 'embedded') {
    return [
      ['Solana RPC', network.rpcUrl],
      ['Solana WebSocket', network.wsUrl],
    ];
  }
  return [
    ['Outside RPC', network.origin],
    ['  genesis hash', network.genesisHash],
    ['', 'that network is not ours: no demo wallet, faucet, Solana RPC or controls'],
  ];
}

function walletRows(network: RunningApp['network']): string[][] {
  if (network.kind === 'outside') return [];
  return [
    ['Demo wallet', network.wallet],
    ['  its key', network.walletFile],
  ];
}

function keyRows(demoKey: RunningApp['demoKey']): string[][] {
  if (demoKey === null) return [['API key', 'none is made with production; see sluice key create']];
  return [
    ['API key', demoKey.key],
    ['  kept in', demoKey.path],
  ];
}

function attempt({ urls, network, demoKey, swap }: RunningApp): string {
  const header = demoKey === null ? '' : `-H 'x-api-key: ${demoKey.key}' `;
  const curl = (path: string, query: Readonly<Record<string, string>>) =>
    `  curl ${header}'${urls.rest}${path}?${new URLSearchParams(query)}'`;
  if (network.kind === 'outside') {
    return `Try it: a quote of 0.1 SOL for USDC\n\n${curl('/swap/v2/order', swap)}`;
  }
  const query = { ...swap, taker: network.wallet };
  return `Try it: 0.1 SOL for USDC, as instructions for the demo wallet to sign\n\n${curl('/swap/v2/build', query)}`;
}
