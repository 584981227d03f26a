import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { type Instruction, isSigner, isWritable } from '../../solana/messages/instruction.ts';
import { createIdl } from '../../solana/programs/idl/idl.ts';
import {
  createEndAndCloseDca,
  createFulfillFlashFill,
  createInitiateFlashFill,
  createTransferDca,
} from './dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createOpenDcaV1,
  createWithdrawDca,
  createWithdrawDcaFees,
} from './dca-instructions.ts';
import { DCA_PROGRAM } from './dca-program.ts';
import { DCA_INTERFACE } from './interface.ts';

describe('DCA_INTERFACE', () => {
  it.each(DCA_INTERFACE.instructions.map(({ name }) => name))('declares %s as it is built here', (name) => {
    const built = BUILT[name];
    const declared = DCA_INTERFACE.instructions.find((each) => each.name === name);
    const described = IDL.instructions.find((each) => each.name === name);
    if (built === undefined || declared === undefined) throw new Error(`${name} is not built here`);
    expect([...built.data.subarray(0, 8)]).toEqual(described?.discriminator);
    expect(built.accounts).toHaveLength(declared.accounts.length);
    for (const [index, [party, role, fixed]] of declared.accounts.entries()) {
      const meta = built.accounts[index];
      if (meta === undefined || (role.includes('optional') && meta.address === DCA_PROGRAM)) continue;
      expect(isSigner(meta.role), party).toBe(role.includes('signer'));
      // The program writes three accounts that the interface lists as read-only.
      const isWritten = name === 'fulfill_flash_fill' && index >= 4 && index <= 6;
      expect(isWritable(meta.role), party).toBe(isWritten || role.includes('writable'));
      if (fixed !== undefined) expect(meta.address, party).toBe(fixed);
    }
  });
});

interface Idl {
  readonly instructions: readonly { readonly name: string; readonly discriminator: readonly number[] }[];
}

const IDL = createIdl(DCA_INTERFACE) as Idl;

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [user, keeper, inputMint, outputMint, inAccount, outAccount] = [1, 2, 3, 4, 5, 6].map(named) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const order = { address: named(7), user, inputMint, outputMint, inAccount, outAccount };
const opening = { ...order, idx: 1n, inAmount: 2n, inAmountPerCycle: 1n, cycleFrequency: 60n };

const BUILT: Readonly<Record<string, Instruction>> = {
  open_dca: createOpenDcaV1(opening, false),
  open_dca_v2: createOpenDca(opening, keeper),
  close_dca: createCloseDca(order),
  withdraw: createWithdrawDca(order, 'in', 1n),
  deposit: createDepositDca(order, 1n),
  withdraw_fees: createWithdrawDcaFees(user, { mint: inputMint, amount: 1n, receiver: inAccount }),
  initiate_flash_fill: createInitiateFlashFill(keeper, order),
  fulfill_flash_fill: createFulfillFlashFill(keeper, order, 1n),
  transfer: createTransferDca(keeper, order),
  end_and_close: createEndAndCloseDca(keeper, order),
};
