import type { EmbeddedBank } from '../../chain/embedded/bank/embedded-bank.ts';
import { createHash } from 'node:crypto';
import type { Address } from '../../solana/address.ts';
import { type Keypair, createKeypairFromSeed } from '../../solana/keypair.ts';
import { createActiveLookupTable, encodeLookupTable } from '../../solana/messages/lookup-table.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import type { Extension } from '../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import type { Bank } from '../../chain/embedded/ledger/bank.ts';
import {
  ALICE,
  BOB,
  GENESIS,
  signTestTransaction,
  openBankForTests,
  createTokenProgramAccount,
} from './bank.ts';
import type { AddressedAccount } from '../../chain/records/records.ts';
import { parseJson, toJson } from '../../chain/json-rpc/json.ts';
import { type RpcServer, startRpcServer } from '../../chain/embedded/rpc/server.ts';

/** Each starts with 100 SOL. Alice also has 1,000 tokens of `MINT` and 50 of `FEE_MINT`, and Bob 5 of `MINT`. */
export { ALICE, BOB, SOL, signTestTransaction } from './bank.ts';

export function createTestKeypair(name: string): Keypair {
  return createKeypairFromSeed(createHash('sha256').update(`rpc test ${name}`).digest());
}

/** Mints, and has no lamports of its own. */
const MINT_AUTHORITY = createTestKeypair('mint authority');

/** Six decimals, of the token program. */
export const MINT = createTestKeypair('mint').address;
/** Two decimals, of Token-2022, with a transfer fee of 1%. */
export const FEE_MINT = createTestKeypair('fee mint').address;
/** A lookup table with `MINT` and `BOB`. */
export const LOOKUP_TABLE = createTestKeypair('lookup table').address;

export const ALICE_TOKENS = deriveAssociatedTokenAddress(ALICE.address, MINT, TOKEN_PROGRAM);
export const BOB_TOKENS = deriveAssociatedTokenAddress(BOB.address, MINT, TOKEN_PROGRAM);
export const ALICE_FEE_TOKENS = deriveAssociatedTokenAddress(ALICE.address, FEE_MINT, TOKEN_2022_PROGRAM);

function owned(address: Address, owner: Address, data: Uint8Array): AddressedAccount {
  return { address, account: { ...createTokenProgramAccount(data), owner } };
}

function mint(supply: bigint, decimals: number, extensions: readonly Extension[] = []): Uint8Array {
  return encodeMint({
    mintAuthority: MINT_AUTHORITY.address,
    supply,
    decimals,
    freezeAuthority: null,
    extensions,
  });
}

function tokens(
  of: Address,
  { address: owner }: Keypair,
  amount: bigint,
  extensions: readonly Extension[] = [],
) {
  return ordinaryTokenAccount({ mint: of, owner, amount, extensions });
}

const FEE = { epoch: 0n, maximumFee: 1_000n, basisPoints: 100 };
const FEE_CONFIG = encodeTransferFeeConfigExtension({
  configAuthority: null,
  withdrawWithheldAuthority: null,
  withheldAmount: 0n,
  older: FEE,
  newer: FEE,
});
const NOTHING_WITHHELD: Extension = { type: 2, data: new Uint8Array(8) };

const TOKENS: readonly AddressedAccount[] = [
  owned(MINT, TOKEN_PROGRAM, mint(1_005_000_000n, 6)),
  owned(ALICE_TOKENS, TOKEN_PROGRAM, tokens(MINT, ALICE, 1_000_000_000n)),
  owned(BOB_TOKENS, TOKEN_PROGRAM, tokens(MINT, BOB, 5_000_000n)),
  owned(FEE_MINT, TOKEN_2022_PROGRAM, mint(5_000n, 2, [FEE_CONFIG])),
  owned(ALICE_FEE_TOKENS, TOKEN_2022_PROGRAM, tokens(FEE_MINT, ALICE, 5_000n, [NOTHING_WITHHELD])),
  owned(
    LOOKUP_TABLE,
    ADDRESS_LOOKUP_TABLE_PROGRAM,
    encodeLookupTable(createActiveLookupTable([MINT, BOB.address], ALICE.address, 0n)),
  ),
];

/** Opens a bank in memory whose slots the test advances. */
export function openTestBank(): Promise<EmbeddedBank> {
  return openBankForTests({ genesis: [...GENESIS, ...TOKENS], mintAuthorities: [MINT_AUTHORITY] });
}

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A bank behind the real server, with a minimal client. */
export interface TestRpc {
  readonly bank: EmbeddedBank;
  readonly server: RpcServer;
  /** The errors other than `RpcError` that methods threw. */
  readonly defects: readonly unknown[];
  /** Returns the result, or rejects with the error's message. */
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** Returns the error, or rejects when there is none. */
  refuse(method: string, ...params: unknown[]): Promise<RpcFailure>;
  close(): Promise<void>;
}

/** Starts the server over a new bank, or over the given one. The bank is closed with it. */
export async function startTestRpc(opened?: EmbeddedBank): Promise<TestRpc> {
  const bank = opened ?? (await openTestBank());
  const defects: unknown[] = [];
  const server = await startRpcServer(bank, {
    production: false,
    host: '127.0.0.1',
    httpPort: 0,
    webSocketPort: 0,
    onDefect: (error) => defects.push(error),
    beforeShown: () => {},
  });
  const send = async (method: string, params: readonly unknown[]) => {
    const response = await fetch(server.httpUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: toJson({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = parseJson(await response.text()) as { result?: unknown; error?: RpcFailure };
    if (defects.length > 0) throw defects[0];
    return answer;
  };
  return {
    bank,
    server,
    defects,
    async call(method, ...params) {
      const { result, error } = await send(method, params);
      if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
      return result;
    },
    async refuse(method, ...params) {
      const { error } = await send(method, params);
      if (error === undefined) throw new Error(`${method} was not refused`);
      return error;
    },
    async close() {
      await server.close();
      await bank.close();
    },
  };
}

/** Advances slots until all earlier transactions are confirmed. */
export async function confirm(bank: Bank): Promise<void> {
  await bank.advanceSlot();
}

/** Advances slots until all earlier transactions are finalized. */
export async function finalize(bank: Bank): Promise<void> {
  const slot = bank.slot('processed');
  while (bank.slot('finalized') < slot) await bank.advanceSlot();
}

/** A signed transaction as base64. */
export function signBase64Transaction(...transaction: Parameters<typeof signTestTransaction>): string {
  return Buffer.from(signTestTransaction(...transaction)).toString('base64');
}
