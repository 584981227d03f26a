import type { Party } from '../../common/party.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { Gate } from './gate.ts';
import { openForEach } from '../../testing/opened.ts';

let gate: Gate;
let events: string[];
const timers = openForEach(() => new ManualTimers());
beforeEach(setUp);

describe('Gate', () => {
  it('admits up to maxInside requests, lets maxWaiting wait, and refuses the rest', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
    expect(events).toEqual(['a enters', 'b enters', 'e is refused']);
    expect([gate.inside, gate.waiting]).toEqual([2, 2]);
  });

  it('admits waiting requests in turn', () => {
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    leave('a');
    ask('e');
    leave('b');
    expect(events).toEqual(['a enters', 'b enters', 'c enters', 'd enters']);
    for (const name of ['c', 'd', 'e']) leave(name);
    expect([gate.inside, gate.waiting]).toEqual([0, 0]);
    expect(events.at(-1)).toBe('e enters');
    expect(timers.waiting).toBe(0);
  });

  it('refuses a request that has waited too long', () => {
    for (const name of ['a', 'b', 'c']) ask(name);
    timers.advance(999);
    ask('d');
    timers.advance(1);
    expect(events.at(-1)).toBe('c is refused');
    leave('a');
    expect(events.at(-1)).toBe('d enters');
  });

  it('forgets a request that has stopped waiting', () => {
    const [, , stopWaiting] = ['a', 'b', 'c', 'd'].map((name) => ask(name));
    stopWaiting?.();
    stopWaiting?.();
    expect(gate.waiting).toBe(1);
    leave('a');
    expect(events.at(-1)).toBe('d enters');
    stopWaiting?.();
    expect([gate.inside, gate.waiting]).toEqual([2, 0]);
  });
});

describe('Gate with 100 places and a queue of 100', () => {
  beforeEach(() => {
    const sizes = { maxInside: 100, maxWaiting: 100, maxWaitMs: 1_000 };
    gate = new Gate(sizes, (delay, callback) => timers.after(delay, callback));
  });

  it('gives a lone organisation 80 places and 80 in the queue', () => {
    askOften(200, 'a');
    expect([entered('a'), gate.waiting, refused('a')]).toEqual([80, 80, 40]);
    ask('b');
    ask('x', 'client');
    expect([entered('b'), entered('x')]).toEqual([1, 1]);
  });

  it('gives a lone address 25 places, and all addresses together 50', () => {
    askOften(200, 'x', 'client');
    expect([entered('x'), gate.waiting]).toEqual([25, 25]);
    for (let index = 0; index < 200; index++) askOften(5, `x${index}`, 'client');
    expect([gate.inside, gate.waiting]).toEqual([50, 50]);
    askOften(60, 'a');
    expect(entered('a')).toBe(40);
  });

  it('admits an organisation while another one and many addresses ask for everything', () => {
    for (let index = 0; index < 300; index++) {
      ask('a');
      ask(`x${index}`, 'client');
    }
    ask('b');
    expect(entered('b')).toBe(1);
  });

  it('admits waiting callers in turns, and the requests of one caller in order of arrival', () => {
    const asked: string[] = [];
    const askNumbered = (name: string, number: number) =>
      gate.ask(
        gate.caller('organisation', name),
        () => asked.push(`${name}${number}`),
        () => {},
      );
    for (let index = 0; index < 60; index++) for (const name of ['a', 'b']) ask(name);
    const inside = gate.inside;
    timers.advance(1_000);
    for (const number of [1, 2, 3]) askNumbered('a', number);
    for (const number of [1, 2, 3]) askNumbered('b', number);
    expect(asked).toEqual([]);
    for (let index = 0; index < 3; index++) for (const name of ['a', 'b']) leave(name);
    expect(asked).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(gate.inside).toBe(inside);
  });

  it('admits a queue of any length whose callers leave at once', () => {
    const many = 15_000;
    gate = new Gate({ maxInside: 1, maxWaiting: many, maxWaitMs: 1_000 }, () => () => {});
    ask('first');
    let served = 0;
    for (let index = 0; index < many; index++) {
      const caller = gate.caller('organisation', `o${index}`);
      gate.ask(
        caller,
        () => {
          served++;
          caller.leave();
        },
        () => {},
      );
    }
    leave('first');
    expect([served, gate.inside, gate.waiting]).toEqual([many, 0, 0]);
  });

  it('forgets callers that hold nothing', () => {
    const first = gate.caller('client', 'x');
    for (let index = 0; index < 5_000; index++) gate.caller('client', `x${index}`);
    expect(gate.caller('client', 'x')).not.toBe(first);
    ask('a');
    const held = gate.caller('organisation', 'a');
    for (let index = 0; index < 5_000; index++) gate.caller('organisation', `a${index}`);
    expect(gate.caller('organisation', 'a')).toBe(held);
  });

  const entered = (name: string) => events.filter((event) => event === `${name} enters`).length;
  const refused = (name: string) => events.filter((event) => event === `${name} is refused`).length;
  const askOften = (count: number, name: string, kind?: Party['kind']) => {
    for (let index = 0; index < count; index++) ask(name, kind);
  };
});

function setUp(): void {
  const sizes = { maxInside: 2, maxWaiting: 2, maxWaitMs: 1_000 };
  gate = new Gate(sizes, (delay, callback) => timers.after(delay, callback));
  events = [];
}

const ask = (name: string, kind: Party['kind'] = 'organisation') =>
  gate.ask(
    gate.caller(kind, name),
    () => events.push(`${name} enters`),
    () => events.push(`${name} is refused`),
  );

const leave = (name: string, kind: Party['kind'] = 'organisation') => gate.caller(kind, name).leave();
