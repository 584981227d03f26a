import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { TurnedWork, createUnaccountedWork } from '../../../common/work/work.ts';
import { parseAccountJson } from '../../exact-json.ts';
import { parseAccountsInTurns } from './long-lists.ts';

describe('parseAccountsInTurns', () => {
  it('reads what parseAccountJson reads, and refuses what it refuses', async () => {
    const texts = fc.oneof(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }).map((list) => formatListAnswer(list)),
      fc.jsonValue({ maxDepth: 2 }).map((value) => formatListAnswer(value)),
      fc
        .jsonValue({ maxDepth: 2 })
        .map((value) => JSON.stringify({ error: { data: 'value', value: [value] }, FILLING })),
      fc.nat(60).map((cut) => formatListAnswer([{ lamports: 1 }, '"\\]', []]).slice(0, -cut)),
      fc
        .constantFrom('[,]', '[1,]', '[{]}', '[1 2]')
        .map((list) => formatListAnswer('LIST').replace('"LIST"', list)),
    );
    const outcome = async (parse: () => unknown) => {
      try {
        return { value: await parse() };
      } catch (error) {
        return { error: (error as Error).name };
      }
    };
    await assertProperty(
      fc.asyncProperty(texts, async (text) => {
        expect(await outcome(() => parseAccountsInTurns(text, createUnaccountedWork()))).toEqual(
          await outcome(() => parseAccountJson(text)),
        );
      }),
      { cases: 300, seed: 8 },
    );
  });

  it('takes a turn for each 256 kB that it looks at, and for each 64 accounts that it parses', async () => {
    let turns = 0;
    const work = new TurnedWork(async () => {
      turns++;
    });
    const account = { lamports: 18_446_744_073_709_551_615n, data: ['A'.repeat(220), 'base64'] };
    const list = `[${Array.from({ length: 6_400 }, () => JSON.stringify({ ...account, lamports: 'L' }))}]`;
    const text = formatListAnswer('LIST').replace('"LIST"', list.replaceAll('"L"', String(account.lamports)));
    const answer = (await parseAccountsInTurns(text, work)) as { result: { value: { lamports: string }[] } };
    expect(answer.result.value).toHaveLength(6_400);
    expect(answer.result.value[99]?.lamports).toBe('18446744073709551615');
    expect(turns).toBeGreaterThanOrEqual(100 + Math.floor(text.length / 2 ** 18));
  });
});

/** Longer than what is parsed at once. */
const FILLING = 'x'.repeat(270_000);

function formatListAnswer(value: unknown, more: object = {}): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    result: { context: { slot: 7, filling: FILLING }, value },
    id: 1,
    ...more,
  });
}
