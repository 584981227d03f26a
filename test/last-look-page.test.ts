import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lastLook, ownAccounts, type Streamed } from '../examples/last-look.ts';
import { signWith } from '../src/solana/keypair.ts';
import { exampleFill } from './fill-example.ts';

const page = readFileSync(new URL('../docs/last-look.md', import.meta.url), 'utf8');
const example = exampleFill();
const fences = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

describe('the example of docs/last-look.md', () => {
  it('has the bytes that Sluice makes', () => {
    const [transaction = ''] = fences('base64');
    expect(transaction.replaceAll('\n', '')).toBe(Buffer.from(example.transaction).toString('base64'));
    expect(page).toContain(`transaction, ${example.transaction.length} bytes`);
    expect(Buffer.from(example.transaction.subarray(129))).toEqual(Buffer.from(example.messageBytes));
    const { taker, maker, makerBase, makerQuote } = example;
    for (const address of [taker, maker, makerBase, makerQuote]) expect(page).toContain(`| \`${address}\` |`);
  });

  it('dumps the data of the route with its offsets', () => {
    const [dump = '', signature = ''] = fences('hex');
    const lines = [...dump.matchAll(/^ *(\d+) {2}([0-9a-f]+) /gm)];
    let offset = 0;
    for (const [, at, hex = ''] of lines) {
      expect(Number(at)).toBe(offset);
      offset += hex.length / 2;
    }
    expect(lines.map(([, , hex]) => hex).join('')).toBe(Buffer.from(example.routeData).toString('hex'));
    expect(page).toContain(`only instruction, ${offset} bytes`);
    const signed = Buffer.from(signWith(example.makerKeys, example.messageBytes));
    expect(signature.replaceAll('\n', '')).toBe(signed.toString('hex'));
  });

  it.each([
    [
      'both levels',
      [
        { ask: 200_020_000n, volume: 1n },
        { ask: 200_040_000n, volume: 2n },
      ],
      true,
    ],
    ['the better price for all', [{ ask: 200_020_000n, volume: 2n }], true],
    ['a dearer price', [{ ask: 200_040_000n, volume: 2n }], false],
    ['less', [{ ask: 200_020_000n, volume: 1n }], false],
    ['nothing', [], false],
  ])('is judged by the example maker as the page says, when it streamed %s', async (_, asks, isSigned) => {
    const one = 10n ** 9n;
    const sol = 'So11111111111111111111111111111111111111112';
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const own = await ownAccounts(example.maker, sol, usdc, one);
    const streamed: Streamed[] = asks.map(({ ask, volume }) => ({ bid: 0n, ask, volume: volume * one }));
    const at = (second: bigint) => lastLook(example.messageBytes, own, streamed, second);
    expect(typeof at(1_800_000_000n)).toBe(isSigned ? 'object' : 'string');
    if (isSigned) expect(at(1_800_000_055n)).toEqual({ sells: 2n * one });
    expect(at(1_800_000_056n)).toContain('it may land until 1800000055');
  });
});
