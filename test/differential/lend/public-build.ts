import { REWARDS_ADMIN } from '../../../programs/lending-reward-rate-model/tests/instructions.ts';
import { LENDING_ADMIN } from '../../../src/protocols/jupiter-lend/lending/addresses.ts';
import { AUTH_LIST, LIQUIDITY_PROGRAM } from '../../../programs/liquidity/tests/addresses.ts';
import { tagOf } from '../../../programs/liquidity/tests/instructions.ts';
import { decodeAuthList } from '../../../programs/liquidity/tests/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { type Allowances, type Masks, Twin } from '../twin.ts';

/** Where liquidity 0.1.0, whose dump is public, takes the associated token program in addition. */
const ASSOCIATED_PROGRAM_AT = new Map([
  [hex(tagOf('pre_operate')), 6],
  [hex(tagOf('operate')), 13],
  [hex(tagOf('claim')), 8],
]);

/** The instruction as the older public build takes it. */
function forPublicBuild(instruction: Instruction): Instruction {
  if (instruction.programAddress !== LIQUIDITY_PROGRAM) return instruction;
  const at = ASSOCIATED_PROGRAM_AT.get(hex(instruction.data.subarray(0, 8)));
  const { accounts } = instruction;
  if (at === undefined || accounts.length < at) return instruction;
  return { ...instruction, accounts: accounts.toSpliced(at, 0, readonly(ASSOCIATED_TOKEN_PROGRAM)) };
}

/** Two networks with the lending programs, one of them with the public builds; compares events also. */
export class LendTwin extends Twin {
  #last: readonly [TestOutcome, TestOutcome] | null = null;
  /** Compute units of all that succeeded in both. */
  readonly units = { standIn: 0n, publicBuild: 0n };

  override send(instruction: Instruction): readonly [standIn: TestOutcome, publicBuild: TestOutcome] {
    const ours = this.standIn.send([instruction]);
    const theirs = this.publicBuild.send([forPublicBuild(instruction)]);
    if (ours.error === null && theirs.error === null) {
      this.units.standIn += ours.units;
      this.units.publicBuild += theirs.units;
    }
    this.#last = [ours, theirs];
    return this.#last;
  }

  override difference(instruction: Instruction, allowances: Allowances = {}): string | null {
    const different = super.difference(instruction, allowances);
    if (different !== null || this.#last === null) return different;
    const [ours, theirs] = this.#last.map(({ logs }) =>
      logs.filter((line) => line.startsWith('Program data:')),
    );
    if (ours?.join() === theirs?.join()) return null;
    return `events ${ours?.join()}, public ${theirs?.join()}`;
  }

  override endDifference(instruction: Instruction): string | null {
    const ours = this.standIn.simulate([instruction]);
    const theirs = this.publicBuild.simulate([forPublicBuild(instruction)]);
    const [mine, other] = [ours, theirs].map(({ error, returnData }) =>
      JSON.stringify([error, hex(returnData)]),
    );
    return mine === other ? null : `ends with ${mine}, public ${other}`;
  }

  override refusalDifference(instruction: Instruction): string | null {
    const ours = this.standIn.simulate([instruction]).error;
    const theirs = this.publicBuild.simulate([forPublicBuild(instruction)]).error;
    const agree = (ours === null) === (theirs === null);
    return agree ? null : `error ${JSON.stringify(ours)}, public ${JSON.stringify(theirs)}`;
  }

  /** The public build keeps the members of its lists in no order of note. */
  override accountDifference(address: Address, mask: ReturnType<Masks> = []): string | null {
    const listed = LISTS.get(address);
    if (listed === undefined) return super.accountDifference(address, mask);
    const [ours, theirs] = [this.standIn, this.publicBuild].map((network) => {
      const data = network.account(address)?.data;
      return data === undefined ? null : JSON.stringify([data.length, listed(data)]);
    });
    return ours === theirs ? null : `${address} has ${ours}, public ${theirs}`;
  }
}

/** Accounts with lists, as values in which the order within a list does not count. */
const LISTS = new Map<Address, (data: Uint8Array) => unknown>([
  [
    AUTH_LIST,
    (data) => {
      const { auths, guardians, classes } = decodeAuthList(data);
      return [auths.toSorted(), guardians.toSorted(), classes.toSorted()];
    },
  ],
  [LENDING_ADMIN.address, (data) => withMembersAt(data, 8 + 3 * 32 + 2)],
  [REWARDS_ADMIN, (data) => withMembersAt(data, 8 + 2 * 32)],
]);

/** The bytes before a list of addresses, the addresses, and the byte behind them. */
function withMembersAt(
  data: Uint8Array,
  at: number,
): readonly [string, readonly string[], number | undefined] {
  const bytes = Buffer.from(data);
  const count = bytes.readUInt32LE(at);
  const members = Array.from({ length: count }, (_, i) =>
    hex(bytes.subarray(at + 4 + 32 * i, at + 36 + 32 * i)),
  );
  return [hex(bytes.subarray(0, at + 4)), members.toSorted(), bytes[at + 4 + 32 * count]];
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
