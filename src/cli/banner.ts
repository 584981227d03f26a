import type { RunningApp } from '../app.ts';

/** What `sluice start` prints when everything answers. */
export function renderBanner({ urls, demo }: RunningApp, milliseconds: number): string {
  const rows = [
    ['REST', urls.rest],
    ['Documentation', `${urls.rest}/docs`],
    ['Solana RPC', urls.rpc],
    ['Solana WebSocket', urls.webSocket],
    ['Admin', `${urls.admin}/docs`],
    ...(urls.metrics === null ? [] : [['Metrics', `${urls.metrics}/metrics`]]),
    ['Demo wallet', demo.wallet],
    ['  its key', demo.walletFile],
    ['API key', demo.apiKey],
    ['  kept in', demo.apiKeyFile],
  ];
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(18)}${value}`);
  return `
Sluice is ready after ${(milliseconds / 1_000).toFixed(1)} s.

${lines.join('\n')}

Try it: 0.1 SOL for USDC, as instructions for the demo wallet to sign

  ${curlLine(urls.rest, demo)}

Ctrl-C stops.
`;
}

function curlLine(rest: string, { wallet, apiKey, swap }: RunningApp['demo']): string {
  const query = new URLSearchParams({ ...swap, taker: wallet });
  return `curl -H 'x-api-key: ${apiKey}' '${rest}/swap/v2/build?${query}'`;
}
