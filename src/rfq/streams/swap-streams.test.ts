import { beforeEach, describe, expect, it } from 'vitest';
import { openTestRfq, type TestRfq } from '../../testing/rfq/test-rfq.ts';
import type { OutgoingStream } from './stream.ts';
import type { SwapMessage } from './swap-connections.ts';

let test: TestRfq;
beforeEach(async () => {
  test = await openTestRfq();
});

describe('SwapStreams: results', () => {
  it('sends a maker that was away its results when it connects', () => {
    end();
    const { ends } = connect();
    expect(ends()).toEqual([CONFIRMED, FAILED]);
  });

  it('sends results again if the stream was lost or replaced before they could have been read', () => {
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

  it('sends results once to a maker that ended its stream itself, or whose stream the service ended afterwards', () => {
    const first = connect();
    end();
    first.closed();
    first.readToEnd();
    const second = connect();
    test.rfq.link.confirmed('maker-1', 'three', 'landed too');
    test.rfq.endStreams('maker-1', 'ABORTED', 'for a test');
    expect(second.ends()).toEqual([{ ...CONFIRMED, swapUuid: 'three', signature: 'landed too' }]);
    expect(connect().ends()).toEqual([]);
  });
});

const CONFIRMED = { kind: 'confirmed', swapUuid: 'one', signature: 'landed' };
const FAILED = { kind: 'error', swapUuid: 'two', text: 'it did not land' };

function connect() {
  const sent: SwapMessage[] = [];
  const outgoing: OutgoingStream<SwapMessage> = {
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
