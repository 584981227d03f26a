import type { RunningApp } from '../../../app/app.ts';
import { readPackageVersion } from '../../../common/package.ts';

/** The data for programs that start an instance. It is one JSON object, to which fields may be added. */
export interface ReadyDocument {
  readonly version: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until everything answered. */
  readonly readyAfterMs: number;
  readonly dataDir: string;
  readonly urls: {
    readonly rest: string;
    readonly docs: string;
    /** The portal, for a browser. Null when it is turned off. Where it is not built, a page there says how to build it. */
    readonly portal: string | null;
    readonly admin: string;
    /** The address of the gRPC interface for market makers. */
    readonly grpc: string;
    /** The additional address of metrics. Null when they are on the admin port only. */
    readonly metrics: string | null;
    /** The URL at which transactions are landed by JSON-RPC. Null when they are landed on the REST port only. */
    readonly landing: string | null;
    /** The URL of the embedded network's RPC. Null over an outside RPC. */
    readonly rpc: string | null;
    readonly ws: string | null;
  };
  readonly network: 'embedded' | 'outside';
  /** The first demo wallet, with its keypair file. Null over an outside RPC. */
  readonly wallet: { readonly address: string; readonly file: string } | null;
  /** The demo API key. Null in production. */
  readonly apiKey: string | null;
  /** Null when the credential is a setting. */
  readonly operatorCredentialFile: string | null;
}

/** Returns the output of `--ready-file` and `--banner json`. It contains the demo API key, and no other secret. */
export function createReadyDocument(app: RunningApp, readyAfterMs: number): ReadyDocument {
  const { urls, network } = app;
  const isEmbedded = network.kind === 'embedded';
  return {
    version: readPackageVersion(),
    pid: process.pid,
    readyAfterMs: Math.round(readyAfterMs),
    dataDir: app.folder,
    urls: {
      rest: urls.rest,
      docs: `${urls.rest}/docs`,
      portal: urls.portal,
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
