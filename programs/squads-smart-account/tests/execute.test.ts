import { beforeAll, describe, expect, it } from 'vitest';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  deriveSmartAccountConfig,
  deriveSmartAccountSettings,
  deriveVault,
} from '../../../src/solana/programs/smart-account/addresses.ts';
import { executeFromVault } from '../../../src/solana/programs/smart-account/execute-instruction.ts';
import {
  decodeSmartAccountSettings,
  encodeSmartAccountConfig,
} from '../../../src/solana/programs/smart-account/layout.ts';
import { SMART_ACCOUNT_PROGRAM } from '../../../src/solana/programs/smart-account/program.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';

const network = new TestNetwork(['squads-smart-account']);
const [one, two, three] = [network.newWallet(), network.newWallet(), network.newWallet()].sort(byBytes) as [
  Address,
  Address,
  Address,
];
beforeAll(openProgram);

describe('create_smart_account', () => {
  it('opens the settings of the next number, with the signers in order', () => {
    for (const seed of [1n, 2n]) {
      expect(create({ threshold: 2, signers: [[one], [two, 3]] })).toBeUndefined();
      const account = network.account(deriveSmartAccountSettings(seed));
      expect(account?.data.length).toBe(135 + 2 * 33);
      expect(decodeSmartAccountSettings(account?.data ?? new Uint8Array())).toEqual({
        threshold: 2,
        timeLock: 0,
        permissions: new Map([
          [one, 7],
          [two, 3],
        ]),
      });
    }
  });

  it.each<[string, Partial<Plan>, number]>([
    ['a signer twice', { signers: [[one], [one]] }, 6001],
    ['an unknown permission', { signers: [[one, 8]] }, 6029],
    ['nobody who may initiate', { signers: [[one, 6]] }, 6018],
    ['nobody who may execute', { signers: [[one, 3]] }, 6019],
    ['nobody who may vote', { signers: [[one, 5]] }, 6017],
    ['no threshold', { threshold: 0 }, 6004],
    ['a threshold above the votes', { threshold: 2, signers: [[one], [two, 5]] }, 6004],
    ['too long a time lock', { timeLock: 7_776_001 }, 6031],
  ])('refuses %s', (_, plan, error) => {
    expect(create(plan)).toBe(error);
  });
});

describe('execute_transaction_sync_v2', () => {
  it('has the vault sign all instructions that its signers agreed to', () => {
    const { settings, vault } = open({ threshold: 2, signers: [[one], [two]] });
    const payment = transferLamports(vault, one, 1_000_000n);
    const before = network.account(one)?.lamports ?? 0n;
    expect(execute({ settings, vault, signers: [one, two] }, [payment, payment])).toBeUndefined();
    expect((network.account(one)?.lamports ?? 0n) - before).toBe(2_000_000n);
  });

  it('passes on the signature of a stranger, but lends nobody that of a signer', () => {
    const { settings, vault } = open({ threshold: 1, signers: [[one]] });
    const own = transferLamports(one, vault, 5n);
    expect(execute({ settings, vault, signers: [one] }, [own])).toBe('MissingRequiredSignature');
    const stranger = network.newWallet();
    expect(
      execute({ settings, vault, signers: [one] }, [transferLamports(stranger, vault, 5n)]),
    ).toBeUndefined();
  });

  it.each<[string, Partial<Plan>, readonly Address[], number]>([
    ['fewer signers than the threshold', { threshold: 2, signers: [[one], [two]] }, [one], 6047],
    ['a stranger', {}, [two], 6006],
    ['a signer twice', { threshold: 1 }, [one, one], 6001],
    ['nobody who may execute', { signers: [[one, 3], [two]] }, [one], 6049],
    ['too few votes', { threshold: 2, signers: [[one], [two], [three, 5]] }, [one, three], 6050],
    ['a time lock', { timeLock: 1 }, [one], 6051],
  ])('refuses %s', (_, plan, signers, error) => {
    const { settings, vault } = open(plan);
    expect(execute({ settings, vault, signers }, [transferLamports(vault, one, 1n)])).toBe(error);
  });

  it('refuses a member that did not sign, other settings and a payload that it cannot read', () => {
    const { settings, vault } = open({});
    const whole = executeFromVault({ settings, vaultIndex: 0, vault, signers: [one] }, [
      transferLamports(vault, one, 1n),
    ]);
    const unsigned = whole.accounts.map((each) => (each.address === one ? readonly(one) : each));
    expect(errorOf({ ...whole, accounts: unsigned })).toBe(6048);
    const other = [writable(deriveSmartAccountConfig()), ...whole.accounts.slice(1)];
    expect(errorOf({ ...whole, accounts: other })).toBe(3002);
    const fewer = whole.accounts.slice(0, -1);
    expect(errorOf({ ...whole, accounts: fewer })).toBe(6007);
    const longer = Buffer.concat([whole.data, Uint8Array.of(0)]);
    longer.writeUInt32LE(longer.readUInt32LE(11) + 1, 11);
    expect(errorOf({ ...whole, data: longer })).toBe(6041);
    const policy = Buffer.from(whole.data);
    policy[10] = 1;
    expect(errorOf({ ...whole, data: policy })).toBe(6052);
    expect(errorOf(whole)).toBeUndefined();
  });
});

