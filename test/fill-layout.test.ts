import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as engine from '../src/protocols/order-engine/fill-instruction.ts';
import { createKeypairFromSeed } from '../src/solana/keypair.ts';
import { AccountRole, type AccountMeta } from '../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';
import { readRows, readSection } from '../src/testing/page-tables.ts';

describe('the bytes of fill in docs/makers.md', () => {
  it('are in the table where the encoder writes them', () => {
    const rows = readRows(section, 'offset').map(([offset, bytes, what = '']) => {
      const changed = CHANGES.find(([name]) => what.includes(name));
      return { offset: Number(offset), bytes: Number(bytes), what, change: changed?.[1] ?? null };
    });
    expect(rows.filter(({ change }) => change !== null)).toHaveLength(CHANGES.length);
    let end = 0;
    for (const { offset, bytes, what, change } of rows) {
      expect(offset, what).toBe(end);
      end += bytes;
      const places = Array.from({ length: bytes }, (_, index) => offset + index);
      if (change === null) expect(what).toContain(toHex(ALL_ZERO.subarray(offset, end)));
      else expect(findDifferences(ALL_ZERO, change), what).toEqual(places);
    }
    expect(end).toBe(ALL_ZERO.length);
    expect(section).toContain(`Its data has ${end} bytes`);
  });

  it('are in the example what the page says, for the encoder and the decoder', () => {
    const [, hex = ''] = /```hex\n(.*)\n```/.exec(section) ?? [];
    const trade = { inputAmount: 1_000_000_000n, outputAmount: 199_500_000n, expireAt: 1_800_000_055n };
    const fee = { bps: 5, quoteType: 'exactIn' } as const;
    expect(hex.replaceAll(' ', '')).toBe(toHex(encode(trade, fee)));
    expect(engine.decodeFill(encode(trade, fee))).toEqual({ trade, fee });
    expect(new Date(Number(trade.expireAt) * 1000).toUTCString()).toBe('Fri, 15 Jan 2027 08:00:55 GMT');
  });

  it('come with the accounts of the second table', () => {
    const rows = readRows(section, 'account');
    const accounts = listAccounts({ taker: takerInput }, { taker: null });
    expect(rows.map(([number]) => Number(number))).toEqual([...accounts.keys()]);
    expect(accounts.map(({ address }) => address)).toEqual([
      ...[taker, maker, takerInput, makerInput, engine.ORDER_ENGINE_PROGRAM, makerOutput],
      ...[inputMint, inputProgram, outputMint, outputProgram, SYSTEM_PROGRAM],
      engine.deriveTemporaryAddress(maker),
    ]);
    // Account 4 is left out, because the taker is paid in SOL itself.
    for (const [index, account] of accounts.entries())
      expect(rows[index]?.[2]).toContain(index === 4 ? 'left out' : RIGHTS[account.role]);
    expect(accounts[4]?.role).toBe(AccountRole.READONLY);
    expect(listAccounts({ taker: null }, { taker: takerOutput })).toHaveLength(11);
    expect(section).toContain(engine.ORDER_ENGINE_PROGRAM);
  });
});

const page = readFileSync(new URL('../docs/makers.md', import.meta.url), 'utf8');
const section = readSection(page, 'The bytes of `fill`');

type Trade = Parameters<typeof engine.createFillInstruction>[0];
type Fee = NonNullable<Parameters<typeof engine.createFillInstruction>[2]>;
const NO_TRADE: Trade = { inputAmount: 0n, outputAmount: 0n, expireAt: 0n };
const NO_FEE: Fee = { bps: 0, quoteType: 'exactIn' };
const U64 = 2n ** 64n - 1n;

/** Words of the table, and the value with which all bytes of that field differ from zero, or the only bit of it. */
const CHANGES: readonly [string, [Partial<Trade>, Partial<Fee>]][] = [
  ['input amount', [{ inputAmount: U64 }, {}]],
  ['output amount', [{ outputAmount: U64 }, {}]],
  ['`expireAt`, signed', [{ expireAt: -1n }, {}]],
  ['fee in basis points', [{}, { bps: 65_535 }]],
  ['1 for exact output', [{}, { quoteType: 'exactOut' }]],
];

const createAddress = (byte: number) => createKeypairFromSeed(new Uint8Array(32).fill(byte)).address;
const [taker, maker] = [createAddress(1), createAddress(2)];
const [takerInput, makerInput, takerOutput, makerOutput] = [3, 4, 5, 6].map(createAddress) as Four;
const [inputMint, inputProgram, outputMint, outputProgram] = [7, 8, 9, 10].map(createAddress) as Four;
type Four = [typeof taker, typeof taker, typeof taker, typeof taker];

function create(trade: Trade, fee: Fee, input: Paid, output: Paid) {
  const accounts = {
    taker,
    maker,
    input: { mint: inputMint, tokenProgram: inputProgram, maker: makerInput, ...input },
    output: { mint: outputMint, tokenProgram: outputProgram, maker: makerOutput, ...output },
  };
  return engine.createFillInstruction(trade, accounts, fee);
}
type Paid = Pick<engine.FillSide, 'taker'>;

const listAccounts = (input: Paid, output: Paid): readonly AccountMeta[] =>
  create(NO_TRADE, NO_FEE, input, output).accounts;
const encode = (trade: Trade, fee: Fee) =>
  create(trade, fee, { taker: takerInput }, { taker: takerOutput }).data;
const ALL_ZERO = encode(NO_TRADE, NO_FEE);
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function findDifferences(bytes: Uint8Array, [trade, fee]: [Partial<Trade>, Partial<Fee>]): number[] {
  const other = encode({ ...NO_TRADE, ...trade }, { ...NO_FEE, ...fee });
  return [...bytes.keys()].filter((at) => bytes[at] !== other[at]);
}

const RIGHTS = {
  [AccountRole.READONLY]: 'readonly',
  [AccountRole.WRITABLE]: 'writable',
  [AccountRole.READONLY_SIGNER]: 'readonly, signer',
  [AccountRole.WRITABLE_SIGNER]: 'writable, signer',
};
