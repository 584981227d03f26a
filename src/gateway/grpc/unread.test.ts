import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestGrpcServer } from '../../testing/gateway/grpc-server.ts';

let test: TestGrpcServer;
beforeEach(async () => {
  test = await startTestServer();
});
afterEach(() => test.close());

it('counts unread messages until the maker reads them', async () => {
  const maker = test.connect();
  const stream = maker.swaps();
  await stream.until(1);
  stream.call.pause();
  test.rfq.swapConnections.burst('maker-1', BURST);
  const unread = () => test.rfq.swapConnections.unread('maker-1');
  expect(unread()).toBeGreaterThan(0);
  // The buffers of the connection and the client are full when a call on it is answered.
  for (let call = 0; call < 5; call++) await maker.unary('getAllOrderbooks', {});
  expect(unread()).toBeGreaterThan(0);
  stream.call.resume();
  await stream.until(1 + BURST.messages);
  await vi.waitFor(() => expect(unread()).toBe(0));
});

it('counts no unread messages of an unknown maker', () => {
  expect(test.rfq.swapConnections.unread('maker-1')).toBe(0);
  test.rfq.swapConnections.burst('maker-1', BURST);
  expect(test.rfq.quoteStreams.unread('maker-1')).toBe(0);
});

/** More than a connection buffers when its client does not read, and less than ends the stream. */
const BURST = { messages: 256, bytes: 1_024 };
