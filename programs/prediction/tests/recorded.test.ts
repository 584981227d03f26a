import { expect, it } from 'vitest';
import { encodePredictionPosition } from '../../../src/protocols/jupiter-prediction/prediction-accounts.ts';
import {
  derivePredictionPosition,
  PREDICTION_PROGRAM,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { RECORDED_SALE as SALE } from '../../../src/testing/predictions/recorded-sale.ts';
import { HOUSE, nameWorldOrder, PredictionWorld } from './world.ts';

// What mainnet recorded of a sale, against the stand-in.

it('the recorded sale has the events of mainnet, byte by byte', () => {
  const { owner, payer, keeper, cosigner, terms } = SALE;
  const world = new PredictionWorld({}, SALE);
  for (const signer of [owner, payer, keeper, cosigner]) {
    const funds = { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    world.network.setAccount(signer, { ...funds, executable: false, rentEpoch: 0n });
  }
  world.setVault({ currentContracts: terms.contracts });
  world.give(owner, 0n);
  const { address, bump } = derivePredictionPosition(terms.marketIdHash, owner, terms.isYes);
  expect(address).toBe(SALE.position);
  const position = {
    owner,
    marketIdHash: terms.marketIdHash,
    isYes: terms.isYes,
    isClaimed: false,
    claimed: 0n,
    openedAt: 1n,
    contracts: terms.contracts,
    totalCost: SALE.cost,
    openOrders: 0,
    feesPaid: SALE.fees,
    realizedPnl: 0n,
    updatedAt: 1n,
    bump,
    unitVersion: 1,
    payer,
  };
  world.network.setData(address, PREDICTION_PROGRAM, encodePredictionPosition(position));

  const order = nameWorldOrder(owner, terms, payer);
  world.network.setUnixTime(SALE.createdAt);
  const created = world.send(world.creation(owner, terms, payer));
  world.network.setUnixTime(SALE.filledAt);
  const filled = world.send(
    world.fill(order, terms.contracts, SALE.gross, SALE.venueFee, { orderId: SALE.venueId }),
  );
  world.network.setUnixTime(SALE.closedAt);
  const closed = world.send(world.close(order));

  const events = [created, filled, closed].flatMap(({ logs }) =>
    logs
      .filter((line) => line.startsWith('Program data: '))
      .map((line) => line.slice('Program data: '.length)),
  );
  expect(events).toEqual([SALE.events.created, SALE.events.filled, SALE.events.updated, SALE.events.closed]);
  expect(HOUSE - world.vaultBalance).toBe(4_545_860n);
  expect(world.balance(owner)).toBe(4_545_860n);
});
