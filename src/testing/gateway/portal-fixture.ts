import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PortalSlots } from '../../gateway/portal/slots/slot-feed.ts';
import type { PortalOptions } from '../../gateway/portal/portal.ts';
import type { PortalPools } from '../../gateway/portal/pools/portal-pools.ts';
import { createPortalReader } from '../../gateway/portal/portal-build.ts';
import type { Address } from '../../solana/address.ts';
import {
  createTransactionDecoder,
  type TransactionDecoder,
} from '../../transactions/decoding/decode-transaction.ts';
import {
  type AccountDecoder,
  createAccountDecoder,
} from '../../transactions/decoding/accounts/decode-account.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';

const EMPTY_SOURCES = {
  chain: {
    getAccounts: async (addresses: readonly Address[]) =>
      addresses.map((address) => ({ address, slot: 1n, account: null })),
    transaction: async () => null,
  },
  programs: [],
  findToken: () => null,
  findPool: () => null,
};

/** A decoder of a network that has no accounts and no history. */
export const EMPTY_DECODER: TransactionDecoder = createTransactionDecoder({
  ...EMPTY_SOURCES,
  describeFailure: createFailureDescriber(() => null),
});
/** A decoder of the accounts of that network. */
const EMPTY_ACCOUNTS: AccountDecoder = createAccountDecoder({ ...EMPTY_SOURCES, accounts: [] });

/** A network without pools. */
export const EMPTY_PORTAL_POOLS: PortalPools = {
  views: {
    venueLabels: [],
    list: async () => [],
    summarize: ({ pool: { address } }) => {
      throw new Error(`no pool is known, got ${address}`);
    },
    find: () => null,
    quote: () => ({ kind: 'unknown-pool' }),
  },
  showToken: () => ({ symbol: null, decimals: null, isVerified: false }),
};

/** A network that stands still. */
export const EMPTY_SLOTS: PortalSlots = {
  getHead: () => ({ processed: 1, confirmed: 1, finalized: 1, height: 1, epoch: 0, time: 1 }),
  readAfter: async () => [],
};

export const FIXTURE_PAGE = '<!doctype html><title>Sluice</title><div id="root"></div>';
export const FIXTURE_SCRIPT = `console.log(${JSON.stringify('sluice '.repeat(50))});`;

/** Writes a small portal, as the build lays it out, into a folder. */
export function writePortalFixture(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, '.built-from'), 'a fixture');
  writeFileSync(join(folder, 'index.html'), FIXTURE_PAGE);
  const script = join(folder, 'assets', 'index-1a2b3c.js');
  writeFileSync(script, FIXTURE_SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(FIXTURE_SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(FIXTURE_SCRIPT));
  writeFileSync(`${script}.map`, '{}');
  writeFileSync(join(folder, 'assets', 'mark-4d5e6f.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
}

/** Returns the portal of a folder, over an embedded network on this machine. */
export function createFixturePortal(folder: string, overrides: Partial<PortalOptions> = {}): PortalOptions {
  return {
    readBuild: createPortalReader(folder),
    isLoopbackOnly: true,
    network: null,
    decoder: EMPTY_DECODER,
    pools: EMPTY_PORTAL_POOLS,
    accounts: EMPTY_ACCOUNTS,
    outside: null,
    slots: EMPTY_SLOTS,
    facts: {
      production: false,
      requiresKey: false,
      network: { kind: 'embedded', genesis: 'GENESIS' },
      demoWallet: 'WALLET',
      getUrls: () => ({
        rest: 'http://127.0.0.1:8787',
        admin: 'http://127.0.0.1:8788',
        grpc: '127.0.0.1:50051',
        rpc: 'http://127.0.0.1:8899',
        ws: 'ws://127.0.0.1:8900',
      }),
    },
    ...overrides,
  };
}
