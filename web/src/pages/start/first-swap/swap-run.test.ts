import { describe, expect, it } from 'vitest';
import { ApiError, UnreadableError } from '../../../api/call.ts';
import type { ApiRequest } from '../../../openapi/request/api-request.ts';
import type { WalletBalances } from '../../../wallet/balances.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import { type SwapRunServices, findStepToRepeat, SwapRun } from './swap-run.ts';

describe('SwapRun', () => {
  it('asks the faucet, orders, decodes, signs and executes, in this order', async () => {
    const { run, sent } = await runWith({});
    expect(sent).toEqual([
      '/portal/data/faucet',
      '/swap/v2/order',
      '/portal/data/decode',
      '/swap/v2/execute',
    ]);
    const { steps, found, isRunning } = run.getState();
    expect(steps.map(({ progress }) => progress)).toEqual(new Array(7).fill('done'));
    expect([found.signed, found.execution?.signature, isRunning]).toEqual(['signed order', 'landed', false]);
  });

  it('does not ask the faucet if the wallet has enough', async () => {
    const { run, sent } = await runWith({ lamports: 10n ** 9n });
    expect(sent).not.toContain('/portal/data/faucet');
    expect(run.getState().steps[1]?.progress).toBe('skipped');
  });

  it('stops at a step that fails, shows what was answered, and goes on from there', async () => {
    const refusal = new ApiError(400, { error: 'Not enough' });
    const { run, sent, answers } = await runWith({ answers: { '/swap/v2/order': refusal } });
    const [, , order, decode] = run.getState().steps;
    expect([order?.progress, order?.error, order?.exchange?.answer]).toEqual([
      'failed',
      refusal,
      refusal.body,
    ]);
    expect(decode?.progress).toBe('waiting');
    answers['/swap/v2/order'] = ORDER;
    sent.length = 0;
    await run.repeatFrom('order');
    expect(sent).toEqual(['/swap/v2/order', '/portal/data/decode', '/swap/v2/execute']);
    expect(run.getState().found.execution?.status).toBe('Success');
  });

  it('swaps also where the transaction cannot be decoded', async () => {
    const failing = { '/portal/data/decode': new ApiError(500, 'no') };
    const { run, sent, answers } = await runWith({ answers: failing });
    const { steps, found } = run.getState();
    expect([steps[3]?.progress, steps[5]?.progress, found.decoded]).toEqual(['failed', 'done', null]);
    answers['/portal/data/decode'] = { instructions: [] };
    sent.length = 0;
    await run.repeatFrom('decode');
    expect([sent, run.getState().found.decoded]).toEqual([['/portal/data/decode'], { instructions: [] }]);
  });

  it.each([
    [
      'an order without a transaction',
      { '/swap/v2/order': { ...ORDER, transaction: '', details: 'Too little.' } },
      /Too little/,
    ],
    [
      'a swap that failed',
      { '/swap/v2/execute': { status: 'Failed', code: 6001, error: 'SlippageExceeded' } },
      /SlippageExceeded/,
    ],
    ['an order that is null', { '/swap/v2/order': null }, /answered the order in a form/],
    ['an amount that is none', { '/swap/v2/order': { ...ORDER, outAmount: 'NaN' } }, /the order in a form/],
    ['an execution that is null', { '/swap/v2/execute': null }, /answered the execution in a form/],
    [
      'a total that is no amount',
      { '/swap/v2/execute': { status: 'Success', code: 0, totalOutputAmount: '1.5' } },
      /the execution in a form/,
    ],
  ])('counts %s as a failure', async (_, answers, reason) => {
    const { run } = await runWith({ answers });
    const failed = run.getState().steps.find(({ progress }) => progress === 'failed');
    expect(String(failed?.error)).toMatch(reason);
  });

  it('does nothing at a second start while it runs', async () => {
    const { services, sent } = createServices({});
    const run = new SwapRun();
    await Promise.all([run.start(INTENT, services), run.start(INTENT, services)]);
    expect(sent.filter((path) => path === '/swap/v2/execute')).toHaveLength(1);
  });

  it('shows the beginning again when it is cleared', async () => {
    const { run } = await runWith({});
    run.clear();
    expect(run.getState()).toEqual(new SwapRun().getState());
  });
});

describe('findStepToRepeat', () => {
  it('repeats an execution only if it is unknown whether the first went through', () => {
    expect(findStepToRepeat('execute', new TypeError('fetch failed'))).toBe('execute');
    expect(findStepToRepeat('execute', new Error('SlippageExceeded'))).toBe('order');
    expect(findStepToRepeat('execute', new UnreadableError('the execution'))).toBe('execute');
    expect(findStepToRepeat('faucet', new Error('later'))).toBe('faucet');
  });
});

const INTENT = { inputMint: SOL_MINT, outputMint: USDC_MINT, amount: 100_000_000n } as const;
const ORDER = { requestId: 'r', transaction: 'order', outAmount: '1', router: 'metis', routePlan: [] };

interface Setting {
  readonly lamports?: bigint;
  readonly answers?: Record<string, unknown>;
}

async function runWith(setting: Setting) {
  const { services, sent, answers } = createServices(setting);
  const run = new SwapRun();
  await run.start(INTENT, services);
  return { run, sent, answers };
}

function createServices({ lamports = 0n, answers: others = {} }: Setting) {
  const sent: string[] = [];
  const answers: Record<string, unknown> = {
    '/portal/data/faucet': {},
    '/swap/v2/order': ORDER,
    '/portal/data/decode': { instructions: [] },
    '/swap/v2/execute': { status: 'Success', code: 0, signature: 'landed' },
    ...others,
  };
  const services: SwapRunServices = {
    getKey: async () => ({ address: 'wallet', privateKey: {} as CryptoKey }),
    sign: async (_, transaction) => `signed ${transaction}`,
    send: async ({ path }: ApiRequest) => {
      sent.push(path);
      if (answers[path] instanceof Error) throw answers[path];
      return answers[path];
    },
    fetchBalances: async (): Promise<WalletBalances> => ({ lamports, tokens: new Map() }),
    origin: 'http://127.0.0.1',
  };
  return { services, sent, answers };
}
