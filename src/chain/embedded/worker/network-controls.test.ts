import { describe, expect, it } from 'vitest';
import { openBankForTests } from '../../../testing/chain/bank.ts';
import { BankAdmin } from '../bank/bank-admin.ts';
import { CallFaults } from '../rpc/calls/call-faults.ts';
import { createNetworkControls } from './network-controls.ts';

describe('createNetworkControls', () => {
  it('has every method of the class, and what is not a method of it', async () => {
    const controls = createNetworkControls(await openBankForTests(), new CallFaults(() => 0));
    const {
      constructor: _,
      isClockPaused: __,
      ...methods
    } = Object.getOwnPropertyDescriptors(BankAdmin.prototype);
    const others = ['faucet', 'requestAirdrop', 'faultCalls', 'callFaults', 'clearCallFaults'];
    expect(Object.keys(controls).sort()).toEqual([...Object.keys(methods), ...others].sort());
  });

  it('calls the bank without a receiver', async () => {
    const { warp } = createNetworkControls(await openBankForTests(), new CallFaults(() => 0));
    expect((await warp({ slots: 3 })).slot).toBe(4n);
  });
});
