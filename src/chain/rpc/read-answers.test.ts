import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { createTestKey } from '../../testing/chain/bank.ts';
import { readAddressList } from './accounts/address-list.ts';
import {
  readMultipleAccounts,
  readMultipleAccountsInTurns,
  readProgramAccountsInTurns,
} from './accounts/read-accounts.ts';
import { createUnaccountedWork } from '../../common/work/work.ts';
import { readSupply } from './lamport-supply.ts';
import { readSimulation, readStatuses, readTransaction } from './submission/read-transaction.ts';

const A = createTestKey(1).address;

/** The field names of real answers, so that random values pass the first checks. */
const NAMES = [
  ...[
    'context',
    'slot',
    'value',
    'lamports',
    'data',
    'owner',
    'executable',
    'rentEpoch',
    'pubkey',
    'account',
  ],
  ...['err', 'logs', 'meta', 'transaction', 'fee', 'preBalances', 'innerInstructions', 'confirmationStatus'],
];
const { tree: anyAnswer } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 0, 1, -1, 1.5, 2 ** 60, '', '7', A, true, 'base64', 'finalized', 'AQID'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('tree'), { maxKeys: 8 }),
  ),
}));

it.each<[string, (result: unknown) => unknown]>([
  ['getMultipleAccounts', (result) => readMultipleAccounts(result, [A])],
  [
    'getMultipleAccounts in turns',
    (result) => readMultipleAccountsInTurns(result, [A], createUnaccountedWork()),
  ],
  ['getProgramAccounts', (result) => readProgramAccountsInTurns(result, A, createUnaccountedWork())],
  ['simulateTransaction', readSimulation],
  ['getSignatureStatuses', (result) => readStatuses(result, 1)],
  ['getSupply', readSupply],
  ['getTransaction', (result) => readTransaction(result, 'x')],
])('any answer to %s is read or throws OperatorError', async (_, read) => {
  await assertProperty(
    fc.asyncProperty(anyAnswer, async (answer) => {
      try {
        await read(answer);
      } catch (error) {
        expect(error).toBeInstanceOf(OperatorError);
      }
    }),
    { cases: 2_000, seed: 12 },
  );
});

it('addressList reads addresses from the setting and from files, and reports what is wrong with a line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-addresses-'));
  try {
    const path = join(folder, 'pools.txt');
    writeFileSync(path, `# pools\n${A}\n\n  ${B}\r\n${A}\n`);
    expect(readAddressList([B, path], 'rpc-pool')).toEqual([B, A]);
    writeFileSync(path, `${A}\nabc\n`);
    expect(() => readAddressList([path], 'rpc-pool')).toThrow(
      `rpc-pool: line 2 of ${path} is "abc", but must be a base58 address of 32 bytes`,
    );
    expect(() => readAddressList([join(folder, 'none')], 'rpc-pool')).toThrow(/is no address, and no file/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const B = createTestKey(2).address;
