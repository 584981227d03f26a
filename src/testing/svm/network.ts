import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction as KitInstruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import * as svm from 'litesvm/dist/internal.js';
import type { Account } from '../../chain/accounts.ts';
import { toTransactionError } from '../../chain/embedded/records/litesvm-error.ts';
import { type Address, toAddressBytes, toAddress } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';

/** What a transaction did. `error` is null on success. */
export interface TestOutcome {
  readonly error: Failure | null;
  readonly logs: readonly string[];
  readonly returnData: Uint8Array;
  readonly units: bigint;
  /** Instructions that programs called, per top-level instruction, in order. */
  readonly inner: readonly (readonly InnerCall[])[];
}

/** `custom` when a program returned its own code; `kind` is the runtime's word otherwise (e.g. `InvalidAccountData`). */
export interface Failure {
  readonly instruction: number | null;
  readonly custom?: number;
  readonly kind: string;
}

export interface InnerCall {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

export interface SendOptions {
  readonly feePayer?: Address;
  readonly lookupTables?: Readonly<Record<Address, Address[]>>;
}

/** It is loaded under the address of a public venue that the aggregator knows and no adapter uses. */
const TEST_VENUE = {
  address: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8' as Address,
  file: new URL('./programs/test-venue.so', import.meta.url),
};

/** Each program of `programs/dist`, under the address at which the gateway expects it. */
const SHIPPED: Readonly<Record<string, { readonly address: Address; readonly file: URL }>> = readShipped();

/**
 * A LiteSVM for tests of programs: no signature checks (the account roles alone say who signs), no blockhash
 * check, no history, so that one instance runs tens of thousands of transactions quickly.
 */
export class TestNetwork {
  readonly svm = new svm.LiteSvm();
  readonly payer: Address;
  #nextAddress = 0;
  readonly #seed: string;

  /** `programs` are names out of programs/programs.json; `seed` makes every generated address deterministic. */
  constructor(programs: readonly string[] = [], seed = 'test') {
    this.#seed = seed;
    this.svm.setSigverify(false);
    this.svm.setBlockhashCheck(false);
    this.svm.setTransactionHistory(0n);
    for (const name of programs) this.loadShipped(name);
    this.payer = this.newWallet(1_000_000_000_000n);
  }

  /** Loads a program out of programs/programs.json. */
  loadShipped(name: string): void {
    const program = SHIPPED[name];
    if (program === undefined) throw new Error(`no program ${name} in programs/programs.json`);
    this.loadProgram(program.address, readFileSync(program.file));
  }

  loadProgram(address: Address, elf: Uint8Array): void {
    this.svm.addProgram(copyAddressBytes(address), elf);
  }

  /** A fresh deterministic address; on no curve in particular. */
  newAddress(): Address {
    const index = this.#nextAddress++;
    return toAddress(createHash('sha256').update(`${this.#seed}:${index}`).digest());
  }

