import { describe, expect, it } from 'vitest';
import { inProcessLimiter, type Subject } from './rate-limiter.ts';

const START = 1_790_000_000_250;
const ruleOf = (teamId: string, id: string): Subject => ({ kind: 'rule', id, teamId });

describe('the windows of firewall rules', () => {
  it('make room for new ones of their own team, and of no other', () => {
    const limiter = inProcessLimiter(2);
    limiter.hit(ruleOf('one', 'rule a'), 'minute', 5, START);
    for (const address of ['1', '2', '3'])
      limiter.hit(ruleOf('two', `rule b ${address}`), 'minute', 5, START);
    limiter.hit({ kind: 'client', id: 'rule b 4' }, 'main', 5, START);
    const counted = (subject: Subject) => limiter.current(subject, 'minute', START);
    expect(counted(ruleOf('one', 'rule a'))).toBe(1);
    expect(counted(ruleOf('two', 'rule b 1'))).toBe(0);
    expect(counted(ruleOf('two', 'rule b 2'))).toBe(1);
    expect(counted(ruleOf('two', 'rule b 3'))).toBe(1);
  });

  it('are kept as long as they count when the quiet ones of other teams are forgotten', () => {
    const limiter = inProcessLimiter();
    limiter.hit(ruleOf('quiet', 'rule a'), 'minute', 1, START);
    limiter.hit(ruleOf('busy', 'rule b'), 'minute', 1, START + 30_000);
    limiter.hit(ruleOf('new', 'rule c'), 'minute', 1, START + 60_000);
    expect(limiter.hit(ruleOf('busy', 'rule b'), 'minute', 1, START + 60_000)).toMatchObject({
      admitted: false,
      current: 2,
      freesAt: START + 90_000,
    });
    expect(limiter.hit(ruleOf('quiet', 'rule a'), 'minute', 1, START + 60_000)).toMatchObject({
      admitted: true,
      current: 1,
    });
  });
});
