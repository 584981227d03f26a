import type { RunningApp } from '../../../app/app.ts';
import { packageVersion } from '../../../common/package.ts';

/** What a program that starts an instance needs to know. It is one JSON object, and fields are only ever added. */
export interface ReadyDocument {
  readonly version: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until everything answered. */
  readonly readyAfterMs: number;
  readonly dataDir: string;
  readonly urls: {
    readonly rest: string;
    readonly docs: string;
    readonly admin: string;
    /** For market makers. */
    readonly grpc: string;
    /** Null: on the admin port only. */
    readonly metrics: string | null;
    /** Where transactions are landed by JSON-RPC; null: on the REST port only. */
    readonly landing: string | null;
    /** Of the embedded network; null over an outside RPC. */
    readonly rpc: string | null;
    readonly ws: string | null;
  };
  readonly network: 'embedded' | 'outside';
  /** Null over an outside RPC. The file is a Solana keypair file. */
  readonly wallet: { readonly address: string; readonly file: string } | null;
  /** Null in production. */
  readonly apiKey: string | null;
  /** Null when the credential is a setting. */
  readonly operatorCredentialFile: string | null;
}

/** Returns what `--ready-file` and `--banner json` write. It holds the demo API key, and no other secret. */
export function readyDocument(app: RunningApp, readyAfterMs: number): ReadyDocument {
  const { urls, network } = app;
  const isEmbedded = network.kind === 'embedded';
  return {
    version: packageVersion(),
    pid: process.pid,
    readyAfterMs: Math.round(readyAfterMs),
    dataDir: app.folder,
    urls: {
      rest: urls.rest,
      docs: `${urls.rest}/docs`,
      admin: urls.admin,
      grpc: urls.grpc,
      metrics: urls.metrics,
      landing: urls.landing,
      rpc: isEmbedded ? network.rpcUrl : null,
      ws: isEmbedded ? network.wsUrl : null,
    },
    network: network.kind,
    wallet: isEmbedded ? { address: network.wallet, file: network.walletFile } : null,
    apiKey: app.demoKey?.key ?? null,
    operatorCredentialFile: app.operatorCredentialFile,
  };
}
