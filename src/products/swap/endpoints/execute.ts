import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { EXAMPLE_TRANSACTION } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { executeSwap } from '../execution/execute.ts';
import {
  Code,
  createExecutionRefusal,
  type ExecutionRefused,
  type ExecutionResult,
  type SwapFailed,
} from '../../../swaps/orders/execution-result.ts';
import type { SwapServices } from '../order/swap-services.ts';
import { NOTHING_SWAPPED, type SwappedAmounts } from '../../../swaps/orders/swapped-amounts.ts';
import { ORDER_NOT_FOUND } from './refusal.ts';

const ExecuteBody = named(
  'ExecuteRequest',
  Type.Object({
    signedTransaction: Type.String({
      description: 'Base64: the transaction of the order, with every signature that it needs.',
    }),
    requestId: Type.String({ description: 'Of the order.' }),
    lastValidBlockHeight: Type.Optional(
      Type.Union([Type.String(), Type.Integer(), Type.Null()], {
        description: 'When given, it must be that of the order.',
      }),
    ),
  }),
);

const SwapEventJson = named(
  'SwapEvent',
  Type.Object({
    inputMint: Type.String(),
    inputAmount: Type.String(),
    outputMint: Type.String(),
    outputAmount: Type.String(),
  }),
);

const amount = (description: string) => Type.Optional(Type.String({ description }));

const ExecuteResponse = named(
  'ExecuteResponse',
  Type.Object({
    status: Type.Enum(['Success', 'Failed']),
    signature: Type.Optional(Type.String({ description: 'Absent when the fee payer has not signed.' })),
    slot: Type.Optional(
      Type.String({ description: 'Where it landed; `0` when it did not, and absent while that is unknown.' }),
    ),
    code: Type.Number({
      description:
        '0: success. A positive code is that of the program that failed. -1000: did not land. -1001: unknown. ' +
        '-1002: the network refuses the transaction. -1003: not fully signed. -1004: block height. ' +
        'Of a swap with a maker: -2000: did not land. -2001: unknown. -2002: the network refuses it. ' +
        '-2003: its quote expired. -2004: it was rejected.',
    }),
    error: Type.Optional(Type.String({ description: 'What went wrong, by name where it has one.' })),
    errorCode: Type.Optional(Type.Number({ description: 'The same as `code`, where it failed.' })),
    errorMessage: Type.Optional(Type.String({ description: 'The same as `error`.' })),
    totalInputAmount: amount('What left the wallet, fees in the input token included.'),
    totalOutputAmount: amount('What arrived, after fees in the output token.'),
    inputAmountResult: amount('What went into the route.'),
    outputAmountResult: amount('What the route paid.'),
    swapEvents: Type.Optional(Type.Array(SwapEventJson, { description: 'Each step of the route.' })),
  }),
);

const ExecuteRefusal = named(
  'ExecuteRefusal',
  Type.Object({
    error: Type.String(),
    code: Type.Optional(
      Type.Number({
        description:
          '-1: no such order. -2: not a transaction, or wrongly signed. -3: not the message of the order. ' +
          '-4: no requestId. -5: no signedTransaction.',
      }),
    ),
    errorCode: Type.Optional(Type.Number({ description: 'The same as `code`.' })),
    errorMessage: Type.Optional(Type.String({ description: 'The same as `error`.' })),
    details: Type.Optional(Type.String({ description: 'Why there is no such order, in a sentence.' })),
  }),
);

const ExecuteDefect = named(
  'ExecuteDefect',
  Type.Object({
    error: Type.String(),
    code: Type.Number({ description: '-1001: the outcome is unknown. Send the same request again.' }),
    errorCode: Type.Number({ description: 'The same as `code`.' }),
    errorMessage: Type.String({ description: 'The same as `error`.' }),
  }),
);

type ExecuteRefusal = Type.Static<typeof ExecuteRefusal>;
export type ExecuteResponse = Type.Static<typeof ExecuteResponse>;

/** Somewhat longer than a transaction may take to land. */
const TIMEOUT_MS = 150_000;

export const execute = defineExecution({
  path: '/swap/v2/execute',
  aliases: ['/ultra/v1/execute'],
  operationId: 'PostExecute',
  summary: 'Land a signed order',
  description:
    'Sends the signed transaction of an order until it is confirmed or runs out, and says what it moved.',
});

export const executeMultisig = defineExecution({
  path: '/swap/v2/squads/v5/execute',
  aliases: [],
  operationId: 'PostSquadsExecute',
  summary: 'Land a signed order of a multisig',
  description: 'Does the same as `/swap/v2/execute`. Every wallet that the order names must have signed.',
});

