import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../../src/chain/accounts.ts';
import type { Address } from '../../src/solana/address.ts';
import { type Instruction, isWritable } from '../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../src/solana/program-addresses.ts';
import { type TestOutcome, TestNetwork } from '../../src/testing/svm/network.ts';

/** Names the folder of public programs' dumps, one file `<address>.so` each. None is part of the project. */
const DUMPS_VARIABLE = 'SLUICE_PUBLIC_PROGRAMS';

/** What the suites compare the stand-ins with. */
export const PUBLIC_PROGRAM = 'the public program';

/** The public program's dump, or null with a message about how to provide it. */
export function readDump(address: Address): Buffer | null {
  const folder = process.env[DUMPS_VARIABLE];
  const file = folder === undefined || folder === '' ? null : join(folder, `${address}.so`);
  if (file !== null && existsSync(file)) return readFileSync(file);
  const reason =
    file === null ? `${DUMPS_VARIABLE} is not set to a folder of dumps` : `${file} does not exist`;
  process.stdout.write(`skipped: ${reason}\n`);
  return null;
}

/** Bytes of an account's data, by offset and length, in which the two builds are known to differ. */
export type Masks = (address: Address) => readonly (readonly [offset: number, length: number])[];

/** What two builds may differ in: bytes of accounts, and whole outcomes that are known and understood. */
export interface Allowances {
  readonly masks?: Masks;
  readonly expected?: (instruction: Instruction, standIn: TestOutcome, publicBuild: TestOutcome) => boolean;
}

/** What an address holds that nothing was ever sent to. */
export const NO_ACCOUNT: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};

/**
 * Two networks that are alike but for one program: the stand-in in the one, the public build in the other.
 *
 * With `comparesCalls`, instructions that succeed must also make the same calls, by which programs emit events.
 */
export class Twin {
  readonly standIn: TestNetwork;
  readonly publicBuild: TestNetwork;
  /** How often a difference was an expected one. */
  expectedDifferences = 0;
  readonly #comparesCalls: boolean;

  constructor(name: string, address: Address, dump: Uint8Array, { comparesCalls = false } = {}) {
    this.#comparesCalls = comparesCalls;
    this.standIn = new TestNetwork([name]);
    this.publicBuild = new TestNetwork();
    this.publicBuild.loadProgram(address, dump);
  }

  /** Makes the same preparations in both. */
  both(prepare: (network: TestNetwork) => void): void {
    prepare(this.standIn);
    prepare(this.publicBuild);
  }

  send(instruction: Instruction): readonly [standIn: TestOutcome, publicBuild: TestOutcome] {
    return [this.standIn.send([instruction]), this.publicBuild.send([instruction])];
  }

  /**
   * What differs after `instruction` ran in both: error, return data, or any account that it names. Null when
   * nothing does, or when `expected` accepts what differs; the stand-in's accounts are then set to the public ones.
   */
  difference(
    instruction: Instruction,
    { masks = () => [], expected = () => false }: Allowances = {},
  ): string | null {
    const [ours, theirs] = this.send(instruction);
    const different = outcomeDifference(ours, theirs) ?? this.#accountsDifference(instruction, masks);
    if (different === null) return this.#callsDifference(ours, theirs);
    if (!expected(instruction, ours, theirs)) return different;
    this.expectedDifferences++;
    this.#catchUp(instruction);
    return null;
  }

  /** What differs after one form of an instruction ran here, and another one in the public program. */
  formsDifference(here: Instruction, there: Instruction): string | null {
    const [ours, theirs] = [this.standIn.send([here]), this.publicBuild.send([there])];
    return (
      outcomeDifference(ours, theirs) ??
      this.#accountsDifference(here, () => []) ??
      this.#callsDifference(ours, theirs)
    );
  }

  /** What differs in how `instruction` ends in both, or another form in the public program; nothing is kept. */
  endDifference(instruction: Instruction, there: Instruction = instruction): string | null {
    const [ours, theirs] = [this.standIn.simulate([instruction]), this.publicBuild.simulate([there])];
    const different = outcomeDifference(ours, theirs) ?? this.#callsDifference(ours, theirs);
    // The public build calls with an address that it derives; the stand-in hands on the account that it was given,
    // which the called program then refuses in its own words.
    if (different === null || ours.error === null || theirs.error?.kind !== 'MissingAccount')
      return different;
    this.expectedDifferences++;
    return null;
  }

