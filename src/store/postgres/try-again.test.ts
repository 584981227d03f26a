import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../common/unavailable.ts';
import { tryAgainWhenTransient } from './try-again.ts';

describe('tryAgainWhenTransient', () => {
  it.each(['CONNECTION_CLOSED', '25P03', '57P01', '55P03'])(
    'does a step again that failed with %s',
    async (code) => {
      expect(await attempts([lost(code), lost(code)])).toEqual({
        result: 'done',
        made: 3,
        reasons: [code, code],
        pauses: [1_000, 1_000],
      });
    },
  );

  it('gives up after five attempts, with the last error', async () => {
    const failures = Array.from({ length: 9 }, () => lost('CONNECTION_CLOSED'));
    const { result, made } = await attempts(failures);
    expect(result).toBe(failures[4]);
    expect(made).toBe(5);
  });

  it.each([
    ['is a defect', new Error('no')],
    ['says that the disk is full', lost('53100')],
    ['says that the table exists', lost('42P07')],
  ])('does not do a step again whose error %s', async (_, failure) => {
    expect(await attempts([failure])).toEqual({ result: failure, made: 1, reasons: [], pauses: [] });
  });

  const attempts = async (failures: readonly Error[]) => {
    const pauses: number[] = [];
    const reasons: string[] = [];
    let made = 0;
    const result = await tryAgainWhenTransient(
      async () => {
        const failure = failures[made++];
        if (failure !== undefined) throw failure;
        return 'done';
      },
      {
        onRetry: (reason) => reasons.push(reason),
        after: (delay, callback) => {
          pauses.push(delay);
          callback();
          return () => undefined;
        },
      },
    ).catch((error: unknown) => error);
    return { result, made, reasons, pauses };
  };
});

const lost = (code: string) =>
  new Error('Failed query', {
    cause: new Unavailable('x', { cause: Object.assign(new Error(code), { code }) }),
  });
