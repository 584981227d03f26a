import { describe, expect, it } from 'vitest';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import { getGenesisPools } from '../../../src/protocol/genesis/venue-genesis.ts';
import {
  createFulfillFlashFill,
  createInitiateFlashFill,
  createTransferDca,
} from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createOpenDca,
  createWithdrawDcaFees,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { decodeDcaOrder } from '../../../src/protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM, deriveDcaOrderAddress } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import { computeDcaBounds, computeDcaFee } from '../../../src/protocols/jupiter-dca/dca-schedule.ts';
import { raydiumCpmmGenesis } from '../../../src/protocols/raydium-cpmm/genesis/genesis.ts';
import { raydiumCpmm } from '../../../src/protocols/raydium-cpmm/venue.ts';
import { GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenBySymbol,
} from '../../../src/testing/svm/genesis-network.ts';

const DAY = 86_400n;

describe('recurring orders on the network of the genesis', () => {
  it("fill the demo wallet's order through a pool, pay it out and close it", () => {
    const on = new GenesisNetwork(PROGRAMS);
    const { keeper, owner, order, fill } = openDemo(on);
    on.network.setUnixTime(GENESIS_TIME + DAY - 1n);
    expect(on.send(fill().instructions, keeper).error?.custom).toBe(6018);
    on.network.setUnixTime(GENESIS_TIME + DAY);
    const { instructions, quoted } = fill();
    const { error, logs } = on.send(instructions, keeper);
    expect(error, logs.join('\n')).toBeNull();
    const received = quoted - computeDcaFee(quoted);
    const { least, most } = computeDcaBounds(order, order.inAmountPerCycle);
    expect(received).toBeGreaterThanOrEqual(least);
    expect(received).toBeLessThanOrEqual(most ?? 0n);
    const after = read(on, order.address);
    expect(after).toMatchObject({
      inUsed: order.inUsed + order.inAmountPerCycle,
      outReceived: order.outReceived + received,
      nextCycleAt: GENESIS_TIME + 2n * DAY,
    });
    const jup = getTokenBySymbol('JUP');
    const before = on.balance(owner, jup);
    expect(on.send([createTransferDca(keeper, order)], keeper).error).toBeNull();
    expect(on.balance(owner, jup)).toBe(before + received);
    const usdc = getTokenBySymbol('USDC');
    const held = on.balance(owner, usdc);
    expect(on.send([createCloseDca(order)], owner).error).toBeNull();
    expect(on.balance(owner, usdc)).toBe(held + 5n * order.inAmountPerCycle);
  });

  it('fit into one transaction of 1,232 bytes without lookup tables', () => {
    const on = new GenesisNetwork(PROGRAMS);
    const { keeper, fill } = openDemo(on);
    const { wire } = on.network.encode(fill().instructions, { feePayer: keeper });
    expect(wire.length).toBeLessThanOrEqual(1_232);
  });

  it('are opened by anybody, and their fees withdrawn by the owner of fees', () => {
    const on = new GenesisNetwork(PROGRAMS);
    const { keeper, fill } = openDemo(on);
    on.network.setUnixTime(GENESIS_TIME + DAY);
    expect(on.send(fill().instructions, keeper).error).toBeNull();
    const [usdc, jup] = [getTokenBySymbol('USDC'), getTokenBySymbol('JUP')];
    const opening = {
      user: on.bob,
      inputMint: usdc.mint,
      outputMint: jup.mint,
      idx: 7n,
      inAmount: 1_000_000n,
      inAmountPerCycle: 500_000n,
      cycleFrequency: 60n,
    };
    expect(on.send([createOpenDca(opening)], on.bob).error).toBeNull();
    expect(read(on, deriveDcaOrderAddress(opening).address).nextCycleAt).toBe(GENESIS_TIME + DAY);
    const admin = on.genesis.keys.feeOwner.address;
    const receiver = deriveTokenAccountAddress(on.alice, jup);
    const before = on.balance(on.alice, jup);
    const withdraw = createWithdrawDcaFees(admin, { mint: jup.mint, amount: 1_000n, receiver });
    expect(on.send([withdraw], admin).error).toBeNull();
    expect(on.balance(on.alice, jup)).toBe(before + 1_000n);
  });
});

const PROGRAMS = ['dca', 'aggregator', 'raydium-cpmm'];

function read(on: GenesisNetwork, address: Address) {
  const account = on.network.account(address);
  if (account === null) throw new Error(`no order ${address}`);
  return { address, ...decodeDcaOrder(account.data) };
}

/** The order of the first demo wallet, and what a keeper sends to fill its next cycle. */
function openDemo(on: GenesisNetwork) {
  const [usdc, jup] = [getTokenBySymbol('USDC'), getTokenBySymbol('JUP')];
  const keeper = on.genesis.keys.dcaKeeper.address;
  const found = on.genesis.accounts.find(
    ({ account: { owner, data } }) => owner === DCA_PROGRAM && data.length === 289,
  );
  if (found === undefined) throw new Error('the genesis has no order');
  const order = read(on, found.address);
  const fill = (): { readonly instructions: readonly Instruction[]; readonly quoted: bigint } => {
    const pool = getGenesisPools(on.genesis, raydiumCpmmGenesis).find(
      ({ mints }) => mints.includes(usdc.mint) && mints.includes(jup.mint),
    );
    if (pool === undefined) throw new Error('no pool of JUP and USDC');
    const state = raydiumCpmm.decode(pool.address, (at) => on.network.account(at));
    if ('unusable' in state) throw new Error(state.unusable);
    const clock = { slot: 1n, epoch: 0n, unixTimestamp: on.network.svm.getClock().unixTimestamp };
    const amount = order.inAmountPerCycle;
    const quoted = raydiumCpmm.quoteExactIn(state, usdc.mint, amount, clock)?.outAmount ?? 0n;
    const source = deriveTokenAccountAddress(keeper, usdc);
    const parties = { authority: keeper, source, destination: order.outAccount };
    const step = raydiumCpmm.routeStep(state, usdc.mint, parties);
    const route = routeV2(
      {
        inAmount: amount,
        quotedOutAmount: quoted,
        slippageBps: 0,
        steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
      },
      {
        userTransferAuthority: keeper,
        userSourceTokenAccount: source,
        userDestinationTokenAccount: order.outAccount,
        sourceMint: usdc.mint,
        destinationMint: jup.mint,
        sourceTokenProgram: TOKEN_PROGRAM,
        destinationTokenProgram: TOKEN_PROGRAM,
      },
    );
    const opened = createAssociatedTokenIdempotent({
      payer: keeper,
      owner: keeper,
      mint: usdc.mint,
      tokenProgram: TOKEN_PROGRAM,
    });
    return {
      quoted,
      instructions: [
        opened,
        createInitiateFlashFill(keeper, order),
        route,
        createFulfillFlashFill(keeper, order, quoted),
      ],
    };
  };
  return { keeper, owner: order.user, order, fill };
}
