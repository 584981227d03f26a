import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { PROGRAM_SEARCH_MS, searchInviteProgram } from './invite-program-search.ts';

describe('searchInviteProgram', () => {
  it('looks again until the network answers, though nobody asks for an invite', async () => {
    const search = await open([new ChainUnavailable('no answer'), new ChainUnavailable('no answer'), null]);
    expect(search.looks()).toBe(1);
    await search.pass(5);
    expect(search.looks()).toBe(3);
  });

  it('leaves a network that has another program to the requests', async () => {
    const search = await open([new RequestRefused('another one')]);
    await search.pass(5);
    expect(search.looks()).toBe(1);
  });

  it('ends when it is told', async () => {
    const search = await open([new ChainUnavailable('no answer')]);
    search.end();
    await search.pass(5);
    expect(search.looks()).toBe(1);
  });
});

/** Begins a search. @param answers - What the network answers: null is the program. The last one is repeated. */
async function open(answers: readonly (Error | null)[]) {
  let looks = 0;
  const timers = new ManualTimers();
  const look = async () => {
    const answer = answers[Math.min(looks++, answers.length - 1)] ?? null;
    if (answer !== null) throw answer;
  };
  const end = await searchInviteProgram(look, timers);
  return {
    end,
    looks: () => looks,
    pass: async (times: number) => {
      for (let time = 0; time < times; time++) {
        timers.advance(PROGRAM_SEARCH_MS);
        await new Promise(setImmediate);
      }
    },
  };
}
