import { EXECUTE_TIMEOUT_MS } from '../../../transactions/submit/submit-and-confirm.ts';
import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { EXAMPLE_WALLET, EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { writeJsonInTurns } from '../../json-in-turns.ts';
import { type CraftedReclaim, craftReclaim } from '../reclaim/craft-reclaim.ts';
import { address } from '../../parameters/kinds.ts';
import { defineBody, defineField } from '../../parameters/parameter.ts';
import { addresses } from './ultra-kinds.ts';
import { executeSigned } from '../../../transactions/signed/execute-signed.ts';
import { toDollars, computeExpiry } from './crafted-json.ts';
import { UltraError } from './schema.ts';
import type { UltraServices } from './services.ts';
import { findGainedValue } from '../reclaim/worth.ts';
import { toInvalidSignedAnswer, toSignedJson } from './signed-json.ts';
import { EXAMPLE_SIGNED, ExecuteSignedBody, SignedFailureJson, SignedJson } from './transfer-schema.ts';

const MAX_MINTS = 200;
/** Many transactions are simulated, one after another. */
const CRAFT_TIMEOUT_MS = 30_000;
/** `code` if the owner has too little SOL for the fees. */
const INSUFFICIENT_SOL = 2;

const lamports = (description: string) => Type.String({ description: `Lamports. ${description}` });
const dollars = (description: string) =>
  Type.Optional(Type.Number({ description: `${description} in US dollars; absent without a price.` }));

const RECLAIM_FIELDS = defineBody({
  owner: address('The wallet that owns the accounts, pays, and gets their rent.'),
  mints: addresses(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MAX_MINTS,
      description: 'The tokens whose associated accounts are closed.',
    }),
    MAX_MINTS,
  ),
  burnWorthless: defineField(
    Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description:
          'Whether balances that are worthless are burned, which cannot be undone. Without it, no account with a balance ' +
          'is closed.',
      }),
    ),
  ),
});
const ReclaimBody = named('ReclaimRequest', RECLAIM_FIELDS.schema);

const CraftedReclaimJson = named(
  'CraftedReclaim',
  Type.Object({
    transactions: Type.Array(
      Type.Object({
        requestId: Type.String({ description: 'For `reclaim/execute`.' }),
        transaction: Type.String({ description: 'The unsigned transaction, base64.' }),
      }),
    ),
    code: Type.Integer({ description: '0, or 2 if the owner has too little SOL for the fees.' }),
    error: Type.Optional(Type.String({ description: 'Why there is no transaction.' })),
    totalLamportsReclaimed: lamports('What the closed accounts hold.'),
    netLamportsReclaimed: lamports('The same without the fees of the network.'),
    netReclaimedUsdAmount: dollars('`netLamportsReclaimed`'),
    serviceFeeLamports: lamports('Always 0.'),
    serviceFeeUsdAmount: dollars('`serviceFeeLamports`'),
    gasCostLamports: lamports('Fees of the network.'),
    gasCostUsdAmount: dollars('`gasCostLamports`'),
    skippedMints: Type.Array(
      Type.Object({ mint: Type.String(), reason: Type.String({ description: 'A word in docs/ultra.md.' }) }),
    ),
    totalTime: Type.Number({ description: 'Milliseconds.' }),
    expireAt: Type.String({ description: 'When the first transaction can no longer land. ISO 8601.' }),
  }),
);
type CraftedReclaimJson = Static<typeof CraftedReclaimJson>;

export const reclaimCraft = defineEndpoint({
  method: 'POST',
  path: '/ultra/v1/reclaim/craft',
  operationId: 'CraftReclaim',
  example: { body: { owner: EXAMPLE_WALLET, mints: [EXAMPLE_MINTS.usdc] } },
  summary: 'Close token accounts',
  description:
    'Makes the transactions that close associated accounts of a wallet and give it their rent. Accounts with a balance ' +
    'are skipped, unless the balance is worthless and `burnWorthless` is true.',
  timeoutMs: CRAFT_TIMEOUT_MS,
  body: ReclaimBody,
  responses: { 200: CraftedReclaimJson, 400: UltraError },
  handle: async (services: UltraServices, { body, work }) => {
    const { timers } = services.wallets;
    const startedAt = timers.now();
    const read = RECLAIM_FIELDS.reader(body);
    const request = {
      owner: read('owner'),
      mints: read('mints'),
      burnsWorthless: read('burnWorthless') === true,
    };
    const crafted = await services.turns.run(false, () => craftReclaim(services.wallets, request, work));
    return writeJsonInTurns(toReclaimJson(services, crafted, timers.now() - startedAt), work);
  },
});

export const reclaimExecute = defineEndpoint({
  method: 'POST',
  path: '/ultra/v1/reclaim/execute',
  operationId: 'ExecuteReclaim',
  example: { body: EXAMPLE_SIGNED },
  summary: 'Land a transaction that closes accounts',
  description:
    'Lands a signed transaction of `reclaim/craft`. One that would fail, for example because an account is no longer empty, ' +
    'is not sent. The same request again has the same answer.',
  bucket: 'execute',
  timeoutMs: EXECUTE_TIMEOUT_MS,
  body: ExecuteSignedBody,
  responses: { 200: SignedJson, 400: SignedFailureJson, 500: SignedFailureJson },
  onInvalid: toInvalidSignedAnswer,
  handle: async ({ wallets }: UltraServices, { body }) => {
    const startedAt = wallets.timers.now();
    const result = await executeSigned(wallets, 'reclaim', body, (message) =>
      findGainedValue(wallets, message),
    );
    const { status, json } = toSignedJson(result, wallets.timers.now() - startedAt);
    return status === 200 ? json : new OtherAnswer(status, json);
  },
});

function toReclaimJson(
  services: UltraServices,
  { transactions, skipped, lamports: total, costLamports, lacking }: CraftedReclaim,
  totalTime: number,
): CraftedReclaimJson {
  const net = total - costLamports;
  const [first] = transactions;
  const height = first?.lastValidBlockHeight ?? services.wallets.chain.blockHeight('confirmed');
  const json: CraftedReclaimJson = {
    transactions: transactions.map(({ requestId, wire }) => ({
      requestId,
      transaction: Buffer.from(wire).toString('base64'),
    })),
    code: lacking === null ? 0 : INSUFFICIENT_SOL,
    totalLamportsReclaimed: String(total),
    netLamportsReclaimed: String(net),
    serviceFeeLamports: '0',
    gasCostLamports: String(costLamports),
    skippedMints: [...skipped],
    totalTime,
    expireAt: computeExpiry(services, height),
  };
  if (lacking !== null) json.error = lacking;
  const [netDollars, costDollars] = [toDollars(services, net), toDollars(services, costLamports)];
  if (netDollars !== null && costDollars !== null) {
    json.netReclaimedUsdAmount = netDollars;
    json.serviceFeeUsdAmount = 0;
    json.gasCostUsdAmount = costDollars;
  }
  return json;
}
