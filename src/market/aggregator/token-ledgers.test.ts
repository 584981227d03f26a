import { describe, expect, it } from 'vitest';
import type { AccountFilter, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { getCurrentWorker, runAs } from '../../common/party.ts';
import { address } from '../../solana/address.ts';
import { createEmbeddedTokenLedgers, TokenLedgers } from './token-ledgers.ts';

describe('TokenLedgers', () => {
  it('searches once, and gives a taker the same ledger again', async () => {
    const { chain, asked } = chainWith([LEDGERS]);
    const ledgers = new TokenLedgers(chain, () => 0);
    const [one, other] = await Promise.all([ledgers.pick(TAKER), ledgers.pick(TAKER)]);
    expect(LEDGERS.map((each) => each.address)).toContain(one);
    expect(other).toBe(one);
    expect(asked.count).toBe(1);
  });

  it('searches for all callers, and not with the calls of the one that asks first', async () => {
    const workers: unknown[] = [];
    const getProgramAccounts: Chain['getProgramAccounts'] = async () => {
      workers.push(getCurrentWorker());
      return LEDGERS;
    };
    const ledgers = new TokenLedgers({ getProgramAccounts }, () => 0);
    await runAs({ kind: 'client', id: 'stranger' }, () => ledgers.pick(TAKER));
    expect(workers).toEqual(['own']);
  });

  it('takes no account that is not a ledger', async () => {
    const account = { ...LEDGERS[0]?.account, data: new Uint8Array(48) } as AccountUpdate['account'];
    const { chain } = chainWith([[{ address: TAKER, account, slot: 1n }]]);
    expect(await new TokenLedgers(chain, () => 0).pick(TAKER)).toBeNull();
  });

  it('takes a ledger whose account is longer than its fields', async () => {
    const account = LEDGERS[0]?.account;
    if (account === undefined) throw new Error('the embedded network has ledgers');
    const longer = { ...account, data: Uint8Array.from({ length: 64 }, (_, at) => account.data[at] ?? 0) };
    const { chain, asked } = chainWith([[{ address: TAKER, account: longer, slot: 1n }]]);
    expect(await new TokenLedgers(chain, () => 0).pick(TAKER)).toBe(TAKER);
    expect(asked.filter).toEqual({ memcmp: { offset: 0, bytes: Buffer.from(account.data.subarray(0, 8)) } });
  });

  it('searches a network without ledgers again after half a minute', async () => {
    let now = 0;
    const { chain, asked } = chainWith([[], LEDGERS]);
    const ledgers = new TokenLedgers(chain, () => now);
    expect(await ledgers.pick(TAKER)).toBeNull();
    expect(await ledgers.pick(TAKER)).toBeNull();
    expect(asked.count).toBe(1);
    now = 30_000;
    await ledgers.pick(TAKER);
    expect(await ledgers.pick(TAKER)).not.toBeNull();
  });

  it('finds none over an RPC that refuses the search, and asks again after one that did not answer', async () => {
    const refusing = chainWith([new OperatorError('refused')]);
    expect(await new TokenLedgers(refusing.chain, () => 0).pick(TAKER)).toBeNull();
    const failing = chainWith([new Error('no answer'), LEDGERS]);
    const ledgers = new TokenLedgers(failing.chain, () => 0);
    await expect(ledgers.pick(TAKER)).rejects.toThrow('no answer');
    expect(await ledgers.pick(TAKER)).not.toBeNull();
  });
});

const TAKER = address('A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL');
const LEDGERS = createEmbeddedTokenLedgers().map((ledger) => ({ ...ledger, slot: 1n }));

function chainWith(answers: readonly (readonly AccountUpdate[] | Error)[]) {
  const asked: { count: number; filter?: AccountFilter | undefined } = { count: 0 };
  const getProgramAccounts: Chain['getProgramAccounts'] = async (_program, _commitment, filter) => {
    asked.filter = filter;
    const answer = answers[Math.min(asked.count++, answers.length - 1)];
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  return { chain: { getProgramAccounts }, asked };
}
