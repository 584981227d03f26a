import { describe, expect, it } from 'vitest';
import { type DispatchOptions, dispatch, type Handler, type Handlers } from './dispatch.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';

describe('dispatch', () => {
  it('answers a call with its id', async () => {
    expect(await answer(call('add', [1, 2], 'a'))).toEqual({ jsonrpc: '2.0', result: 3, id: 'a' });
    expect(await answer(call('count', undefined, null))).toEqual({ jsonrpc: '2.0', result: 0, id: null });
    expect(await answer(call('count', null, 7))).toEqual({ jsonrpc: '2.0', result: 0, id: 7 });
  });

  it('repeats ids beyond 2^53 exactly', async () => {
    const text = await dispatch(
      '{"jsonrpc":"2.0","id":18446744073709551615,"method":"count"}',
      handlers,
      options(),
    );
    expect(text).toBe('{"jsonrpc":"2.0","result":0,"id":18446744073709551615}');
  });

  it('does not answer notifications', async () => {
    expect(await answer({ jsonrpc: '2.0', method: 'add', params: [1, 2] })).toBeNull();
    expect(await answer([{ jsonrpc: '2.0', method: 'nothing' }])).toBeNull();
  });

  it.each([
    ['not JSON', '{"jsonrpc":', -32700, null],
    ['an empty batch', [], -32600, null],
    ['a call that is a number', 5, -32600, null],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'add' }, -32600, 1],
    ['no version', { id: 1, method: 'add' }, -32600, 1],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5 }, -32600, 1],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'add' }, -32600, null],
    ['a method that does not exist', call('nothing'), -32601, 1],
    ['a method named as a member of objects', call('constructor'), -32601, 1],
    ['parameters by name', call('add', { left: 1 }), -32602, 1],
    ['parameters that are refused', call('refuse'), -32602, 1],
  ])('answers an error to %s', async (_, request, code, id) => {
    expect(await answer(request)).toMatchObject({ jsonrpc: '2.0', error: { code }, id });
  });

  it('reports a defect, and answers with an internal error without its text', async () => {
    const defects: unknown[] = [];
    expect(await answer(call('defect'), defects)).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Internal error' },
      id: 1,
    });
    expect(defects).toEqual([['defect', new TypeError('boom')]]);
  });

  it('answers the calls of a batch in order and separately', async () => {
    const batch = [call('add', [1, 2], 1), { jsonrpc: '2.0', method: 'add' }, call('nothing', [], 2)];
    expect(await answer(batch)).toMatchObject([
      { id: 1, result: 3 },
      { id: 2, error: { code: -32601 } },
    ]);
  });

  it('limits the calls of a batch and the size of their answers', async () => {
    expect(await answer([1, 2, 3, 4])).toMatchObject({ id: null, error: { code: -32600 } });
    const wordy: Handlers = new Map([['wordy', () => 'x'.repeat(101)]]);
    const text = JSON.stringify([call('wordy'), call('wordy')]);
    expect(await dispatch(text, wordy, options())).toContain('send fewer calls');
  });
});

const handlers: Handlers = new Map<string, Handler>([
  ['add', ([left, right]) => Number(left) + Number(right)],
  ['count', (params) => params.length],
  [
    'refuse',
    () => {
      throw invalidParams('no');
    },
  ],
  [
    'defect',
    () => {
      throw new TypeError('boom');
    },
  ],
]);

function options(defects: unknown[] = []): DispatchOptions {
  return {
    maxBatch: 3,
    maxBatchAnswer: 100,
    onDefect: (error, method) => defects.push([method, error]),
    yieldThread: async () => {},
  };
}

async function answer(request: unknown, defects: unknown[] = []): Promise<unknown> {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  const answered = await dispatch(text, handlers, options(defects));
  return answered === null ? null : JSON.parse(answered);
}

const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
