import { describe, expect, it } from 'vitest';
import { createInProcessLimiter, type RateLimitSubject } from './rate-limiter.ts';

describe('a client without a key', () => {
  it('is counted on while others come and go, unless it was quiet longest', () => {
    const limiter = createInProcessLimiter(3);
    for (let other = 0; other < 50; other++) {
      const verdict = limiter.hit(client('busy'), 'main', 40, START);
      expect(verdict).toMatchObject({ admitted: other < 40, current: Math.min(other, 40) + 1 });
      limiter.hit(client(`other ${other}`), 'main', 40, START);
    }
    expect(limiter.current(client('other 47'), 'main', START)).toBe(0);
    expect(limiter.current(client('other 48'), 'main', START)).toBe(1);
  });

  const client = (id: string): RateLimitSubject => ({ kind: 'client', id });
});

describe('the windows of firewall rules', () => {
  it('make room for new ones of their own team only', () => {
    const limiter = createInProcessLimiter(2);
    limiter.hit(ruleOf('one', 'rule a'), 'rule', 5, START);
    for (const address of ['1', '2', '3']) limiter.hit(ruleOf('two', `rule b ${address}`), 'rule', 5, START);
    limiter.hit({ kind: 'client', id: 'rule b 4' }, 'main', 5, START);
    const counted = (subject: RateLimitSubject) => limiter.current(subject, 'rule', START);
    expect(counted(ruleOf('one', 'rule a'))).toBe(1);
    expect(counted(ruleOf('two', 'rule b 1'))).toBe(0);
    expect(counted(ruleOf('two', 'rule b 2'))).toBe(1);
    expect(counted(ruleOf('two', 'rule b 3'))).toBe(1);
  });

  it('are kept while they count when the empty ones of other teams are removed', () => {
    const limiter = createInProcessLimiter();
    limiter.hit(ruleOf('quiet', 'rule a'), 'rule', 1, START);
    limiter.hit(ruleOf('busy', 'rule b'), 'rule', 1, START + 30_000);
    limiter.hit(ruleOf('new', 'rule c'), 'rule', 1, START + 60_000);
    expect(limiter.hit(ruleOf('busy', 'rule b'), 'rule', 1, START + 60_000)).toMatchObject({
      admitted: false,
      current: 2,
      freesAt: START + 90_000,
    });
    expect(limiter.hit(ruleOf('quiet', 'rule a'), 'rule', 1, START + 60_000)).toMatchObject({
      admitted: true,
      current: 1,
    });
  });

  it.each([1_000, 10_000, 3_600_000])('can be %i ms long', (windowMs) => {
    const limiter = createInProcessLimiter();
    const subject: RateLimitSubject = { kind: 'rule', id: 'rule a', teamId: 'one', windowMs };
    const admitted = (time: number) => limiter.hit(subject, 'rule', 1, time);
    expect(admitted(START)).toMatchObject({ admitted: true, freesAt: START + windowMs });
    expect(admitted(START + windowMs - 1)).toMatchObject({ admitted: false });
    expect(admitted(START + windowMs)).toMatchObject({ admitted: true });
  });
});

const START = 1_790_000_000_250;
const ruleOf = (teamId: string, id: string): RateLimitSubject => ({
  kind: 'rule',
  id,
  teamId,
  windowMs: 60_000,
});
