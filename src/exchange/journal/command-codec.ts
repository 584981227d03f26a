import type { Address } from '../../solana/address.ts';
import type { EndReason, ExchangeCommand, ExchangeOrder } from '../exchange-order.ts';

/** An entry of the journal as JSON has it: a letter for its kind, and its fields. */
export type JournalFields = readonly (string | number | null)[];

/** The bits of the three choices of an order. */
const IS_YES = 1;
const IS_BUY = 2;
const IS_LIMIT = 4;

/** Encodes a command as an entry of the journal. */
export function encodeCommand(command: ExchangeCommand): JournalFields {
  switch (command.kind) {
    case 'open': {
      const { marketId, feeBps, house, netYes } = command.terms;
      return ['o', marketId, feeBps, house.startCents, String(house.levelContracts), String(netYes)];
    }
    case 'halt':
      return ['h', command.marketId];
    case 'close':
      return ['c', command.marketId];
    case 'house':
      return ['n', command.marketId, String(command.netYes)];
    case 'reset':
      return ['x', command.marketId, String(command.netYes)];
    case 'accept':
      return ['a', ...encodeOrder(command.order)];
    case 'end':
      return ['e', command.order, command.reason];
    case 'confirm':
      return ['y', command.trade];
    case 'revert':
      return ['r', command.trade, command.faulty];
    case 'forget':
      return ['f', command.order];
  }
}

/** Decodes what `encodeCommand` has made; null for an entry of another kind. */
export function decodeCommand(fields: JournalFields): ExchangeCommand | null {
  const [kind, first, second] = fields;
  const text = String(first);
  switch (kind) {
    case 'o': {
      const house = { startCents: Number(fields[3]), levelContracts: BigInt(fields[4] ?? 0) };
      const netYes = BigInt(fields[5] ?? 0);
      return { kind: 'open', terms: { marketId: text, feeBps: Number(second), house, netYes } };
    }
    case 'h':
      return { kind: 'halt', marketId: text };
    case 'c':
      return { kind: 'close', marketId: text };
    case 'n':
      return { kind: 'house', marketId: text, netYes: BigInt(second ?? 0) };
    case 'x':
      return { kind: 'reset', marketId: text, netYes: BigInt(second ?? 0) };
    case 'a':
      return { kind: 'accept', order: decodeOrder(fields.slice(1)) };
    case 'e':
      return { kind: 'end', order: text as Address, reason: String(second) as EndReason };
    case 'y':
      return { kind: 'confirm', trade: Number(first) };
    case 'r':
      return {
        kind: 'revert',
        trade: Number(first),
        faulty: second === null ? null : (String(second) as Address),
      };
    case 'f':
      return { kind: 'forget', order: text as Address };
    default:
      return null;
  }
}

/** Encodes the fields of an order. */
export function encodeOrder(order: ExchangeOrder): JournalFields {
  const choices = (order.isYes ? IS_YES : 0) | (order.isBuy ? IS_BUY : 0) | (order.isLimit ? IS_LIMIT : 0);
  return [
    order.address,
    order.owner,
    order.marketId,
    choices,
    String(order.limitPrice),
    String(order.contracts),
    String(order.budget),
    String(order.heldContracts),
  ];
}

/** Decodes what `encodeOrder` has made. */
export function decodeOrder(fields: JournalFields): ExchangeOrder {
  const choices = Number(fields[3]);
  return {
    address: String(fields[0]) as Address,
    owner: String(fields[1]) as Address,
    marketId: String(fields[2]),
    isYes: (choices & IS_YES) !== 0,
    isBuy: (choices & IS_BUY) !== 0,
    isLimit: (choices & IS_LIMIT) !== 0,
    limitPrice: BigInt(fields[4] ?? 0),
    contracts: BigInt(fields[5] ?? 0),
    budget: BigInt(fields[6] ?? 0),
    heldContracts: BigInt(fields[7] ?? 0),
  };
}
