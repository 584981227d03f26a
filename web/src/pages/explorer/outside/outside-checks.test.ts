import { describe, expect, it } from 'vitest';
import { checkOutsideRpc } from './outside-checks.ts';

describe('checkOutsideRpc', () => {
  it('says of each kind of call whether the RPC answers, and what it says otherwise', async () => {
    const asked: string[] = [];
    const checks = await checkOutsideRpc(async (method) => {
      asked.push(method);
      if (method === 'getBlock') throw new Error('The network refused getBlock: not on your plan');
      return method === 'getSlot' ? 5 : null;
    });
    expect(asked[0]).toBe('getSlot');
    expect(checks.find(({ method }) => method === 'getBlock')).toEqual({
      what: 'blocks',
      method: 'getBlock',
      refusal: 'The network refused getBlock: not on your plan',
    });
    expect(checks.filter(({ refusal }) => refusal === null)).toHaveLength(checks.length - 1);
  });

  it('ends when nothing is answered', async () => {
    const checks = await checkOutsideRpc(() => Promise.reject(new Error('no')));
    expect(checks.every(({ refusal }) => refusal === 'no')).toBe(true);
  });
});
