import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lastLook, ownAccounts, type Streamed } from '../examples/last-look.ts';
import { signWith } from '../src/solana/keypair.ts';
import { exampleFill } from './fill-example.ts';

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

  const ONE = 10n ** 9n;
  const NOW = 1_800_000_000n;
  const ask = (price: bigint, tokens: bigint): Streamed => ({ bid: 0n, ask: price, volume: tokens * ONE });
  const dear = ask(200_040_000n, 2n);
  const cases: readonly [string, readonly Streamed[], bigint, boolean][] = [
    ['both levels', [ask(200_020_000n, 1n), dear], NOW, true],
    ['the better price for all', [ask(200_020_000n, 2n)], NOW, true],
    ['both levels, in the last second', [ask(200_020_000n, 1n), dear], NOW + 55n, true],
    ['both levels, a second too late', [ask(200_020_000n, 1n), dear], NOW + 56n, false],
    ['a dearer price', [dear], NOW, false],
    ['less', [ask(200_020_000n, 1n)], NOW, false],
    ['nothing', [], NOW, false],
  ];

  it.each(cases)(
    'is judged in TypeScript as the page says, streamed: %s',
    async (_, streamed, now, isSigned) => {
      const sol = 'So11111111111111111111111111111111111111112';
      const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
      const own = await ownAccounts(example.maker, sol, usdc, ONE);
      const fill = lastLook(example.messageBytes, own, streamed, now);
      if (isSigned) expect(fill).toEqual({ sells: 2n * ONE });
      else expect(typeof fill).toBe('string');
    },
  );

  it.skipIf(python.error !== undefined || python.status !== 0)(
    'has the token accounts that Python computes (skipped without python3)',
    () => {
      const mints = [
        'So11111111111111111111111111111111111111112',
        'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      ];
      const lines = [
        'import sys; from token_accounts import associated_token_account as account',
        'for mint in sys.argv[2:]: print(account(sys.argv[1], mint))',
      ];
      const cwd = fileURLToPath(new URL('../examples/python', import.meta.url));
      const args = ['-B', '-c', lines.join('\n'), example.maker, ...mints];
      const { stdout, stderr } = spawnSync('python3', args, { cwd, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(stdout.trim().split('\n')).toEqual([example.makerBase, example.makerQuote]);
    },
  );

  it.skipIf(python.error !== undefined || python.status !== 0)(
    'is judged in Python as the page says (skipped without python3)',
    () => {
      const own = {
        maker: example.maker,
        base: example.makerBase,
        quote: example.makerQuote,
        one: Number(ONE),
      };
      const transaction = Buffer.from(example.transaction).toString('base64');
      const lines = cases.map(([, streamed, now]) =>
        JSON.stringify({ transaction, own, streamed, now }, (_, value) =>
          typeof value === 'bigint' ? Number(value) : value,
        ),
      );
      const script = fileURLToPath(new URL('../examples/python/last_look.py', import.meta.url));
      const run = spawnSync('python3', [script], { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
      expect(run.stderr).toBe('');
      const results = run.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).sells ?? null);
      expect(results).toEqual(cases.map(([, , , isSigned]) => (isSigned ? Number(2n * ONE) : null)));
    },
  );
});

const page = readFileSync(new URL('../docs/last-look.md', import.meta.url), 'utf8');
const example = exampleFill();
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']);
const fences = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
