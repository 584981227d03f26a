/** How an instance for tests is started. */
export interface StartOptions {
  /** Further flags of `sluice start`, such as `--slot-ms=50` or `--seed=other`. */
  readonly flags?: readonly string[];
  /** Whether the demo maker runs, which takes another process. Default: false. */
  readonly demoMaker?: boolean;
  /** Milliseconds until the start is given up. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** A fault of the next transactions. */
export interface NextFault {
  /** Transactions that are struck, 1 to 1,000. Default: 1. */
  readonly count?: number;
  /** Only transactions that this wallet signs. Default: all. */
  readonly wallet?: string;
  /** Only transactions that call this program. Default: all. */
  readonly program?: string;
}

export interface FaultList {
  readonly waiting: readonly {
    readonly effect: 'drop' | 'delay' | 'fail';
    readonly count: number;
    readonly wallet: string | null;
    readonly program: string | null;
  }[];
  readonly struck: readonly {
    readonly effect: 'drop' | 'delay' | 'fail';
    readonly signature: string;
    readonly slot: string;
  }[];
}

/** A fault of the next requests to the REST interface. */
export interface RequestFault {
  /** As the client asks for it, without a query. With `*` at its end, every path that begins so. */
  readonly path: string;
  /** What is answered in place of the product. Default: the request is processed, after the delay. */
  readonly status?: 429 | 500 | 502 | 503 | 504;
  /** Milliseconds before it is answered or processed, up to 60,000. Default: 0. */
  readonly delayMs?: number;
  /** Requests that are struck, 1 to 1,000. Default: 1. */
  readonly count?: number;
}

export interface RequestFaultList {
  readonly waiting: readonly {
    readonly path: string;
    readonly status: number | null;
    readonly delayMs: number;
    readonly count: number;
  }[];
  readonly struck: readonly {
    /** The `x-api-gateway-request-id` of the answer. */
    readonly requestId: string;
    readonly method: string;
    readonly path: string;
    readonly status: number | null;
    readonly delayMs: number;
    /** Unix milliseconds. */
    readonly at: number;
  }[];
}

/** A fault of the next calls of the Solana RPC over HTTP. */
export interface RpcFault {
  /** Such as `sendTransaction`; `*` is every method. */
  readonly method: string;
  /** The HTTP status of the answer to the whole request, of which no call is made. */
  readonly status?: 429 | 500 | 502 | 503 | 504;
  /** The code of the JSON-RPC error with which the call is answered, without being made. */
  readonly code?: number;
  /** Milliseconds before the request is answered, up to 30,000. Default: 0. */
  readonly delayMs?: number;
  /** Calls that are struck, 1 to 1,000. Default: 1. */
  readonly count?: number;
}

export interface RpcFaultList {
  readonly waiting: readonly {
    readonly method: string;
    readonly status: number | null;
    readonly code: number | null;
    readonly delayMs: number;
    readonly count: number;
  }[];
  readonly struck: readonly {
    readonly method: string;
    readonly status: number | null;
    readonly code: number | null;
    readonly delayMs: number;
    /** Unix milliseconds. */
    readonly at: number;
  }[];
}

export interface Clock {
  readonly slot: string;
  /** Unix seconds. */
  readonly unixTimestamp: string;
}

/** A running instance with a network of its own, which ends with the test. */
export interface Sluice extends AsyncDisposable {
  readonly urls: {
    readonly rest: string;
    readonly docs: string;
    /** The portal, for a browser. Null when it is turned off. */
    readonly portal: string | null;
    readonly admin: string;
    readonly grpc: string;
    readonly metrics: string | null;
    readonly rpc: string;
    readonly ws: string;
  };
  /** The funded demo wallet; the file is a Solana keypair file. */
  readonly wallet: { readonly address: string; readonly file: string };
  /** A key of the REST interface without limits that a test could reach. */
  readonly apiKey: string;
  readonly pid: number;
  /**
   * Gives a wallet SOL or tokens.
   * @param what `SOL`, or the address of a mint
   * @param atoms lamports, or atoms of the mint
   */
  fund(wallet: string, what: string, atoms: bigint): Promise<void>;
  readonly clock: {
    now(): Promise<Clock>;
    /** Moves the clock forward. Makers take no part in orders while it is more than 30 seconds away. */
    advance(by: { readonly slots?: number; readonly seconds?: number }): Promise<Clock>;
  };
  readonly price: {
    /** Fixes a price in US dollars, such as `'120.5'`. */
    set(symbol: string, dollars: string): Promise<void>;
  };
  readonly faults: {
    /** The next transactions land and fail with the custom error `code` (default 1) of their first instruction. */
    failNext(fault?: NextFault & { readonly code?: number }): Promise<void>;
    /** The next transactions are accepted and never land. */
    dropNext(fault?: NextFault): Promise<void>;
    /** The first attempt to land the next transactions is later by `slots` (default 10). */
    delayNext(fault?: NextFault & { readonly slots?: number }): Promise<void>;
    /** The next requests of a path are refused or delayed. */
    ofNextRequests(fault: RequestFault): Promise<void>;
    /** The faults of requests that wait, and the requests that were struck. */
    listRequests(): Promise<RequestFaultList>;
    /** The next calls of a method of the Solana RPC fail or are delayed. */
    ofNextRpcCalls(fault: RpcFault): Promise<void>;
    /** The faults of RPC calls that wait, and the calls that were struck. */
    listRpcCalls(): Promise<RpcFaultList>;
    /** The faults of transactions that wait, and the transactions that were struck. */
    list(): Promise<FaultList>;
    /** Switches off all faults. */
    clear(): Promise<void>;
  };
  /**
   * Saves the state of the network.
   * @param name lowercase letters, digits and hyphens. Default: a new one.
   * @returns the name
   */
  snapshot(name?: string): Promise<string>;
  restore(name: string): Promise<void>;
  /** Writes a named snapshot to a file, for another instance with the same seed. */
  exportSnapshot(name: string, file: string): Promise<void>;
  /** Saves a snapshot from a file under a name. It is checked, but not restored. */
  importSnapshot(name: string, file: string): Promise<void>;
  /** Puts the network back to its beginning, with its accounts, prices and clock, and removes all faults. */
  reset(): Promise<void>;
  /** Calls the admin interface: `admin('GET', 'network/prices')`. Rejects with its message when it refuses. */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  /** Stops the instance, and removes all that it kept. */
  stop(): Promise<void>;
}

/**
 * Starts an instance on free ports, with a Solana network inside and nothing kept. Several can run at once.
 * @throws Error with what the instance wrote, when it does not start
 */
export function startSluice(options?: StartOptions): Promise<Sluice>;
