import type { EmittedEvent } from '../../chain/events/emitted-events.ts';
import type { EventMoment } from '../../chain/events/followed-program.ts';
import {
  type DcaClosed,
  type DcaFilled,
  type DcaOpened,
  decodeDcaEvent,
} from '../../protocols/jupiter-dca/dca-events.ts';
import { decodeDcaTerms } from '../../protocols/jupiter-dca/dca-instructions.ts';
import { DCA_EVENT_AUTHORITY, DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import { maximum } from '../../solana/units.ts';
import type { ChangedOrder, OrderStep } from '../store/order-changes.ts';
import type { RecordedDcaOrder, RecordedOrder } from '../store/order-rows.ts';
import type { FollowedOrderProgram } from './followed-program.ts';

/** The program of orders that trade in equal parts over time. */
export const FOLLOWED_DCA_ORDERS: FollowedOrderProgram = {
  name: 'dca',
  program: DCA_PROGRAM,
  eventAuthority: DCA_EVENT_AUTHORITY.address,
  toStep,
};

function toStep(emitted: EmittedEvent, moment: EventMoment): OrderStep | null {
  const event = decodeDcaEvent(emitted.data);
  switch (event?.kind) {
    case 'opened':
      return { kind: 'open', order: openOrder(event, emitted, moment) };
    case 'filled':
      return changeOrder(event.order, (order) => fillOrder(order, event, emitted, moment));
    case 'withdrawn': {
      const { order: address, inAmount, outAmount } = event;
      return changeOrder(address, ({ inWithdrawn, outWithdrawn }) => ({
        inWithdrawn: inWithdrawn + inAmount,
        outWithdrawn: outWithdrawn + outAmount,
        updatedAt: moment.at,
      }));
    }
    case 'deposited': {
      const { order: address, amount } = event;
      return changeOrder(address, ({ inDeposited }) => ({
        inDeposited: inDeposited + amount,
        updatedAt: moment.at,
      }));
    }
    case 'closed':
      return changeOrder(event.order, (order) => closeOrder(order, event, moment));
    default:
      return null;
  }
}

type Change = Partial<RecordedDcaOrder> & { readonly trade?: ChangedOrder['trade'] };

function changeOrder(address: DcaOpened['order'], change: (order: RecordedDcaOrder) => Change): OrderStep {
  return {
    kind: 'change',
    address,
    change: (order) => {
      const { trade = null, ...fields } = change(requireDcaOrder(order));
      return { order: { ...requireDcaOrder(order), ...fields }, trade };
    },
  };
}

/** Addresses of the two programs never meet, because each is derived from its program. */
function requireDcaOrder(order: RecordedOrder): RecordedDcaOrder {
  if (order.program !== 'dca') throw new Error(`${order.address} is no DCA order`);
  return order;
}

/** The event does not repeat the bounds of a cycle, which are in the arguments of the instruction. */
function openOrder(event: DcaOpened, { by }: EmittedEvent, { signature, at }: EventMoment): RecordedDcaOrder {
  const terms = decodeDcaTerms(by.data);
  return {
    program: 'dca',
    address: event.order,
    maker: event.user,
    inputMint: event.inputMint,
    outputMint: event.outputMint,
    inDeposited: event.inDeposited,
    inWithdrawn: 0n,
    inUsed: 0n,
    outReceived: 0n,
    outWithdrawn: 0n,
    inAmountPerCycle: event.inAmountPerCycle,
    cycleFrequency: event.cycleFrequency,
    minOutAmount: terms?.minOutAmount ?? 0n,
    maxOutAmount: terms?.maxOutAmount ?? 0n,
    createdAt: event.createdAt,
    updatedAt: at,
    openSignature: signature,
    closeSignature: null,
    userClosed: false,
  };
}

/** The keeper is the first account of the instruction that fills. */
function fillOrder(
  { inUsed, outReceived, maker }: RecordedDcaOrder,
  { inAmount, outAmount, fee }: DcaFilled,
  { by }: EmittedEvent,
  { signature, at }: EventMoment,
): Change {
  return {
    inUsed: inUsed + inAmount,
    outReceived: outReceived + outAmount,
    updatedAt: at,
    trade: {
      keeper: by.accounts[0] ?? maker,
      inputAmount: inAmount,
      outputAmount: outAmount,
      feeAmount: fee,
      signature,
      at,
    },
  };
}

/**
 * The totals of the event count what the closing paid, so that nothing is left of either token. They are right even if fills
 * were passed over.
 */
function closeOrder(order: RecordedDcaOrder, event: DcaClosed, { signature, at }: EventMoment): Change {
  const { inDeposited, totalInWithdrawn, totalOutWithdrawn, userClosed } = event;
  return {
    inDeposited,
    inWithdrawn: totalInWithdrawn,
    inUsed: maximum(order.inUsed, inDeposited - totalInWithdrawn),
    outReceived: maximum(order.outReceived, totalOutWithdrawn),
    outWithdrawn: totalOutWithdrawn,
    userClosed,
    closeSignature: signature,
    updatedAt: at,
  };
}
