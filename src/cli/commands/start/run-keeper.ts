import { startKeeper } from '../../../app/keeper-process.ts';
import { readPackageVersion } from '../../../common/package.ts';
import { type ProcessRun, runProcess } from './run-process.ts';

/** Runs a keeper until a signal stops it. */
export function runKeeper(run: ProcessRun): Promise<void> {
  return runProcess(run, async (config, logger) => {
    const { folder, network, metrics, close } = await startKeeper(config, logger);
    const place = network.kind === 'outside' ? network.origin : network.rpcUrl;
    const rows = [
      ['Outside RPC', place],
      ['Metrics', metrics === null ? 'not served: see metrics-address' : `${metrics}/metrics`],
      ['Health', metrics === null ? 'not served: see metrics-address' : `${metrics}/readyz`],
    ];
    return {
      renderBanner: (milliseconds) => `
Sluice fills orders that wait, after ${(milliseconds / 1_000).toFixed(1)} s.

${rows.map(([name = '', value]) => `  ${name.padEnd(18)}${value}`).join('\n')}

Ctrl-C stops.
`,
      createDocument: (milliseconds) => ({
        version: readPackageVersion(),
        pid: process.pid,
        readyAfterMs: Math.round(milliseconds),
        dataDir: folder,
        urls: { metrics },
      }),
      close,
    };
  });
}
