import { finalize, startTestRpc, type TestRpc } from '../../src/testing/chain/rpc-network.ts';
import { driveSlots, MONOTONIC_TIMERS } from '../../src/chain/embedded/slots/slot-timer.ts';

export type LiveRpc = Pick<TestRpc, 'bank' | 'server' | 'close'>;

/** Fast enough to wait for finality, slow enough that no blockhash expires while a loaded machine signs. */
const SLOT_MS = 20;

/**
 * The network of the facade's own tests with slots that go on by themselves, for clients as they are published: what they
 * validate is what the public interface promises. Closing fails when a method had a defect.
 */
export async function startLiveRpc(): Promise<LiveRpc> {
  const network = await startTestRpc();
  await finalize(network.bank);
  const stopSlots = driveSlots(network.bank, SLOT_MS, MONOTONIC_TIMERS);
  return {
    bank: network.bank,
    server: network.server,
    async close() {
      stopSlots();
      await network.close();
      if (network.defects.length > 0) throw network.defects[0];
    },
  };
}
