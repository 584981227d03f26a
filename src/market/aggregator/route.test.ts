import { createHash } from 'node:crypto';
import { getAddressDecoder } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { type AccountMeta, type Instruction, AccountRole } from '../../solana/messages/instruction.ts';
import {
  AGGREGATOR_PROGRAM,
  EVENT_AUTHORITY,
  PROGRAM_AUTHORITIES,
} from '../../protocol/venue/aggregator-program.ts';
import * as v1 from './route-v1.ts';
import * as v2 from './route-v2.ts';
import { Swap } from '../../protocol/venue/aggregator-step.ts';

describe('v2 forms', () => {
  test('route_v2 lays its arguments out as the table of offsets says', () => {
    const { data, programAddress } = v2.routeV2(
      { ...exactIn, platformFee: { bps: 100, account: named('fee') } },
      accountsV2,
    );
    expect(programAddress).toBe(AGGREGATOR_PROGRAM);
    expect(hex(data)).toBe(
      `bb64facc31c4af1440420f000000000008070605040302013200640000 00${PLAN_V2}`.replace(' ', ''),
    );
  });

  test('route_v2 lists its ten accounts, then those of the steps', () => {
    const instruction = v2.routeV2(exactIn, accountsV2);
    expect(addresses(instruction)).toEqual([
      named('user'),
      named('source'),
      named('destination'),
      named('source mint'),
      named('destination mint'),
      named('source token program'),
      named('destination token program'),
      AGGREGATOR_PROGRAM,
      EVENT_AUTHORITY,
      AGGREGATOR_PROGRAM,
      named('venue'),
      named('pool'),
      named('maker'),
    ]);
    expect(flags(instruction)).toEqual(['S', 'W', 'W', '', '', '', '', '', '', '', '', 'W', 'S']);
  });

  test('a destination account of its own is writable and stands in eighth place', () => {
    const instruction = v2.routeV2(exactIn, { ...accountsV2, destinationTokenAccount: named('third') });
    expect(instruction.accounts[7]).toEqual({ address: named('third'), role: AccountRole.WRITABLE });
  });

  test('the fee account, then the positive-slippage account, stand before the steps', () => {
    const instruction = v2.routeV2(
      {
        ...exactIn,
        platformFee: { bps: 1, account: named('fee') },
        positiveSlippage: { bps: 2, account: named('surplus') },
      },
      accountsV2,
    );
    expect(instruction.accounts.slice(10, 13)).toEqual([
      { address: named('fee'), role: AccountRole.WRITABLE },
      { address: named('surplus'), role: AccountRole.WRITABLE },
      { address: named('venue'), role: AccountRole.READONLY },
    ]);
    expect(hex(instruction.data.subarray(26, 30))).toBe('01000200');
  });

  test('shares of 0 bps list no account', () => {
    const none = { bps: 0, account: named('fee') };
    const instruction = v2.routeV2({ ...exactIn, platformFee: none, positiveSlippage: none }, accountsV2);
    expect(instruction.accounts[10]?.address).toBe(named('venue'));
  });

  test('shared_accounts_route_v2 puts the id before the amounts and lists twelve accounts', () => {
    const instruction = v2.sharedAccountsRouteV2(exactIn, sharedV2);
    expect(hex(instruction.data)).toBe(
      `d19853937cfed8e90340420f0000000000080706050403020132000000${'0000'}${PLAN_V2}`,
    );
    expect(addresses(instruction).slice(0, 13)).toEqual([
      PROGRAM_AUTHORITIES[3],
      named('user'),
      named('source'),
      named('program source'),
      named('program destination'),
      named('destination'),
      named('source mint'),
      named('destination mint'),
      named('source token program'),
      named('destination token program'),
      EVENT_AUTHORITY,
      AGGREGATOR_PROGRAM,
      named('venue'),
    ]);
    expect(flags(instruction).slice(0, 12)).toEqual(['', 'S', 'W', 'W', 'W', 'W', '', '', '', '', '', '']);
  });

  test('the exact-out forms put the wanted output first', () => {
    const terms = { outAmount: 7n, quotedInAmount: 9n, slippageBps: 1, steps };
    const numbers = `${'0700000000000000'}${'0900000000000000'}010000000000${PLAN_V2}`;
    expect(hex(v2.exactOutRouteV2(terms, accountsV2).data)).toBe(`9d8ab85215f4f324${numbers}`);
    expect(hex(v2.sharedAccountsExactOutRouteV2(terms, sharedV2).data)).toBe(`3560e5cad8bbfa1803${numbers}`);
  });
});

