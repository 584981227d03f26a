import { describe, expect, it } from 'vitest';
import { decodeBase58 } from '../../solana/encoding/base58.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { RECORDED_SALE as SALE } from '../../testing/predictions/recorded-sale.ts';
import { decodePredictionEvent } from './prediction-events.ts';
import { createFillPredictionSell } from './instructions/prediction-fill-instructions.ts';
import {
  createClosePredictionOrder,
  createNewPredictionOrder,
  decodeNewPredictionOrder,
} from './instructions/prediction-order-instructions.ts';
import { PREDICTION_PROGRAM } from './prediction-program.ts';

// A sale of mainnet, as facts: its creation, its fill and its end, with their accounts, data and events. Source R1 of
// programs/prediction/INTERFACE.md.

describe('the instructions of a recorded sale', () => {
  it('create_order', () => {
    const { terms } = SALE;
    const created = createNewPredictionOrder({ owner: OWNER, payer: PAYER, authority: AUTHORITY }, terms);
    expect(describeInstruction(created)).toEqual({
      accounts: [
        PAYER,
        OWNER,
        AUTHORITY,
        VAULT,
        POSITION,
        ORDER_ADDRESS,
        OWNER_TOKENS,
        MINT,
        ORDER_TOKENS,
        'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
        '11111111111111111111111111111111',
      ],
      data: toHex(SALE.data.create),
    });
    expect(decodeNewPredictionOrder(created)?.terms).toEqual(terms);
  });

  it('fill_sell_order, to which the stand-in adds the result of the market', () => {
    const fill = {
      contracts: SALE.terms.contracts,
      amount: SALE.gross,
      venueFee: SALE.venueFee,
      orderId: SALE.venueId,
      integratorTokenAccount: null,
    };
    const { accounts, data } = describeInstruction(
      createFillPredictionSell({ keeper: KEEPER, cosigner: COSIGNER }, ORDER, fill),
    );
    expect(accounts.slice(0, 10)).toEqual([
      KEEPER,
      COSIGNER,
      OWNER,
      VAULT,
      POSITION,
      ORDER_ADDRESS,
      VAULT_TOKENS,
      ORDER_TOKENS,
      PREDICTION_PROGRAM,
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    ]);
    expect(accounts).toHaveLength(11);
    expect(data).toBe(toHex(SALE.data.fill));
  });

  it('close_order', () => {
    expect(describeInstruction(createClosePredictionOrder(ORDER, KEEPER))).toEqual({
      accounts: [
        OWNER,
        KEEPER,
        VAULT,
        ORDER_ADDRESS,
        PAYER,
        POSITION,
        ORDER_TOKENS,
        OWNER_TOKENS,
        MINT,
        'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        '11111111111111111111111111111111',
        'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
      ],
      data: toHex(SALE.data.close),
    });
  });
});

describe('the events of a recorded sale', () => {
  const common = {
    order: 'BHhiu4YZpAq4mQBR4ks8QJ2ALt1AMYVDd9D6PxjUgxyK',
    marketIdHash: '89c5835acb03d090cd468f702c02e57f',
    owner: 'AeyBYFtgm85BrsZMKrAWdc2qGQqYvwfkt88dZdfYEndS',
    externalOrderId: 'ce2db20914d04b3589745dc5b9272ea8',
    isYes: true,
    isBuy: false,
    contracts: 6_400_000n,
  };
  const filled = { ...common, orderId: VENUE_ID, status: 'filled' };

  it('OrderCreated', () => {
    expect(read(EVENTS.created)).toEqual({
      kind: 'order-created',
      ...common,
      orderId: null,
      limitPrice: 548_000n,
      depositAmount: 0n,
      isLimit: false,
      integrator: '11111111111111111111111111111111',
      integratorFeeBps: 0,
      timestamp: 1_784_953_416n,
    });
  });

  it('OrderFilled and PositionUpdated', () => {
    expect(read(EVENTS.filled)).toEqual({
      kind: 'order-filled',
      ...filled,
      filledContracts: 6_400_000n,
      limitPrice: 548_000n,
      averagePrice: 730_000n,
      totalCost: 4_665_593n,
      grossProceeds: 4_672_000n,
      netProceeds: 4_545_860n,
      transferAmount: 4_545_860n,
      fee: 126_140n,
      integratorFee: 0n,
      integrator: '11111111111111111111111111111111',
      realizedPnl: -183_013n,
      updatedBy: KEEPER,
      timestamp: 1_784_953_425n,
    });
    expect(read(EVENTS.updated)).toEqual({
      kind: 'position-updated',
      position: POSITION,
      owner: OWNER,
      isYes: true,
      contracts: 0n,
      totalCost: 0n,
      realizedPnl: 0n,
      timestamp: 1_784_953_425n,
    });
  });

  it('OrderClosed', () => {
    expect(read(EVENTS.closed)).toEqual({
      kind: 'order-closed',
      ...filled,
      limitPrice: 548_000n,
      transferAmount: 4_545_860n,
      closedBy: KEEPER,
      timestamp: 1_784_953_427n,
    });
  });
});

const { owner: OWNER, payer: PAYER, authority: AUTHORITY, keeper: KEEPER, cosigner: COSIGNER } = SALE;
const {
  position: POSITION,
  order: ORDER_ADDRESS,
  orderTokens: ORDER_TOKENS,
  ownerTokens: OWNER_TOKENS,
} = SALE;
const VAULT = '2y9Ad2GD7gwiMkkMu4bBK5216Pv9YJsBkSHAGwN3rBuJ';
const VAULT_TOKENS = '8zNYCcMUSm4JgTCAYp9JQCAth5Dx8BotpTNcRWGZJnfy';
const MINT = 'JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD';
const VENUE_ID = SALE.venueId;
const ORDER = { ...SALE.terms, owner: OWNER, payer: PAYER };
const EVENTS = SALE.events;

function read(event: string) {
  return decodePredictionEvent(Buffer.from(event, 'base64'));
}

function toHex(base58: string): string {
  return Buffer.from(decodeBase58(base58) ?? []).toString('hex');
}

function describeInstruction(instruction: Instruction) {
  expect(instruction.programAddress).toBe(PREDICTION_PROGRAM);
  return {
    accounts: instruction.accounts.map((meta) => meta.address as string),
    data: Buffer.from(instruction.data).toString('hex'),
  };
}