interface Plan {
  readonly threshold: number;
  readonly timeLock: number;
  /** What each may do; everything when absent. */
  readonly signers: readonly (readonly [Address, number?])[];
}

function openProgram(): void {
  const config = encodeSmartAccountConfig(network.payer);
  network.setData(deriveSmartAccountConfig(), SMART_ACCOUNT_PROGRAM, config);
}

function byBytes(left: Address, right: Address): number {
  return Buffer.compare(toAddressBytes(left), toAddressBytes(right));
}

/** The number of the last smart account that was opened. */
function lastNumber(): bigint {
  return Buffer.from(network.account(deriveSmartAccountConfig())?.data ?? []).readBigUInt64LE(8);
}

/** Returns the error of creating a smart account. */
function create({ threshold = 1, timeLock = 0, signers = [[one]] }: Partial<Plan>) {
  const to = new ByteWriter().bytes(Uint8Array.of(197, 102, 253, 231, 77, 84, 50, 17));
  to.u8(0).u16(threshold).u32(signers.length);
  // Any order is given, and they are kept in that of their addresses.
  for (const [signer, permissions = 7] of [...signers].reverse()) to.address(signer).u8(permissions);
  return errorOf({
    programAddress: SMART_ACCOUNT_PROGRAM,
    accounts: [
      writable(deriveSmartAccountConfig()),
      writable(network.payer),
      writableSigner(network.payer),
      readonly(SYSTEM_PROGRAM),
      readonly(SMART_ACCOUNT_PROGRAM),
      writable(deriveSmartAccountSettings(lastNumber() + 1n)),
    ],
    data: to.u32(timeLock).u8(0).u8(0).finish(),
  });
}

/** Opens a smart account whose vault has a SOL. */
function open(plan: Partial<Plan>) {
  expect(create(plan)).toBeUndefined();
  const settings = deriveSmartAccountSettings(lastNumber());
  const vault = deriveVault(settings, 0);
  expect(errorOf(transferLamports(network.payer, vault, 1_000_000_000n))).toBeUndefined();
  return { settings, vault };
}

function execute(
  { settings, vault, signers }: { settings: Address; vault: Address; signers: readonly Address[] },
  instructions: readonly Instruction[],
) {
  return errorOf(executeFromVault({ settings, vaultIndex: 0, vault, signers }, instructions));
}

/** The number of the error, or the runtime's word for it; undefined when there is none. */
function errorOf(instruction: Instruction): number | string | undefined {
  const { error } = network.send([instruction]);
  return error?.custom ?? error?.kind;
}
