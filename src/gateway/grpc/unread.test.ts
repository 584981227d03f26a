import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** More than a connection takes whose client does not read, and less than what ends the stream. */
const BURST = { messages: 256, bytes: 1_024 };

let test: TestServer;
beforeEach(async () => {
  test = await startTestServer();
});
afterEach(() => test.close());

it('counts what the maker does not read, until it does', async () => {
  const maker = test.connect();
  const stream = maker.swaps();
  await stream.until(1);
  stream.call.pause();
  test.rfq.swapStreams.burst('maker-1', BURST);
  const unread = () => test.rfq.swapStreams.unread('maker-1');
  expect(unread()).toBeGreaterThan(0);
  // What the connection and the client's own buffers take is taken by the time that a call on it is answered.
  for (let call = 0; call < 5; call++) await maker.unary('getAllOrderbooks', {});
  expect(unread()).toBeGreaterThan(0);
  stream.call.resume();
  await stream.until(1 + BURST.messages);
  await vi.waitFor(() => expect(unread()).toBe(0));
});

it('has nothing unread of a maker that is not there', () => {
  expect(test.rfq.swapStreams.unread('maker-1')).toBe(0);
  test.rfq.swapStreams.burst('maker-1', BURST);
  expect(test.rfq.quoteStreams.unread('maker-1')).toBe(0);
});
