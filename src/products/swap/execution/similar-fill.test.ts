import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../../solana/address.ts';
import { compileMessage, type MessageSource } from '../../../solana/messages/compile-message.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../solana/messages/instruction.ts';
import { type Message, parseMessage } from '../../../solana/messages/message.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { ORDER_ENGINE_PROGRAM } from '../../../protocols/order-engine/fill-instruction.ts';
import { LIGHTHOUSE_PROGRAM } from '../../../protocols/lighthouse/program.ts';
import { findDifference } from './similar-fill.ts';

describe('differenceOf finds no difference', () => {
  it.each<readonly [string, Message]>([
    ['unchanged', order],
    ['with another blockhash', messageOf({ blockhash: new Uint8Array(32).fill(8) })],
    [
      'with another compute budget',
      messageOf({ instructions: [setComputeUnitLimit(300_000), setComputeUnitPrice(2_000n), fill] }),
    ],
    ...[5, 6, 9, 10].map(
      (tag) =>
        [`with assertion ${tag}`, messageOf({ instructions: [...BUDGET, fill, assertion(tag)] })] as const,
    ),
  ])('%s', (_, signed) => {
    expect(findDifference(signed, order)).toBeNull();
  });
});

describe('differenceOf finds a difference', () => {
  const transfer: Instruction = { ...fill, programAddress: STRANGER };
  it.each([
    ['with another fee payer', messageOf({ feePayer: TAKER }), 'signer 0'],
    ['with one more signer', withAccount(4, readonlySigner(MINT)), 'signers'],
    ['with an account that may be written now', withAccount(4, writable(MINT)), 'rights'],
    ['with an account that may not be written any more', withAccount(3, readonly(RECEIVING)), 'rights'],
    ['with another receiver', withAccount(3, writable(STRANGER)), 'other accounts'],
    ['with two accounts exchanged', withFill({ accounts: fill.accounts.toReversed() }), 'other accounts'],
    ['with one account less', withFill({ accounts: fill.accounts.slice(0, 4) }), 'other accounts'],
    ['with other data', withFill({ data: Uint8Array.of(1, 2, 3, 5) }), 'other data'],
    ['with longer data', withFill({ data: Uint8Array.of(1, 2, 3, 4, 0) }), 'other data'],
    ['without its limit', messageOf({ instructions: [setComputeUnitPrice(1_000n), fill] }), 'fewer'],
    ['of another program', withFill({ programAddress: STRANGER }), `is of ${STRANGER}`],
    ['without its fill', messageOf({ instructions: BUDGET }), 'signers'],
    ['with an instruction before', messageOf({ instructions: [transfer, ...BUDGET, fill] }), 'instruction 0'],
    ['with one in the middle', messageOf({ instructions: [...BUDGET, transfer, fill] }), 'instruction 2'],
    ['with one at the end', messageOf({ instructions: [...BUDGET, fill, transfer] }), 'not in the order'],
    ['with a second fill', messageOf({ instructions: [...BUDGET, fill, fill] }), 'not in the order'],
    [
      'with a second price at the end',
      messageOf({ instructions: [...BUDGET, fill, setComputeUnitPrice(1n)] }),
      'not in the order',
    ],
    [
      'with the price twice in place of the limit',
      messageOf({ instructions: [setComputeUnitPrice(1n), setComputeUnitPrice(1n), fill] }),
      'something else',
    ],
    [
      'with an assertion before the fill',
      messageOf({ instructions: [...BUDGET, assertion(5), fill] }),
      'instruction 2',
    ],
    [
      'with an instruction of the assertions that writes',
      messageOf({ instructions: [...BUDGET, fill, assertion(0)] }),
      'none of the assertions',
    ],
    [
      'with an assertion that makes an account of the fill writable',
      messageOf({
        instructions: [...BUDGET, fill, { ...assertion(5), accounts: [writable(MINT)] }],
      }),
      'rights',
    ],
    [
      'with an assertion that another wallet signs',
      messageOf({
        instructions: [...BUDGET, fill, { ...assertion(5), accounts: [readonlySigner(STRANGER)] }],
      }),
      'signers',
    ],
    [
      'with a fee that no wallet asks for',
      messageOf({ instructions: [setComputeUnitLimit(1_400_000), setComputeUnitPrice(10_000_000n), fill] }),
      'which the maker pays',
    ],
  ])('%s', (_, signed, problem) => {
    expect(findDifference(signed, order)).toContain(problem);
  });

  it('with an account that is looked up in a table', () => {
    const lookups = [{ table: STRANGER, writable: Uint8Array.of(0), readonly: new Uint8Array(0) }];
    const signed = { ...order, lookups } as unknown as typeof order;
    expect(findDifference(signed, order)).toContain('lookup tables');
  });
});

const named = (tag: number): Address => toAddress(new Uint8Array(32).fill(tag));
const [MAKER, TAKER, PAYING, RECEIVING, MINT, STRANGER] = [1, 2, 3, 4, 5, 6].map(named) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const fill: Instruction = {
  programAddress: ORDER_ENGINE_PROGRAM,
  accounts: [
    writableSigner(TAKER),
    writableSigner(MAKER),
    writable(PAYING),
    writable(RECEIVING),
    readonly(MINT),
  ],
  data: Uint8Array.of(1, 2, 3, 4),
};
const BUDGET = [setComputeUnitLimit(200_000), setComputeUnitPrice(1_000n)];
const built: MessageSource = {
  feePayer: MAKER,
  blockhash: new Uint8Array(32).fill(9),
  instructions: [...BUDGET, fill],
};
const assertion = (tag: number, account = PAYING): Instruction => ({
  programAddress: LIGHTHOUSE_PROGRAM,
  accounts: [readonly(account)],
  data: Uint8Array.of(tag, 0),
});

const messageOf = (changes: Partial<MessageSource>) => parseMessage(compileMessage({ ...built, ...changes }));
const withFill = (changes: Partial<Instruction>) =>
  messageOf({ instructions: [...BUDGET, { ...fill, ...changes }] });
const withAccount = (place: number, account: Instruction['accounts'][number]) =>
  withFill({ accounts: fill.accounts.map((each, index) => (index === place ? account : each)) });
const order = messageOf({});
