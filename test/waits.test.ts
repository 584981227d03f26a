import { afterEach, describe, expect, it, vi } from 'vitest';
import { onFailedWait } from '../src/testing/waits.ts';

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe('a wait that fails', () => {
  it('shows the last value of vi.waitFor, and the last lines of what is registered', async () => {
    report('first', 2);
    report('second', 60);
    const { message } = await failureOf(vi.waitFor(() => expect('seen').toBe('wanted'), SHORT));
    expect(message).toContain("expected 'seen' to be 'wanted'");
    expect(message).toContain('first 0\nfirst 1\n\nsecond 10\nsecond 11');
    expect(message).not.toContain('second 9\n');
    expect(message).toMatch(/second 59$/);
  });

  it('shows the last value of expect.poll, and the same lines', async () => {
    report('log', 1);
    const { message, cause } = await failureOf(expect.poll(() => 'seen', SHORT).not.toBe('seen'));
    expect(message).toMatch(/\n\nlog 0$/);
    expect(String(cause)).toContain("expected 'seen' not to be 'seen'");
  });

  it('shows nothing of what is registered no more', async () => {
    report('log', 1);
    ends.pop()?.();
    const { message } = await failureOf(vi.waitUntil(() => false, SHORT));
    expect(message).toBe('Timed out in waitUntil!');
  });
});

/** For waits that have to fail. */
const SHORT = { interval: 1, timeout: 5 };
const ends: (() => void)[] = [];

const failureOf = (wait: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(wait).then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

const report = (name: string, lines: number) =>
  ends.push(onFailedWait(() => Array.from({ length: lines }, (_, line) => `${name} ${line}`).join('\n')));