interface ExecutionPath {
  readonly path: string;
  readonly aliases: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** Every path that lands orders does the same. */
function defineExecution({ path, aliases, operationId, summary, description }: ExecutionPath) {
  return defineEndpoint({
    method: 'POST',
    path,
    aliases,
    bucket: 'execute',
    timeoutMs: TIMEOUT_MS,
    operationId,
    example: {
      body: { signedTransaction: EXAMPLE_TRANSACTION, requestId: '0199b2f4-5b6c-7000-8000-000000000000' },
    },
    summary,
    description,
    body: ExecuteBody,
    responses: { 200: ExecuteResponse, 400: ExecuteRefusal, 500: ExecuteDefect },
    repeatKey: findRequestId,
    onInvalid: findBodyRefusal,
    // The swap may have been sent, so the client must repeat the same request.
    onDefect: (message) => toExecuteRefusal(createExecutionRefusal(Code.UNKNOWN, message)),
    handle: async ({ swap }: SwapServices, { body, noteOrder }) => {
      const { requestId } = body;
      let router = '';
      const outcome = await executeSwap(swap, body, (order) => {
        router = order.router;
        noteOrder?.({ requestId, router, code: null, signature: '' });
      });
      const signature = outcome.kind === 'refused' ? null : outcome.signature;
      const code = outcome.kind === 'succeeded' ? Code.SUCCESS : outcome.code;
      noteOrder?.({ requestId, router, code, signature: signature ?? '' });
      if (outcome.kind !== 'refused') return toExecuteResponse(outcome);
      return new OtherAnswer(400, toExecuteRefusal(outcome));
    },
  });
}

/** Each order is executed once, so requests for the same order wait for the same answer. */
function findRequestId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('requestId' in body)) return null;
  return typeof body.requestId === 'string' ? body.requestId : null;
}

/** A missing field has its own code. */
function findBodyRefusal(body: unknown, { message }: Error): OtherAnswer | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  if ('requestId' in body && 'signedTransaction' in body) return null;
  const code = 'requestId' in body ? Code.MISSING_SIGNED_TRANSACTION : Code.MISSING_REQUEST_ID;
  return new OtherAnswer(400, toExecuteRefusal(createExecutionRefusal(code, message)));
}

/** Maps the result of an execution to the body of `POST /swap/v2/execute`. */
export function toExecuteResponse(result: ExecutionResult): ExecuteResponse {
  if (result.kind === 'succeeded') {
    const { signature, slot, amounts } = result;
    const response = { status: 'Success', signature, slot: slot.toString(), code: Code.SUCCESS } as const;
    return amounts === null ? response : { ...response, ...toAmountFields(amounts) };
  }
  const { code, reason, signature } = result;
  const response = { status: 'Failed', ...toErrorFields(code, reason) } as const;
  const signed = signature === null ? response : { ...response, signature };
  const slot = toSlotText(result);
  return slot === null ? signed : { ...signed, slot, ...toAmountFields(NOTHING_SWAPPED) };
}

/** Maps a refusal to the body of a 400. */
function toExecuteRefusal({ code, reason }: ExecutionRefused): ExecuteRefusal {
  if (code !== Code.MISSING_ORDER) return toErrorFields(code, reason);
  return { ...toErrorFields(code, ORDER_NOT_FOUND), details: reason };
}

/**
 * Clients read one pair of fields or the other, depending on the version of the public interface that they were
 * written for.
 */
function toErrorFields(code: number, error: string) {
  return { code, error, errorCode: code, errorMessage: error };
}

/** Returns "0" for a swap that did not land; null while it may still land. */
function toSlotText({ code, slot }: SwapFailed): string | null {
  if (slot !== null) return slot.toString();
  return code === Code.UNKNOWN || code === Code.MAKER_UNKNOWN ? null : '0';
}

function toAmountFields({ totalInput, totalOutput, routeInput, routeOutput, steps }: SwappedAmounts) {
  return {
    totalInputAmount: totalInput.toString(),
    totalOutputAmount: totalOutput.toString(),
    inputAmountResult: routeInput.toString(),
    outputAmountResult: routeOutput.toString(),
    swapEvents: steps.map(({ inputMint, inputAmount, outputMint, outputAmount }) => ({
      inputMint,
      inputAmount: inputAmount.toString(),
      outputMint,
      outputAmount: outputAmount.toString(),
    })),
  };
}
