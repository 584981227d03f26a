import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { PREDICTION_ERRORS } from './errors.ts';
import {
  decodePredictionOrder,
  decodePredictionPosition,
  decodePredictionResult,
  encodePredictionOrder,
  encodePredictionPosition,
  encodePredictionResult,
  PREDICTION_ORDER_FILLED_AT,
  PREDICTION_ORDER_SIZE,
  PREDICTION_POSITION_CONTRACTS_AT,
  PREDICTION_POSITION_SIZE,
  PREDICTION_RESULT_SIZE,
} from './prediction-accounts.ts';
import { PREDICTION_TAGS } from './instructions/prediction-instruction.ts';
import {
  createNewPredictionOrder,
  decodeNewPredictionOrder,
} from './instructions/prediction-order-instructions.ts';
import {
  derivePredictionMarket,
  JUPUSD_MINT,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from './prediction-program.ts';
import { decodePredictionVault, encodePredictionVault, PREDICTION_VAULT_SIZE } from './prediction-vault.ts';

// Facts of the public program, which programs/prediction/INTERFACE.md lists with their sources.

describe('the addresses of the prediction program', () => {
  it('are those of mainnet', () => {
    expect(PREDICTION_VAULT).toEqual({ address: '2y9Ad2GD7gwiMkkMu4bBK5216Pv9YJsBkSHAGwN3rBuJ', bump: 254 });
    expect(PREDICTION_VAULT_TOKEN_ACCOUNT).toBe('8zNYCcMUSm4JgTCAYp9JQCAth5Dx8BotpTNcRWGZJnfy');
  });
});

describe('the discriminators', () => {
  it('are those that Anchor derives from the names', () => {
    for (const [name, tag] of Object.entries(PREDICTION_TAGS)) {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(
        createHash('sha256').update(`global:${snake}`).digest().subarray(0, 8).toString('hex'),
        name,
      ).toBe(tag);
    }
  });
});

describe('PREDICTION_ERRORS', () => {
  it('names the codes of the public codecs', () => {
    expect(PREDICTION_ERRORS).toHaveLength(71);
    expect(PREDICTION_ERRORS[53]).toBe('FillPriceExceedsLimit');
    expect(PREDICTION_ERRORS[70]).toBe('TicketRefundWindowExpired');
  });
});

describe('the accounts', () => {
  it('read what they write, in the lengths and at the offsets of mainnet', () => {
    const position = encodePredictionPosition(POSITION);
    expect(position).toHaveLength(PREDICTION_POSITION_SIZE);
    expect(decodePredictionPosition(position)).toEqual(POSITION);
    expect(Buffer.from(position).readBigUInt64LE(PREDICTION_POSITION_CONTRACTS_AT)).toBe(POSITION.contracts);
    const order = encodePredictionOrder(ORDER);
    expect(order).toHaveLength(PREDICTION_ORDER_SIZE);
    expect(decodePredictionOrder(order)).toEqual(ORDER);
    expect(Buffer.from(order).readBigUInt64LE(PREDICTION_ORDER_FILLED_AT)).toBe(ORDER.filledContracts);
    const result = encodePredictionResult(RESULT);
    expect(result).toHaveLength(PREDICTION_RESULT_SIZE);
    expect(decodePredictionResult(result)).toEqual(RESULT);
    const vault = encodePredictionVault(VAULT);
    expect(vault).toHaveLength(PREDICTION_VAULT_SIZE);
    expect(decodePredictionVault(vault)).toEqual(VAULT);
  });

  it('are told apart by their discriminators', () => {
    const [order, position] = [encodePredictionOrder(ORDER), encodePredictionPosition(POSITION)];
    expect(decodePredictionOrder(position)).toBeNull();
    expect(decodePredictionPosition(order)).toBeNull();
    expect(decodePredictionResult(order)).toBeNull();
    expect(decodePredictionVault(order)).toBeNull();
    expect(decodePredictionVault(new Uint8Array(3))).toBeNull();
  });
});

describe('decodeNewPredictionOrder', () => {
  it('reads what createNewPredictionOrder writes', () => {
    const signers = { owner: OWNER, payer: PAYER, authority: AUTHORITY };
    for (const integrator of [null, { address: PAYER, feeBps: 25 }]) {
      const terms = { ...TERMS, integrator };
      const instruction = createNewPredictionOrder(signers, terms);
      expect(instruction.accounts).toHaveLength(12);
      expect(decodeNewPredictionOrder(instruction)).toMatchObject({ ...signers, terms });
    }
  });

  it('returns null for another program and for another instruction', () => {
    const instruction = createNewPredictionOrder({ owner: OWNER, payer: PAYER, authority: AUTHORITY }, TERMS);
    expect(decodeNewPredictionOrder({ ...instruction, programAddress: JUPUSD_MINT })).toBeNull();
    expect(decodeNewPredictionOrder({ ...instruction, data: instruction.data.subarray(1) })).toBeNull();
    expect(decodeNewPredictionOrder({ ...instruction, accounts: [] })).toBeNull();
  });
});

const OWNER = address('5uFXJogUEqBTsVT8AcfuWbC9ZFM1tSzTFJ3eKVeB14yi');
const PAYER = address('8jhWXEL7xbfVhmmTUsJVfKn7o74jDy3uPARPA9TjsZd2');
const AUTHORITY = address('8BJpZsU2ThGmPMCYMsneCTWe9QFy9pTMkbFex7PKxasa');
const MARKET = '0123456789abcdef0123456789abcdef';

const TERMS = {
  externalOrderId: 'fedcba9876543210fedcba9876543210',
  marketIdHash: MARKET,
  isYes: true,
  isBuy: true,
  contracts: 17_680_000n,
  limitPrice: 268_000n,
  depositAmount: 4_994_898n,
  isLimit: false,
  integrator: null,
};

const POSITION = {
  owner: OWNER,
  marketIdHash: MARKET,
  isYes: false,
  isClaimed: true,
  claimed: 1n,
  openedAt: 2n,
  contracts: 3n,
  totalCost: 4n,
  openOrders: 5,
  feesPaid: 6n,
  realizedPnl: -7n,
  updatedAt: 8n,
  bump: 255,
  unitVersion: 1,
  payer: PAYER,
};

const ORDER = {
  owner: OWNER,
  position: PAYER,
  status: 'partially-filled',
  marketIdHash: MARKET,
  isYes: true,
  isBuy: false,
  createdAt: 1n,
  contracts: 2n,
  limitPrice: 3n,
  filledAt: 4n,
  filledContracts: 5n,
  averagePrice: 6n,
  orderId: `0x${'ab'.repeat(32)}`,
  externalOrderId: 'fedcba9876543210fedcba9876543210',
  bump: 254,
  isLimit: true,
  payer: PAYER,
  integrator: AUTHORITY,
  integratorFeeBps: 7,
  unitVersion: 1,
  filledCost: 8n,
  filledFees: 9n,
} as const;

const RESULT = {
  marketIdHash: MARKET,
  outcome: 3,
  settlementTime: 1n,
  claimsEnabled: true,
  createdAt: 2n,
  bump: 253,
} as const;

const VAULT = {
  settlementMint: JUPUSD_MINT,
  currentContracts: 1n,
  globalMaxContracts: 2n,
  positionMaxContracts: 3n,
  positionMaxOrders: 4,
  protocolFeeBps: 5,
  settlementDelaySeconds: 6n,
  depositsDisabled: true,
  withdrawalsDisabled: false,
  tradingDisabled: true,
  bump: 254,
  admin: OWNER,
  authority: AUTHORITY,
  keeper: PAYER,
  cosigner: derivePredictionMarket(MARKET).address,
};
