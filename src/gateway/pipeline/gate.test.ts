import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../test/timers.ts';
import { Gate } from './gate.ts';

let timers: ManualTimers;
let gate: Gate;
let events: string[];

beforeEach(() => {
  timers = new ManualTimers();
  const sizes = { most: 2, mostWaiting: 2, longestWait: 1_000 };
  gate = new Gate(sizes, (delay, callback) => timers.after(delay, callback));
  events = [];
});

const ask = (name: string) =>
  gate.ask(
    () => events.push(`${name} enters`),
    () => events.push(`${name} is refused`),
  );

describe('a gate', () => {
  it('lets in as many as it may, keeps as many waiting as it may, and refuses the others', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
    expect(events).toEqual(['a enters', 'b enters', 'e is refused']);
    expect([gate.inside, gate.waiting]).toEqual([2, 2]);
  });

  it('lets the others in in turn', () => {
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    gate.leave();
    ask('e');
    gate.leave();
    expect(events).toEqual(['a enters', 'b enters', 'c enters', 'd enters']);
    for (let left = 0; left < 3; left++) gate.leave();
    expect([gate.inside, gate.waiting]).toEqual([0, 0]);
    expect(events.at(-1)).toBe('e enters');
    expect(timers.waiting).toBe(0);
  });

  it('refuses one who has waited too long', () => {
    for (const name of ['a', 'b', 'c']) ask(name);
    timers.advance(999);
    ask('d');
    timers.advance(1);
    expect(events.at(-1)).toBe('c is refused');
    gate.leave();
    expect(events.at(-1)).toBe('d enters');
  });

  it('forgets one who does not wait any more', () => {
    const [, , leave] = ['a', 'b', 'c', 'd'].map(ask);
    leave?.();
    leave?.();
    expect(gate.waiting).toBe(1);
    gate.leave();
    expect(events.at(-1)).toBe('d enters');
    leave?.();
    expect([gate.inside, gate.waiting]).toEqual([2, 0]);
  });
});
