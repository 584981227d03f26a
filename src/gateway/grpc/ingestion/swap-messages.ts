import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { SwapMessage } from '../../../rfq/streams/swap-connections.ts';
import type { MakerMessage } from '../../../rfq/streams/swap-streams.ts';
import {
  type MarketMakerSwap,
  SwapMessageType,
  type SwapUpdate,
  SwapUpdateSchema,
} from '../generated/market_maker_pb.js';

const KINDS: Partial<Record<SwapMessageType, MakerMessage['kind']>> = {
  [SwapMessageType.PING]: 'ping',
  [SwapMessageType.PONG]: 'pong',
  [SwapMessageType.SWAP_SUBMIT]: 'submit',
};

export function toMakerMessage({ messageType, swapUuid, signedTransaction }: MarketMakerSwap): MakerMessage {
  return { kind: KINDS[messageType] ?? 'other', swapUuid, signedTransaction };
}

export function toSwapUpdate(message: SwapMessage): SwapUpdate {
  return create(SwapUpdateSchema, toSwapUpdateFields(message));
}

function toSwapUpdateFields(message: SwapMessage): MessageInitShape<typeof SwapUpdateSchema> {
  switch (message.kind) {
    case 'ready':
      return { messageType: SwapMessageType.CONNECTION_READY, statusMessage: message.text };
    case 'pong':
      return { messageType: SwapMessageType.PONG, ...(message.text ? { statusMessage: message.text } : {}) };
    case 'available':
      return {
        messageType: SwapMessageType.SWAP_AVAILABLE,
        swapUuid: message.swapUuid,
        unsignedTransaction: Buffer.from(message.transaction).toString('base64'),
      };
    case 'confirmed':
      return {
        messageType: SwapMessageType.TRANSACTION_CONFIRMED,
        swapUuid: message.swapUuid,
        transactionSignature: message.signature,
      };
    case 'error':
      return {
        messageType: SwapMessageType.ERROR,
        swapUuid: message.swapUuid,
        statusMessage: message.text,
      };
  }
}
