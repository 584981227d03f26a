import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomLife, randomSteps, randomTerms } from '../../testing/exchange/random-commands.ts';
import { assertProperty } from '../../testing/random.ts';
import { ExchangeState } from '../books/exchange-state.ts';
import { encodeCommand, type JournalFields } from './command-codec.ts';
import { applyEntry, encodeState } from './state-codec.ts';

describe('the entries of a journal', () => {
  it('give the same books and the same further trades, as commands or as a snapshot at any point', () => {
    const property = fc.property(randomTerms, randomSteps, fc.nat({ max: 80 }), (terms, steps, cut) => {
      const state = new ExchangeState();
      state.apply({ kind: 'open', terms });
      const journal: JournalFields[] = [encodeCommand({ kind: 'open', terms })];
      const life = new RandomLife();
      let snapshot: ExchangeState | null = null;
      for (const [index, step] of steps.entries()) {
        const command = life.toCommand(step);
        if (command === null) continue;
        const outcome = state.apply(command);
        if (snapshot !== null) expect(snapshot.apply(command)).toEqual(outcome);
        journal.push(encodeCommand(command));
        life.note(outcome);
        if (snapshot === null && index >= cut) {
          snapshot = replay(encodeState(state));
          expect(encodeState(snapshot)).toEqual(encodeState(state));
        }
      }
      expect(encodeState(replay(journal))).toEqual(encodeState(state));
      if (snapshot !== null) expect(encodeState(snapshot)).toEqual(encodeState(state));
    });
    assertProperty(property, { cases: 3_000, seed: 4_208 });
  });

  it('are refused if Sluice cannot have written them', () => {
    expect(() => replay([['?', 1]])).toThrow('an entry of the unknown kind "?"');
    expect(() => replay([['T', 1, 'nobody', null, 5, 500]])).toThrow('has trade 1 without its orders');
  });
});

/** Returns the exchange that the entries make after they were written as JSON. */
function replay(entries: readonly JournalFields[]): ExchangeState {
  const state = new ExchangeState();
  for (const entry of JSON.parse(JSON.stringify(entries)) as JournalFields[]) applyEntry(state, entry);
  return state;
}