describe('v1 forms', () => {
  test('route writes the plan first and lists nine accounts', () => {
    const instruction = v1.route({ ...terms, platformFeeBps: 7, platformFeeAccount: named('fee') }, accounts);
    expect(hex(instruction.data)).toBe(`e517cb977ae3ad2a${PLAN_V1}40420f00000000000807060504030201320007`);
    expect(addresses(instruction).slice(0, 10)).toEqual([
      named('token program'),
      named('user'),
      named('source'),
      named('destination'),
      AGGREGATOR_PROGRAM,
      named('destination mint'),
      named('fee'),
      EVENT_AUTHORITY,
      AGGREGATOR_PROGRAM,
      named('venue'),
    ]);
    expect(flags(instruction).slice(0, 9)).toEqual([...head, '', '', 'W', '', '']);
  });

  test('route_with_token_ledger has no input amount and the ledger before the event accounts', () => {
    const instruction = v1.routeWithTokenLedger(terms, accounts, named('ledger'));
    expect(hex(instruction.data)).toBe(`96564774a75d0e68${PLAN_V1}0807060504030201320000`);
    expect(addresses(instruction).slice(6, 10)).toEqual([
      AGGREGATOR_PROGRAM,
      named('ledger'),
      EVENT_AUTHORITY,
      AGGREGATOR_PROGRAM,
    ]);
    expect(flags(instruction).slice(0, 10)).toEqual([...head, '', '', '', '', '', '']);
  });

  test('shared_accounts_route lists thirteen accounts, the ledger form fourteen', () => {
    const plain = v1.sharedAccountsRoute(terms, { ...shared, token2022Program: named('token 2022') });
    expect(hex(plain.data)).toBe(`c1209b3341d69c8103${PLAN_V1}40420f00000000000807060504030201320000`);
    const expected = [
      named('token program'),
      PROGRAM_AUTHORITIES[3],
      named('user'),
      named('source'),
      named('program source'),
      named('program destination'),
      named('destination'),
      named('source mint'),
      named('destination mint'),
      AGGREGATOR_PROGRAM,
      named('token 2022'),
    ];
    const end = [EVENT_AUTHORITY, AGGREGATOR_PROGRAM, named('venue')];
    expect(addresses(plain).slice(0, 14)).toEqual([...expected, ...end]);
    expect(flags(plain).slice(0, 13)).toEqual(['', '', 'S', 'W', 'W', 'W', 'W', '', '', '', '', '', '']);

    const ledger = v1.sharedAccountsRouteWithTokenLedger(
      { ...terms, platformFeeAccount: named('fee') },
      shared,
      named('ledger'),
    );
    expect(hex(ledger.data)).toBe(`e6798f50779f6aaa03${PLAN_V1}0807060504030201320000`);
    expect(addresses(ledger).slice(9, 15)).toEqual([
      named('fee'),
      AGGREGATOR_PROGRAM,
      named('ledger'),
      ...end,
    ]);
  });

  test('the exact-out forms name both mints', () => {
    const exactOut = { ...terms, outAmount: 7n, quotedInAmount: 9n };
    const numbers = `${PLAN_V1}07000000000000000900000000000000320000`;
    const plain = v1.exactOutRoute(exactOut, { ...accounts, sourceMint: named('source mint') });
    expect(hex(plain.data)).toBe(`d033ef977b2bed5c${numbers}`);
    expect(addresses(plain).slice(4, 12)).toEqual([
      AGGREGATOR_PROGRAM,
      named('source mint'),
      named('destination mint'),
      AGGREGATOR_PROGRAM,
      AGGREGATOR_PROGRAM,
      EVENT_AUTHORITY,
      AGGREGATOR_PROGRAM,
      named('venue'),
    ]);
    expect(hex(v1.sharedAccountsExactOutRoute(exactOut, shared).data)).toBe(`b0d169a89a7d453e03${numbers}`);
  });

  const accounts: v1.RouteAccountsV1 = { ...accountsV2, tokenProgram: named('token program') };
  const shared: v1.SharedRouteAccountsV1 = { ...sharedV2, tokenProgram: named('token program') };
  const terms = { ...exactIn, steps: stepsV1, platformFeeBps: 0 };
  const head = ['', 'S', 'W', 'W'];
});