  /** What differs if only one of the two refuses `instruction`, whatever the reason; nothing of it is kept. */
  refusalDifference(instruction: Instruction): string | null {
    const [ours, theirs] = [this.standIn.simulate([instruction]), this.publicBuild.simulate([instruction])];
    const areAlike = (ours.error === null) === (theirs.error === null);
    if (!areAlike) return `error ${show(ours.error)}, public ${show(theirs.error)}`;
    return this.#callsDifference(ours, theirs);
  }

  /** What differs after a transaction ran in both: error, return data, calls, or one of the accounts. */
  transactionDifference(instructions: readonly Instruction[], addresses: readonly Address[]): string | null {
    const [ours, theirs] = [this.standIn.send(instructions), this.publicBuild.send(instructions)];
    const accounts = addresses.map((address) => this.accountDifference(address));
    return (
      outcomeDifference(ours, theirs) ??
      accounts.find((each) => each !== null) ??
      this.#callsDifference(ours, theirs)
    );
  }

  #callsDifference(ours: TestOutcome, theirs: TestOutcome): string | null {
    return this.#comparesCalls ? callsDifference(ours, theirs) : null;
  }

  #accountsDifference({ accounts }: Instruction, masks: Masks): string | null {
    for (const { address } of accounts) {
      const different = this.accountDifference(address, masks(address));
      if (different !== null) return different;
    }
    return null;
  }

  #catchUp({ accounts }: Instruction): void {
    for (const { address, role } of accounts) {
      const theirs = this.publicBuild.account(address);
      if (isWritable(role)) this.standIn.setAccount(address, theirs ?? NO_ACCOUNT);
    }
  }

  accountDifference(address: Address, mask: ReturnType<Masks> = []): string | null {
    const [ours, theirs] = [this.standIn.account(address), this.publicBuild.account(address)];
    if (ours === null || theirs === null) {
      return ours === theirs ? null : `${address} exists only ${ours === null ? 'in public' : 'here'}`;
    }
    for (const field of ['lamports', 'owner', 'executable'] as const) {
      if (ours[field] !== theirs[field]) {
        return `${address} has ${field} ${ours[field]}, public ${theirs[field]}`;
      }
    }
    return dataDifference(address, masked(ours, mask), masked(theirs, mask));
  }
}

function outcomeDifference(ours: TestOutcome, theirs: TestOutcome): string | null {
  if (show(ours.error) !== show(theirs.error)) {
    return `error ${show(ours.error)}, public ${show(theirs.error)}: ${lastWords(ours)} / ${lastWords(theirs)}`;
  }
  if (Buffer.from(ours.returnData).equals(Buffer.from(theirs.returnData))) return null;
  return `return data ${hex(ours.returnData)}, public ${hex(theirs.returnData)}`;
}

/** What differs in the calls of a transaction that succeeded: in programs, accounts or data, or how deep they are. */
function callsDifference(ours: TestOutcome, theirs: TestOutcome): string | null {
  if (ours.error !== null || theirs.error !== null) return null;
  const [one, other] = [listCalls(ours), listCalls(theirs)];
  const at = one.findIndex((call, i) => call !== other[i]);
  if (at < 0 && one.length === other.length) return null;
  const index = at < 0 ? one.length : at;
  return `call ${index}: ${one[index] ?? 'none'}, public ${other[index] ?? 'none'}`;
}

function listCalls({ inner }: TestOutcome): string[] {
  return inner.flatMap((calls, index) =>
    calls.map(({ program, accounts, data, stackHeight }) =>
      [index, stackHeight, program, hex(data), ...accounts].join(' '),
    ),
  );
}

function dataDifference(address: Address, ours: Buffer, theirs: Buffer): string | null {
  if (ours.length !== theirs.length) return `${address} has ${ours.length} bytes, public ${theirs.length}`;
  const at = ours.findIndex((byte, i) => byte !== theirs[i]);
  if (at < 0) return null;
  return `${address} at byte ${at}: ${hex(ours.subarray(at, at + 32))}, public ${hex(theirs.subarray(at, at + 32))}`;
}

function masked(account: Account, mask: ReturnType<Masks>): Buffer {
  const data = Buffer.from(account.data);
  for (const [offset, length] of mask) data.fill(0, offset, offset + length);
  return data;
}

function lastWords({ logs }: TestOutcome): string {
  return logs.findLast((line) => /AnchorError|panicked|out of range|Error:/.test(line)) ?? logs.at(-1) ?? '';
}

function show(value: unknown): string {
  return JSON.stringify(value);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
