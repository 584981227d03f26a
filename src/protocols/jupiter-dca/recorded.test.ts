import { describe, expect, it } from 'vitest';
import { address, type Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { deriveDcaTokens } from './dca-accounts.ts';
import { createEndAndCloseDca, createFulfillFlashFill, createInitiateFlashFill } from './dca-fills.ts';
import { createOpenDca, createOpenDcaV1, createWithdrawDcaFees } from './dca-instructions.ts';
import { decodeDcaOrder, encodeDcaOrder } from './dca-order.ts';
import { DCA_EVENT_AUTHORITY, DCA_FEE_AUTHORITY, DCA_PROGRAM, deriveDcaOrderAddress } from './dca-program.ts';
import { computeDcaCycle } from './dca-schedule.ts';

// What mainnet recorded of the public program, as facts: addresses, arguments and an account.

describe('decodeDcaOrder', () => {
  it('reads an order of mainnet, and encodes it to the same bytes', () => {
    const data = Buffer.from(ORDER, 'hex');
    const order = decodeDcaOrder(data);
    expect(order).toEqual({
      user: 'EjJLRurptQpJCPQhC62V7D3CmEV5bvMo2tZG1B8x1Td8',
      inputMint: order.inputMint,
      outputMint: order.outputMint,
      idx: 1_705_434_692n,
      nextCycleAt: 1_705_434_698n,
      inDeposited: 100_000_000_000n,
      inWithdrawn: 0n,
      outWithdrawn: 0n,
      inUsed: 0n,
      outReceived: 0n,
      inAmountPerCycle: 16_666_666_666n,
      cycleFrequency: 300n,
      nextCycleAmountLeft: 16_666_666_666n,
      inAccount: order.inAccount,
      outAccount: order.outAccount,
      minOutAmount: 0n,
      maxOutAmount: 8_333_333n,
      keeperInBalanceBeforeBorrow: 0n,
      dcaOutBalanceBeforeSwap: 0n,
      createdAt: 1_705_434_698n,
      bump: 249,
    });
    expect(Buffer.from(encodeDcaOrder(order)).toString('hex')).toBe(ORDER);
    const { address: derived, bump } = deriveDcaOrderAddress(order);
    expect(bump).toBe(order.bump);
    expect(order.inAccount).toBe(deriveDcaTokens(derived, order.inputMint));
    expect(order.outAccount).toBe(deriveDcaTokens(derived, order.outputMint));
    expect(computeDcaCycle(order)).toBe(order.nextCycleAmountLeft);
  });
});

describe('the instructions', () => {
  it('have the addresses of mainnet', () => {
    expect(DCA_EVENT_AUTHORITY).toEqual({
      address: 'Cspp27eGUDMXxPEdhmEXFVRn6Lt1L7xJyALF3nmnWoBj',
      bump: 254,
    });
    expect(DCA_FEE_AUTHORITY).toEqual({
      address: 'CpoD6tWAsMDeyvVG2q2rD1JbDY6d4AujnvAn2NdrhZV2',
      bump: 254,
    });
  });

  it('open an order as a recorded transaction does', () => {
    const opening = {
      user: address('DdNbmJSE6EJsbXcHkZhfsyqhbLzGYaRpKa3nxufeURuu'),
      inputMint: address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
      outputMint: address('3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh'),
      idx: 0x67c6b21en,
      inAmount: 2_500_000_021n,
      inAmountPerCycle: 100_000_000n,
      cycleFrequency: 86_400n,
      minOutAmount: 108_695n,
      maxOutAmount: 131_578n,
      startAt: 0n,
    };
    expect(describeInstruction(createOpenDca(opening))).toEqual({
      data: '8e772b6da2340bb11eb2c6670000000015f902950000000000e1f5050000000080510100000000000197a801000000000001fa01020000000000010000000000000000',
      accounts: [
        '4nsDuDcB47yRPBxtuhSNDxUynTXEqGWHG3tmY7H2tGVW',
        opening.user,
        opening.user,
        opening.inputMint,
        opening.outputMint,
        'FQtvkDXHNjsx2v9XYnTw9pASHJPqHycKd5cyds6h7NeM',
        '7raHTbUE3SnxmeXUcTzMqPjsBunz7VEDcc4cCagZ8njz',
        '5NKVYpXyAgPDRfBZSWXPG657UZvaQXY8n2pjBTF9L4Gq',
        ...PROGRAMS,
        ...EVENTS,
      ],
    });
  });

  it('open an order in the older form as a recorded transaction does', () => {
    const user = address('ByBxpqTdJUQt5NpnJJp9GzovBmnT3hmMx1CqhtRAKaK1');
    const opening = {
      user,
      inputMint: WRAPPED_SOL_MINT,
      outputMint: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
      idx: 0x67b18a75n,
      inAmount: 5_000_000n,
      inAmountPerCycle: 100_000n,
      cycleFrequency: 60n,
      minOutAmount: 0n,
      maxOutAmount: 0n,
      startAt: 0n,
    };
    expect(describeInstruction(createOpenDcaV1(opening, false))).toEqual({
      data: '2441b93601d264a3758ab16700000000404b4c0000000000a0860100000000003c000000000000000100000000000000000100000000000000000100000000000000000100',
      accounts: [
        'CfBLHEJkCUqn5LrST6ptAG96UrkjB5pfZFc98LUQUY3g',
        user,
        opening.inputMint,
        opening.outputMint,
        '856kq6mGby27QaDDiL4yxWZ3cPugtkRsPKVjaJnBMvzs',
        'HDg5BvWKaBLZUGKjPnXk2thmRUWNQpdwoj1MAG37eheK',
        'FREVjo5Fyasm1bqFNQRnqRPZ9z12HhDsrt3kFpkh51rc',
        ...PROGRAMS,
        ...EVENTS,
      ],
    });
  });

  it('fill a cycle as a recorded transaction does', () => {
    const keeper = address('JD25qVdtd65FoiXNmR89JjmoJdYk9sjYQeSTZAALFiMy');
    const order = {
      address: address('ArmGhb7enKa3kq11qUi7bPVpX8r2ZQfsPTiZWqZfGosH'),
      user: keeper,
      inputMint: address('6dKCoWjpj5MFU5gWDEFdpUUeBasBLK3wLEwhUzQPAa1e'),
      outputMint: WRAPPED_SOL_MINT,
      inAccount: address('7VKRDWs6BBei2W6qC5sLM2DpoVEu1WeijtuAqhFMcdkF'),
      outAccount: address('93KgX1YnywD3qx1YnLxznyWGLQAiiUJ9TgRpqp4c4F5Z'),
    };
    const [shared, sysvar] = [
      ['BeEZ5YRyD7Wnoasygh7tRGZpchH4rMbR7qjKP6rEF14i', order.inAccount, order.outAccount],
      'Sysvar1nstructions1111111111111111111111111',
    ];
    expect(describeInstruction(createInitiateFlashFill(keeper, order))).toEqual({
      data: '8fcd03bfa2d7f531',
      accounts: [keeper, order.address, order.inputMint, ...shared, sysvar, ...PROGRAMS],
    });
    expect(describeInstruction(createFulfillFlashFill(keeper, order, 459_532_541n))).toEqual({
      data: '7340e24e21d369a2fde8631b00000000',
      accounts: [
        keeper,
        order.address,
        order.inputMint,
        order.outputMint,
        ...shared,
        DCA_FEE_AUTHORITY.address,
        '9hHgzur8K2kZAoNXLAxz8USBxzW4nDLRkutQ9FKJBFQh',
        sysvar,
        ...PROGRAMS,
        ...EVENTS,
      ],
    });
  });

  it('close a finished order as a recorded transaction does, except for the accounts that unwrap SOL', () => {
    const keeper = address('JD38n7ynKYcgPpF7k1BhXEeREu1KqptU93fVGy3S624k');
    const order = {
      address: address('8NpPrybBTBZfK8MMQohm3Xc7kbT7drzgmWXvMecXW9Qz'),
      user: address('FDwKNxVk7SZRZAdzU6fwY9HRS9G4whHBMvD4WcEuB7fV'),
      inputMint: address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'),
      outputMint: WRAPPED_SOL_MINT,
      inAccount: address('AGYYN4AZy2fKzhWUfNMybUpt3HY1aw3eFmGA5A9cBTyE'),
      outAccount: address('D6XGUjFaXLDkYsww1qkjjL5bgD4i8fmo8Wi1K9oz5u3H'),
    };
    const { data, accounts } = describeInstruction(createEndAndCloseDca(keeper, order));
    expect(data).toBe('537da645f7fc6785');
    const { address: at, inputMint, outputMint, inAccount, outAccount, user } = order;
    expect(accounts.slice(0, 8)).toEqual([
      ...[keeper, at, inputMint, outputMint, inAccount, outAccount, user, DCA_PROGRAM],
    ]);
    expect(accounts.slice(10)).toEqual([...PROGRAMS, ...EVENTS]);
  });

  it('withdraw fees as a recorded transaction does', () => {
    const admin = address('JTFeFAf1EKzA74pe2v5pZ6FaJ8kfLuvtt6Frxfyx8QY');
    const mint = address('METAewgxyPbgwsseH8T16a39CQ5VyVxZi9zXiDPY18m');
    const receiver = address('HyFo8JDAqnCpj6P1Q6ATPXrppP4Ug91MqW1WFVrUfcY6');
    const fees = { mint, amount: 1_193_884_104n, receiver };
    expect(describeInstruction(createWithdrawDcaFees(admin, fees))).toEqual({
      data: 'c6d4ab6d90d7ae59c839294700000000',
      accounts: [
        admin,
        mint,
        DCA_FEE_AUTHORITY.address,
        'B8vjsiRcXYsq2yphD746u96ifQXJqhEBf42uTC3K9LFZ',
        receiver,
        ...PROGRAMS,
      ],
    });
  });
});

const PROGRAMS = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
];
const EVENTS = [DCA_EVENT_AUTHORITY.address, DCA_PROGRAM];

/** An order of six cycles of five minutes, just opened. */
const ORDER =
  '525d5a7f2865919acbfdecbd24a579637d0b42a9420ce00012344039f7b84b94a49a17727ee7a527049a250bfacf558c' +
  '6b6407a8d3716ff17c8c062a29b26a868e7ba5e7422ffd150729f5f991c3bd75fbf993bd57e6107280f46e32f217661c' +
  '02c83cb465fdea3744dea665000000004adea6650000000000e876481700000000000000000000000000000000000000' +
  '00000000000000000000000000000000aa2669e1030000002c01000000000000aa2669e103000000b6f9489b58ffd370' +
  '0df5a8b82946b700e2b043c2ffa4e75e808956da607a08d83542fe6545b81d3ea01758619bf32ecc026a3ae4d3436ac0' +
  '7487730a4d3b5ac5000000000000000015287f0000000000000000000000000000000000000000004adea66500000000' +
  'f9';

function describeInstruction(instruction: Instruction): {
  readonly data: string;
  readonly accounts: readonly Address[];
} {
  expect(instruction.programAddress).toBe(DCA_PROGRAM);
  return {
    data: Buffer.from(instruction.data).toString('hex'),
    accounts: instruction.accounts.map((meta) => meta.address),
  };
}