  newWallet(lamports = 10_000_000_000n): Address {
    const address = this.newAddress();
    this.setAccount(address, {
      lamports,
      owner: '11111111111111111111111111111111' as Address,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    return address;
  }

  setAccount(address: Address, account: Account): void {
    const { lamports, data, owner, executable, rentEpoch } = account;
    this.svm.setAccount(
      copyAddressBytes(address),
      new svm.Account(lamports, data, copyAddressBytes(owner), executable, rentEpoch),
    );
  }

  /** Writes an account that holds exactly the rent-exempt minimum. */
  setData(address: Address, owner: Address, data: Uint8Array): void {
    const lamports = this.svm.minimumBalanceForRentExemption(BigInt(data.length));
    this.setAccount(address, { lamports, owner, data, executable: false, rentEpoch: 0n });
  }

  /** Null also for an account that a transaction emptied. */
  account(address: Address): Account | null {
    const found = this.svm.getAccount(copyAddressBytes(address));
    if (found === null || found.lamports() === 0n) return null;
    return {
      lamports: found.lamports(),
      owner: toAddress(found.owner()),
      data: found.data(),
      executable: found.executable(),
      rentEpoch: found.rentEpoch(),
    };
  }

  /** Amount field of a token account of either token program; throws when the account does not exist. */
  tokenBalance(address: Address): bigint {
    const found = this.svm.getAccount(copyAddressBytes(address));
    if (found === null) throw new Error(`no token account at ${address}`);
    return Buffer.from(found.data()).readBigUInt64LE(64);
  }

  setUnixTime(seconds: bigint): void {
    const clock = this.svm.getClock();
    clock.unixTimestamp = seconds;
    this.svm.setClock(clock);
  }

  setEpoch(epoch: bigint): void {
    const clock = this.svm.getClock();
    clock.epoch = epoch;
    this.svm.setClock(clock);
  }

  /** What every transaction may use, whatever it asks for. */
  setComputeUnits(limit: bigint): void {
    const budget = new svm.ComputeBudget();
    budget.computeUnitLimit = limit;
    this.svm.setComputeBudget(budget);
  }

  send(instructions: readonly Instruction[], options: SendOptions = {}): TestOutcome {
    return this.sendEncoded(this.encode(instructions, options));
  }

  /** Sends what `encode` made, as often as wanted: a test of thousands of cases changes its bytes in between. */
  sendEncoded({ wire, accounts }: Encoded): TestOutcome {
    return toTestOutcome(this.svm.sendVersionedTransaction(wire), accounts);
  }

  /** Runs without keeping any change. */
  simulate(instructions: readonly Instruction[], options: SendOptions = {}): TestOutcome {
    const { wire, accounts } = this.encode(instructions, options);
    return toTestOutcome(this.svm.simulateVersionedTransaction(wire), accounts);
  }

  encode(instructions: readonly Instruction[], options: SendOptions = {}): Encoded {
    const tables = options.lookupTables ?? {};
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(options.feePayer ?? this.payer, m),
      (m) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash(this.svm.latestBlockhash()), lastValidBlockHeight: 0n },
          m,
        ),
      (m) => appendTransactionMessageInstructions(instructions as readonly KitInstruction[], m),
      (m) => compressTransactionMessageUsingAddressLookupTables(m, tables),
    );
    const compiled = compileTransactionMessage(message);
    const lookups = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : [];
    const pick = (indexes: (lookup: (typeof lookups)[number]) => readonly number[]): Address[] =>
      lookups.flatMap((lookup) =>
        indexes(lookup).map((index) => tables[lookup.lookupTableAddress]?.[index] as Address),
      );
    return {
      wire: new Uint8Array(getTransactionEncoder().encode(compileTransaction(message))),
      accounts: [
        ...compiled.staticAccounts,
        ...pick((lookup) => lookup.writableIndexes),
        ...pick((lookup) => lookup.readonlyIndexes),
      ],
    };
  }
}

/** A transaction as it is sent. */
export interface Encoded {
  readonly wire: Uint8Array;
  /** Every account in the order that instruction indexes refer to. */
  readonly accounts: readonly Address[];
}

type SvmResult = svm.TransactionMetadata | svm.FailedTransactionMetadata | svm.SimulatedTransactionInfo;

function toTestOutcome(result: SvmResult, accounts: readonly Address[]): TestOutcome {
  const meta = result instanceof svm.TransactionMetadata ? result : result.meta();
  const at = (index: number): Address => accounts[index] as Address;
  return {
    error: result instanceof svm.FailedTransactionMetadata ? toTestFailure(result) : null,
    logs: meta.logs(),
    returnData: meta.returnData().data(),
    units: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map((calls) =>
      calls.map((call) => ({
        program: at(call.instruction().programIdIndex()),
        accounts: [...call.instruction().accounts()].map(at),
        data: call.instruction().data(),
        stackHeight: call.stackHeight(),
      })),
    ),
  };
}

function toTestFailure(result: svm.FailedTransactionMetadata): Failure {
  const error = toTransactionError(result.err());
  if (typeof error === 'string' || !('InstructionError' in error)) {
    return { instruction: null, kind: getTestErrorName(error) };
  }
  const [instruction, cause] = error.InstructionError;
  if (typeof cause === 'object' && 'Custom' in cause) {
    return { instruction, custom: cause.Custom, kind: 'Custom' };
  }
  return { instruction, kind: getTestErrorName(cause) };
}

/** An error that has fields is an object whose one key is its name. */
function getTestErrorName(error: string | object): string {
  return typeof error === 'string' ? error : Object.keys(error).join();
}

function copyAddressBytes(address: Address): Uint8Array {
  return toAddressBytes(address);
}

function readShipped(): Record<string, { address: Address; file: URL }> {
  const table = new URL('../../../programs/programs.json', import.meta.url);
  if (!existsSync(table)) return {};
  const programs = JSON.parse(readFileSync(table, 'utf8')) as { name: string; address: Address }[];
  const shipped = programs.map(({ name, address }) => [
    name,
    { address, file: new URL(`../../../programs/dist/${name}.so`, import.meta.url) },
  ]);
  return { ...Object.fromEntries(shipped), 'test-venue': TEST_VENUE };
}
