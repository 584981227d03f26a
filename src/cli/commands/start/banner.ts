import type { RunningApp } from '../../../app/app.ts';

/** Returns what `sluice start` prints when everything is ready. */
export function renderBanner(app: RunningApp, milliseconds: number): string {
  const { urls, network } = app;
  const rows = [
    ...portalRows(app),
    ['REST', urls.rest],
    ['Documentation', `${urls.rest}/docs`],
    ...(urls.landing === null ? [] : [['Landing', urls.landing]]),
    ...networkRows(network),
    ['Makers (gRPC)', urls.grpc],
    ['Admin', `${urls.admin}/docs`],
    ...(urls.portal !== null && app.isPortalBuilt ? [['  its portal', `${urls.admin}/portal`]] : []),
    ['  credential in', app.operatorCredentialFile ?? 'admin-credential of the configuration'],
    ...(urls.metrics === null ? [] : [['Metrics', `${urls.metrics}/metrics`]]),
    ...walletRows(network),
    ...keyRows(app.demoKey),
  ];
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(18)}${value}`);
  return `
Sluice is ready after ${(milliseconds / 1_000).toFixed(1)} s.

${lines.join('\n')}
${exampleLines(app)}
Ctrl-C stops.
`;
}

function portalRows({ urls, isPortalBuilt }: RunningApp): string[][] {
  if (urls.portal === null) return [];
  return [
    ['Portal', isPortalBuilt ? `${urls.portal}  (open it in a browser)` : 'not built: run npm run build'],
  ];
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
    ['', 'there is no demo wallet, faucet, Solana RPC or control of this network'],
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
  if (demoKey === null) return [['API key', 'none is created in production; see sluice key create']];
  return [
    ['API key', demoKey.key],
    ['  kept in', demoKey.path],
  ];
}

/** Without a key to show where one is required, the shell is told to take it from a variable. */
function exampleLines({ urls, demoKey, example, requiresKey }: RunningApp): string {
  if (example === null) return '';
  const { title, path, query } = example;
  const url = `'${urls.rest}${path}?${new URLSearchParams(query)}'`;
  if (demoKey === null && requiresKey) {
    return `
Try it: ${title}, with a key of sluice key create

  API_KEY='<the key>'
  curl -H "x-api-key: $API_KEY" ${url}
`;
  }
  const header = demoKey === null ? '' : `-H 'x-api-key: ${demoKey.key}' `;
  return `
Try it: ${title}

  curl ${header}${url}
`;
}
