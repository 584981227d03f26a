import { expect, test } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { AccountRole } from '../../solana/messages/instruction.ts';
import {
  AGGREGATOR_PROGRAM,
  EVENT_AUTHORITY,
  PROGRAM_AUTHORITIES,
} from '../../protocol/venue/aggregator-program.ts';
import {
  createTokenAccount,
  createTokenLedger,
  decodeTokenLedger,
  setTokenLedger,
} from './token-accounts.ts';

test('create_token_ledger', () => {
  const { accounts, data } = createTokenLedger(one, two);
  expect(hex(data)).toBe('e8f2c5fdf08f8134');
  expect(accounts).toEqual([
    { address: one, role: AccountRole.WRITABLE_SIGNER },
    { address: two, role: AccountRole.WRITABLE_SIGNER },
    { address: SYSTEM, role: AccountRole.READONLY },
  ]);
});

test('set_token_ledger', () => {
  const { accounts, data } = setTokenLedger(one, two);
  expect(hex(data)).toBe('e455b9704e4f4d02');
  expect(accounts).toEqual([
    { address: one, role: AccountRole.WRITABLE },
    { address: two, role: AccountRole.READONLY },
  ]);
});

test('create_token_account', () => {
  const { accounts, data } = createTokenAccount({
    tokenAccount: one,
    bump: 254,
    user: two,
    mint: three,
    tokenProgram: four,
  });
  expect(hex(data)).toBe('93f17b64f484ae76fe');
  expect(accounts).toEqual([
    { address: one, role: AccountRole.WRITABLE },
    { address: two, role: AccountRole.WRITABLE_SIGNER },
    { address: three, role: AccountRole.READONLY },
    { address: four, role: AccountRole.READONLY },
    { address: SYSTEM, role: AccountRole.READONLY },
  ]);
  expect(() =>
    createTokenAccount({ tokenAccount: one, bump: 256, user: two, mint: three, tokenProgram: four }),
  ).toThrow(/256 does not fit in a u8/);
});

test('a ledger reads back, from the middle of a larger buffer too', () => {
  const record = Buffer.alloc(50);
  Buffer.from('9cf709bc366c554d', 'hex').copy(record, 1);
  record.fill(0, 9, 41);
  record.writeBigUInt64LE(10_000_000_000n, 41);
  const account = {
    lamports: 1n,
    owner: AGGREGATOR_PROGRAM,
    data: new Uint8Array(record.buffer, record.byteOffset + 1, 48),
    executable: false,
    rentEpoch: 0n,
  };
  expect(decodeTokenLedger(account)).toEqual({ tokenAccount: SYSTEM, amount: 10_000_000_000n });
  expect(decodeTokenLedger({ ...account, owner: EVENT_AUTHORITY })).toBeNull();
  expect(decodeTokenLedger({ ...account, data: account.data.slice(0, 47) })).toBeNull();
  expect(decodeTokenLedger({ ...account, data: new Uint8Array(48) })).toBeNull();
});

const SYSTEM = '11111111111111111111111111111111' as Address;
const [one, two, three, four] = PROGRAM_AUTHORITIES as [Address, Address, Address, Address];
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