describe('numbers that do not fit', () => {
  const bad: [string, Partial<v2.ExactInTerms>, RegExp][] = [
    ['a negative amount', { inAmount: -1n }, /-1 does not fit in a u64/],
    ['an amount beyond u64', { quotedOutAmount: 1n << 64n }, /18446744073709551616 does not fit in a u64/],
    ['a fractional slippage', { slippageBps: 0.5 }, /0.5 does not fit in a u16/],
    [
      'a fee beyond u16',
      { platformFee: { bps: 65_536, account: named('fee') } },
      /65536 does not fit in a u16/,
    ],
  ];
  test.each(bad)('%s', (_, change, message) => {
    expect(() => v2.routeV2({ ...exactIn, ...change }, accountsV2)).toThrow(message);
  });

  test('an index beyond u8', () => {
    const wrong = steps.map((each) => ({ ...each, outputIndex: 256 }));
    expect(() => v2.routeV2({ ...exactIn, steps: wrong }, accountsV2)).toThrow(/256 does not fit in a u8/);
  });
});

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A deterministic address that says in failures what it stands for. */
function named(name: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}

const VENUE: AccountMeta[] = [
  { address: named('venue'), role: AccountRole.READONLY },
  { address: named('pool'), role: AccountRole.WRITABLE },
];
const MAKER: AccountMeta[] = [{ address: named('maker'), role: AccountRole.READONLY_SIGNER }];

const accountsV2: v2.RouteAccounts = {
  userTransferAuthority: named('user'),
  userSourceTokenAccount: named('source'),
  userDestinationTokenAccount: named('destination'),
  sourceMint: named('source mint'),
  destinationMint: named('destination mint'),
  sourceTokenProgram: named('source token program'),
  destinationTokenProgram: named('destination token program'),
};
const sharedV2: v2.SharedRouteAccounts = {
  ...accountsV2,
  authorityId: 3,
  sourceTokenAccount: named('source'),
  programSourceTokenAccount: named('program source'),
  programDestinationTokenAccount: named('program destination'),
  destinationTokenAccount: named('destination'),
};
const steps = [
  { step: { swap: Swap.raydiumCp, accounts: VENUE }, bps: 3333, inputIndex: 0, outputIndex: 1 },
  { step: { swap: Swap.whirlpool(true), accounts: MAKER }, bps: 10_000, inputIndex: 1, outputIndex: 2 },
];
const PLAN_V2 = '02000000' + '2e' + '050d' + '0001' + '1101' + '1027' + '0102';
const stepsV1 = steps.map(({ bps, ...rest }) => ({ ...rest, percent: Math.floor(bps / 100) }));
const PLAN_V1 = '02000000' + '2e' + '21' + '0001' + '1101' + '64' + '0102';

/** `W` writable, `S` signer, as in the tables of the interface description. */
function flags(instruction: Instruction): string[] {
  return instruction.accounts.map(({ role }) => `${role & 1 ? 'W' : ''}${role & 2 ? 'S' : ''}`);
}

function addresses(instruction: Instruction): Address[] {
  return instruction.accounts.map((each) => each.address);
}

const exactIn = { inAmount: 1_000_000n, quotedOutAmount: 0x0102_0304_0506_0708n, slippageBps: 50, steps };
