import * as litesvm from 'litesvm/dist/internal.js';
import type { Bank } from '../src/chain/embedded/ledger/bank.ts';
import {
  ALICE,
  MINT,
  openTestBank,
  SOL,
  signTestTransaction,
  createTestKeypair,
} from '../src/testing/chain/rpc-network.ts';
import { type RpcServer, startRpcServer } from '../src/chain/embedded/rpc/server.ts';
import { type Address, toAddressBytes } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import { HttpLoad } from './http-load.ts';
import type { Row } from './row.ts';

export const title = 'JSON-RPC of the embedded network';

const CONNECTIONS = 16;
/** The two are measured alternately, so that other load on the machine affects both. The median round counts. */
const ROUNDS = 7;
const PER_ROUND = 4_000;
const READS = 1_000;
const ACCOUNTS_PER_READ = 100;

const RESULT = '"result":';
const MIN_SHARE = 0.3;
const MAX_MILLISECONDS = 2;

export async function run(): Promise<readonly Row[]> {
  const bank = await openTestBank();
  const server = await startRpcServer(bank, {
    production: false,
    host: '127.0.0.1',
    httpPort: 0,
    webSocketPort: 0,
    onDefect: (error) => {
      throw error;
    },
    beforeShown: () => {},
  });
  const load = new HttpLoad();
  try {
    return [await sending({ bank, server, load }), ...(await reading({ bank, server, load }))];
  } finally {
    load.close();
    await server.close();
    await bank.close();
  }
}

interface Setup {
  readonly bank: Bank;
  readonly server: RpcServer;
  readonly load: HttpLoad;
}

interface Round {
  /** Transactions per second. */
  readonly through: number;
  readonly direct: number;
}

/** Both execute the same transactions, signatures verified, from the same balances. The first round warms up. */
async function sending({ bank, server, load }: Setup): Promise<Row> {
  const payers = Array.from({ length: CONNECTIONS }, (_, index) => createTestKeypair(`bench payer ${index}`));
  bank.admin.setAccounts(payers.map(({ address }) => ({ address, account: wallet(1_000n * SOL) })));
  await bank.advanceSlot();
  const svm = directSvm(payers);
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const transactions = transfers(bank, payers, round * PER_ROUND);
    const requests = transactions.map((wire, id) => post(sendBody(wire, id)));
    const order = { port: portOf(server), connections: CONNECTIONS, success: RESULT };
    const { milliseconds } = await load.send({ ...order, requests });
    const through = (PER_ROUND / milliseconds) * 1_000;
    rounds.push({ through, direct: directRate(svm, transactions) });
  }
  const { through, direct } = medianShare(rounds.slice(1));
  const share = through / direct;
  return {
    what: `sendTransaction, ${CONNECTIONS} connections, skipPreflight, load from a second process`,
    measured: `${perSecond(through)}, ${share.toFixed(2)} of LiteSVM`,
    against: `LiteSVM called directly: ${perSecond(direct)}`,
    atLeast: `${MIN_SHARE} of LiteSVM`,
    ok: share >= MIN_SHARE,
  };
}

function medianShare(rounds: readonly Round[]): Round {
  const sorted = rounds.toSorted((left, right) => left.through / left.direct - right.through / right.direct);
  return sorted[Math.floor(sorted.length / 2)] ?? { through: Number.NaN, direct: Number.NaN };
}

function wallet(lamports: bigint) {
  return {
    lamports,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
  };
}

function transfers(bank: Bank, payers: readonly Keypair[], first: number): Uint8Array[] {
  return Array.from({ length: PER_ROUND }, (_, index) => {
    const payer = payers[index % payers.length] ?? ALICE;
    const lamports = 1_000_000n + BigInt(first + index);
    return signTestTransaction(bank, [payer], [transferLamports(payer.address, ALICE.address, lamports)]);
  });
}

function sendBody(wire: Uint8Array, id: number): string {
  const config = { encoding: 'base64', skipPreflight: true };
  const params = [Buffer.from(wire).toString('base64'), config];
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'sendTransaction', params });
}

/** The blockhash is the bank's, which this LiteSVM does not know. */
function directSvm(payers: readonly Keypair[]): litesvm.LiteSvm {
  const svm = new litesvm.LiteSvm();
  svm.setBlockhashCheck(false);
  const owner = toAddressBytes(SYSTEM_PROGRAM);
  for (const { address } of [...payers, ALICE]) {
    const account = new litesvm.Account(1_000n * SOL, new Uint8Array(0), owner, false, 2n ** 64n - 1n);
    svm.setAccount(toAddressBytes(address), account);
  }
  return svm;
}

/** Transactions per second. */
function directRate(svm: litesvm.LiteSvm, transactions: readonly Uint8Array[]): number {
  let failed = 0;
  const start = performance.now();
  for (const wire of transactions) {
    if (svm.sendVersionedTransaction(wire) instanceof litesvm.FailedTransactionMetadata) failed++;
  }
  const milliseconds = performance.now() - start;
  if (failed > 0) throw new Error(`LiteSVM refused ${failed} transactions`);
  return (transactions.length / milliseconds) * 1_000;
}

async function reading({ bank, server, load }: Setup): Promise<Row[]> {
  const mint = bank.getAccount(MINT, 'processed');
  const addresses = Array.from(
    { length: ACCOUNTS_PER_READ },
    (_, index) => createTestKeypair(`bench ${index}`).address,
  );
  const data = new Uint8Array(165).fill(7);
  const account = { ...wallet(2_039_280n), owner: mint?.owner ?? SYSTEM_PROGRAM, data };
  bank.admin.setAccounts(addresses.map((address) => ({ address, account })));
  const requests = Array.from({ length: READS }, (_, id) => post(readBody(addresses, id)));
  const order = { port: portOf(server), connections: 1, success: RESULT };
  await load.send({ ...order, requests: requests.slice(0, READS / 10) });
  const { latencies } = await load.send({ ...order, requests });
  const p50 = latencies[Math.floor(latencies.length / 2)] ?? Number.NaN;
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  return [
    {
      what: `getMultipleAccounts of ${ACCOUNTS_PER_READ} token accounts, base64, p50`,
      measured: milliseconds(p50),
      atLeast: `${MAX_MILLISECONDS} ms at most`,
      ok: p50 <= MAX_MILLISECONDS,
    },
    { what: 'the same, p99', measured: milliseconds(p99) },
  ];
}

function readBody(addresses: readonly Address[], id: number): string {
  const params = [addresses, { encoding: 'base64', commitment: 'processed' }];
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'getMultipleAccounts', params });
}

function post(body: string): string {
  const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json';
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function portOf({ httpUrl }: RpcServer): number {
  return Number(new URL(httpUrl).port);
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')} per second`;
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}
