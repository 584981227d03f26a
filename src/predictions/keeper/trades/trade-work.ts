import type { ExchangeTrade, ExchangeTradeSide } from '../../../exchange/exchange-order.ts';
import { PREDICTION_ORDER_FILLED_AT } from '../../../protocols/jupiter-prediction/prediction-accounts.ts';
import {
  createFillPredictionBuy,
  createFillPredictionSell,
  type PredictionFillSigners,
} from '../../../protocols/jupiter-prediction/instructions/prediction-fill-instructions.ts';
import { derivePredictionTokens } from '../../../protocols/jupiter-prediction/prediction-program.ts';
import { createAssertAccountData } from '../../../protocols/lighthouse/assert-account-data.ts';
import type { Address } from '../../../solana/address.ts';
import { measureMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { computeTransactionSize, MAX_TRANSACTION_BYTES } from '../../../solana/messages/transaction.ts';
import { computeBudgetInstructions } from '../../../transactions/build/transaction-message.ts';
import type { OpenPredictionOrder } from '../../prediction.ts';
import { KEEPER_BUDGET } from '../sending/keeper-sender.ts';

/** What one order gives and gets in a transaction, summed over its trades. */
export interface SummedFill {
  readonly order: Address;
  readonly isBuy: boolean;
  readonly contracts: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
  /** The number of the first trade, by which the venue knows the fill. */
  readonly number: number;
}

/** An instruction of a settlement, and whose order it is about. */
export interface SettlementStep {
  readonly order: Address;
  /** A guard ends the transaction if the order is not filled as far as the keeper believes. */
  readonly kind: 'guard' | 'fill';
}

/** Trades as the instructions of one transaction. */
export interface TradeWork {
  readonly fills: readonly SummedFill[];
  readonly instructions: readonly Instruction[];
  /** One for each instruction. */
  readonly steps: readonly SettlementStep[];
}

/** An order as the chain has it, and how far it is filled if the exchange is right. */
export interface BelievedOrder {
  readonly order: OpenPredictionOrder;
  readonly filled: bigint;
}

/** Sums trades by their orders. Purchases come first, so that the vault has their money when it pays for sales. */
export function sumFills(trades: readonly ExchangeTrade[]): readonly SummedFill[] {
  const sums = new Map<Address, SummedFill>();
  for (const trade of trades) {
    for (const side of listSides(trade)) {
      const before = sums.get(side.order);
      sums.set(side.order, {
        order: side.order,
        isBuy: side.isBuy,
        contracts: (before?.contracts ?? 0n) + trade.contracts,
        amount: (before?.amount ?? 0n) + side.amount,
        fee: (before?.fee ?? 0n) + side.fee,
        number: before?.number ?? trade.number,
      });
    }
  }
  return [...sums.values()].sort((one, other) => Number(other.isBuy) - Number(one.isBuy));
}

/** Lists the orders that a trade fills: two, or one if the other side is the house. */
export function listSides({ maker, taker }: ExchangeTrade): readonly ExchangeTradeSide[] {
  return maker === null ? [taker] : [maker, taker];
}

/**
 * Composes the transaction that settles trades.
 *
 * @param orders - All orders of the trades.
 */
export function composeTrades(
  trades: readonly ExchangeTrade[],
  orders: ReadonlyMap<Address, BelievedOrder>,
  signers: PredictionFillSigners,
): TradeWork {
  const fills = sumFills(trades);
  const instructions: Instruction[] = [];
  const steps: SettlementStep[] = [];
  for (const { order: address } of fills) {
    const { filled } = findNamed(orders, address);
    const guard = { offset: PREDICTION_ORDER_FILLED_AT, size: 'u64', value: filled } as const;
    instructions.push(createAssertAccountData(address, guard));
    steps.push({ order: address, kind: 'guard' });
  }
  for (const { order: address, isBuy, contracts, amount, fee, number } of fills) {
    const { order } = findNamed(orders, address);
    const { integrator } = order;
    const fill = {
      contracts,
      amount,
      venueFee: fee,
      orderId: String(number),
      integratorTokenAccount: integrator === null ? null : derivePredictionTokens(integrator),
    };
    const create = isBuy ? createFillPredictionBuy : createFillPredictionSell;
    instructions.push(create(signers, order, fill));
    steps.push({ order: address, kind: 'fill' });
  }
  return { fills, instructions, steps };
}

/** Whether instructions fit into a transaction. */
export function isWithinTransactionSize(feePayer: Address, instructions: readonly Instruction[]): boolean {
  const all = [...computeBudgetInstructions(KEEPER_BUDGET), ...instructions];
  const { bytes, signers } = measureMessage({ feePayer, instructions: all });
  return computeTransactionSize(bytes, signers) <= MAX_TRANSACTION_BYTES;
}

function findNamed<T>(orders: ReadonlyMap<Address, T>, address: Address): T {
  const found = orders.get(address);
  if (found === undefined) throw new Error(`the order ${address} of a trade was not read`);
  return found;
}
