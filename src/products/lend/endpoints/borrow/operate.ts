import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { encodeUnsigned } from '../../../../solana/messages/transaction.ts';
import { EXAMPLE_WALLET } from '../../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../../endpoint.ts';
import {
  type BuiltOperate,
  buildOperate,
  type OperateRequest,
} from '../../../../lend/borrow/build-operate.ts';
import { compileOperateMessage } from '../../../../lend/borrow/operate-transaction.ts';
import { BorrowRefused } from '../../../../lend/borrow/refusals.ts';
import { toInstructionForm } from '../forms.ts';
import { LendInstructionJson } from '../schema.ts';
import type { LendServices } from '../services.ts';
import { OPERATE_FIELDS, OPERATE_QUERY, parseOperateRequest } from './request.ts';
import { BorrowError } from './schema.ts';

const OperateBody = named('OperateRequest', OPERATE_FIELDS.schema);

const nftId = Type.Integer({
  description:
    'The id of the position. That of a new one can be taken by another transaction that lands before.',
});
const OperateResponse = named(
  'OperateTransactionResponse',
  Type.Object({
    nftId,
    transaction: Type.String({ description: 'Base64 of the unsigned transaction, in version 0.' }),
  }),
);
const OperateInstructionsResponse = named(
  'OperateInstructionsResponse',
  Type.Object({
    nftId,
    instructions: Type.Array(LendInstructionJson, {
      description: 'In order, without a compute budget. The last one is the operation.',
    }),
    addressLookupTableAddresses: Type.Array(Type.String()),
  }),
);

/** One SOL as collateral of a new position, and no debt. */
const EXAMPLE = {
  vaultId: 1,
  positionId: 0,
  signer: EXAMPLE_WALLET,
  colAmount: '1000000000',
  debtAmount: '0',
};

const DOES =
  'Deposits and withdraws collateral, borrows and repays, alone or together, in a new or an existing position. What the programs would refuse now is refused with their reason.';

export const borrowOperate = defineEndpoint({
  method: 'POST',
  path: '/lend/v1/borrow/operate',
  operationId: 'BuildBorrowOperateTransaction',
  example: { body: EXAMPLE },
  summary: 'Operate a position',
  description: DOES,
  query: OPERATE_QUERY.schema,
  body: OperateBody,
  responses: { 200: OperateResponse, 400: BorrowError },
  handle: (services: LendServices, { query, body }) =>
    answer(services, parsed(query, body), (built, { signer }) => ({
      nftId: built.positionId,
      transaction: Buffer.from(
        encodeUnsigned(compileOperateMessage(services.borrow, signer, built)),
      ).toString('base64'),
    })),
});

export const borrowOperateInstructions = defineEndpoint({
  method: 'POST',
  path: '/lend/v1/borrow/operate-instructions',
  operationId: 'BuildBorrowOperateInstructions',
  example: { body: EXAMPLE },
  summary: 'Operate a position: instructions',
  description: `${DOES} The caller assembles the transaction.`,
  query: OPERATE_QUERY.schema,
  body: OperateBody,
  responses: { 200: OperateInstructionsResponse, 400: BorrowError },
  handle: (services: LendServices, { query, body }) =>
    answer(services, parsed(query, body), (built) => ({
      nftId: built.positionId,
      instructions: built.instructions.map(toInstructionForm),
      addressLookupTableAddresses: built.lookupTable === null ? [] : [built.lookupTable],
    })),
});

/** The request is parsed within the handler, so that refusals by the parser are answered like all others. */
function parsed(query: Type.Static<typeof OPERATE_QUERY.schema>, body: Type.Static<typeof OperateBody>) {
  return () => parseOperateRequest(query, body);
}

async function answer<Answer>(
  { borrow }: LendServices,
  parse: () => OperateRequest,
  map: (built: BuiltOperate, request: OperateRequest) => Answer,
): Promise<Answer | OtherAnswer> {
  try {
    const request = parse();
    return map(await buildOperate(borrow, request), request);
  } catch (error) {
    if (!(error instanceof BorrowRefused) || error.programCode === null) throw error;
    return new OtherAnswer(400, { error: textOf(error), code: error.programCode });
  }
}

/** Returns the text of a refusal, in which an amount has the name of its field. */
function textOf(refused: BorrowRefused): string {
  if (refused.reason.kind !== 'amount') return refused.message;
  const { error, side, minimum, amount: given } = refused.reason.refusal;
  const field = side === 'collateral' ? 'colAmount' : 'debtAmount';
  return `${error}: ${field} must be 0 or at least ${minimum} base units, got ${given}`;
}
