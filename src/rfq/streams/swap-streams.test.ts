import { beforeEach, describe, expect, it } from 'vitest';
import { openTestRfq, type TestRfq } from '../rfq-for-tests.ts';
import type { Outgoing } from './stream.ts';
import type { SwapMessage } from './swap-streams.ts';

const CONFIRMED = { kind: 'confirmed', swapUuid: 'one', signature: 'landed' };
const FAILED = { kind: 'error', swapUuid: 'two', text: 'it did not land' };

let test: TestRfq;
beforeEach(async () => {
  test = await openTestRfq();
});

function connect() {
  const sent: SwapMessage[] = [];
  const outgoing: Outgoing<SwapMessage> = {
    send: (message) => sent.push(message),
    end: () => undefined,
    unread: () => 0,
  };
  const stream = test.rfq.swapStreams.open('maker-1', outgoing);
  if (stream === null) throw new Error('the stream was not admitted');
  const ends = () => sent.filter(({ kind }) => kind === 'confirmed' || kind === 'error');
  return { ...stream, ends };
}

function end(): void {
  test.rfq.link.confirmed('maker-1', 'one', 'landed');
  test.rfq.link.failed('maker-1', 'two', 'it did not land');
}

describe('how swaps ended', () => {
  it('is told to a maker that was away when it comes back', () => {
    end();
    const { ends } = connect();
    expect(ends()).toEqual([CONFIRMED, FAILED]);
  });

  it('is told again when the stream was lost, or another took its place, before anybody could have read it', () => {
    const lost = connect();
    end();
    lost.closed();
    const again = connect();
    expect([lost.ends(), again.ends()]).toEqual([
      [CONFIRMED, FAILED],
      [CONFIRMED, FAILED],
    ]);
    expect(connect().ends()).toEqual([CONFIRMED, FAILED]);
  });

  it('is told once to a maker that ended its stream itself, or whose stream the service ended after it', () => {
    const first = connect();
    end();
    first.closed();
    first.left();
    const second = connect();
    test.rfq.link.confirmed('maker-1', 'three', 'landed too');
    test.rfq.endStreams('maker-1', 'ABORTED', 'for a test');
    expect(second.ends()).toEqual([{ ...CONFIRMED, swapUuid: 'three', signature: 'landed too' }]);
    expect(connect().ends()).toEqual([]);
  });
});
