import { type ExampleHost, runExample } from './example-process.ts';

export interface LiquidatorOptions {
  /** The path of the keypair file of the wallet that liquidates. */
  readonly walletFile: string;
  readonly restUrl: string;
  /** Null if it calls without an API key, within the limits of such callers. */
  readonly apiKey: string | null;
  /** The URLs of the embedded network's RPC. */
  readonly rpcUrl: string;
  readonly wsUrl: string;
}

/**
 * Runs the example liquidator in a process of its own. It knows only the URLs of REST and the RPC, and its wallet.
 */
export function openLiquidator(
  host: ExampleHost,
  { walletFile, restUrl, apiKey, rpcUrl, wsUrl }: LiquidatorOptions,
): void {
  runExample(host, {
    name: 'liquidator',
    example: 'liquidator',
    env: {
      SLUICE_URL: restUrl,
      ...(apiKey === null ? {} : { SLUICE_LIQUIDATOR_KEY: apiKey }),
      SOLANA_RPC_URL: rpcUrl,
      SOLANA_WS_URL: wsUrl,
      SLUICE_WALLET: walletFile,
    },
  });
}
