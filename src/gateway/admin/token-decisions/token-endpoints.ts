import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatForError } from '../../../common/format-for-error.ts';
import { change } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import type { TokenDecision } from '../../../tokens/decision.ts';
import type { VerificationRequest, VerificationRequests } from '../../../tokens/verification/requests.ts';
import type { StoredTokenDecisions } from '../../../tokens/verification/stored-decisions.ts';
import { actorOf } from '../access/access.ts';
import { AdminRequestRefused } from '../access/unwrap-result.ts';
import * as shape from './token-schema.ts';

/** What the routes of tokens work on. */
export interface TokenControls {
  readonly platform: PlatformDependencies;
  readonly decisions: StoredTokenDecisions;
  readonly requests: VerificationRequests;
}

const TOKENS = '/admin/v1/tokens';
const REQUESTS = '/admin/v1/token-requests';
const REQUEST = `${REQUESTS}/:signature`;

/** Registers the operator's decisions about tokens, and the paid requests for their verification. */
export function registerTokens(root: FastifyInstance, controls: TokenControls): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const { decisions, requests } = controls;
  app.get(
    TOKENS,
    {
      schema: createDecisionRouteSchema('All decisions about tokens', {
        response: { 200: shape.TokensAnswer },
      }),
    },
    async () => ({
      decisions: [...decisions.mints()].map((mint) => toTokenAnswer(mint, decisions.of(mint))),
    }),
  );
  app.put(
    `${TOKENS}/:mint`,
    {
      schema: createDecisionRouteSchema('Verify a token, take that back, or ban the token', {
        params: shape.TokenParams,
        body: shape.TokenBody,
        response: { 200: shape.TokenAnswer },
      }),
    },
    async (request) => {
      const mint = requireMint(request.params.mint);
      const { level, tags } = request.body;
      await writeStanding(controls, request, mint, (before) => ({
        level,
        tags: tags ?? before?.tags ?? [],
        details: before?.details ?? {},
      }));
      return toTokenAnswer(mint, decisions.of(mint));
    },
  );
  app.delete(
    `${TOKENS}/:mint`,
    {
      schema: createDecisionRouteSchema(
        'Forget the decision about a token, with what was approved about it',
        {
          params: shape.TokenParams,
          response: { 200: shape.TokenAnswer },
        },
      ),
    },
    async (request) => {
      const mint = requireMint(request.params.mint);
      await writeStanding(controls, request, mint, () => null);
      return toTokenAnswer(mint, null);
    },
  );
  app.get(
    REQUESTS,
    {
      schema: createDecisionRouteSchema('The newest 500 requests in a state', {
        querystring: shape.RequestsQuery,
        response: { 200: shape.RequestsAnswer },
      }),
    },
    async ({ query }) => ({ requests: (await requests.list(query.state ?? 'pending')).map(toRequestAnswer) }),
  );
  registerDecisions(root, controls);
}

function registerDecisions(root: FastifyInstance, controls: TokenControls): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  for (const [verb, summary] of [
    ['approve', 'Approve a request: the token is verified, and shows the submitted metadata'],
    ['reject', 'Reject a request. The payment is not returned'],
  ] as const) {
    app.post(
      `${REQUEST}/${verb}`,
      {
        schema: createDecisionRouteSchema(summary, {
          params: shape.RequestParams,
          response: { 200: shape.RequestAnswer },
        }),
      },
      async (request) =>
        toRequestAnswer(await decide(controls, request, request.params.signature, verb === 'approve')),
    );
  }
}

/** Closes a request and applies what it asked for, in one transaction with its entry of the audit log. */
async function decide(
  { platform, decisions, requests }: TokenControls,
  request: FastifyRequest,
  signature: string,
  approved: boolean,
): Promise<VerificationRequest> {
  const decided = await change(platform, actorOf(request), async (db) => {
    const found = await requests.decide(db, signature, approved);
    if (found === null) {
      throw new AdminRequestRefused(
        404,
        `there is no request ${formatForError(signature)} that waits for a decision`,
      );
    }
    const { mint, submission, wantsVerification } = found;
    const done = { result: found, action: `token.request_${found.state}`, subject: mint };
    if (!approved) return { ...done, before: null, after: { signature } };
    const { before, after } = await decisions.write(db, mint, (known) => ({
      level: wantsVerification ? 'verified' : (known?.level ?? 'listed'),
      tags: known?.tags ?? [],
      details: { ...known?.details, ...submission.details },
    }));
    return { ...done, before, after: { signature, ...after } };
  });
  await decisions.refresh();
  return decided;
}

async function writeStanding(
  { platform, decisions }: TokenControls,
  request: FastifyRequest,
  mint: Address,
  decideOn: (before: TokenDecision | null) => TokenDecision | null,
): Promise<void> {
  await change(platform, actorOf(request), async (db) => {
    const { before, after } = await decisions.write(db, mint, decideOn);
    return { result: null, action: 'token.decided', subject: mint, before, after };
  });
  await decisions.refresh();
}

/** @throws AdminRequestRefused when the text is no address */
function requireMint(text: string): Address {
  const mint = parseAddress(text);
  if (mint === null)
    throw new AdminRequestRefused(400, `mint must be an address in base58, got ${formatForError(text)}`);
  return mint;
}

function toTokenAnswer(mint: Address, decision: TokenDecision | null) {
  const { level, tags, details } = decision ?? { level: 'listed' as const, tags: [], details: {} };
  return { mint, level, tags: [...tags], details: { ...details } };
}

function toRequestAnswer(request: VerificationRequest) {
  const { signature, mint, sender, currency, amount, state, submission, wantsVerification, createdAt } =
    request;
  const { twitterHandle, senderTwitterHandle, description, details, notes } = submission;
  return {
    signature,
    mint,
    sender,
    currency,
    amount: String(amount),
    state,
    wantsVerification,
    twitterHandle,
    senderTwitterHandle,
    description,
    details: details === null ? null : { ...details },
    notes: { ...notes },
    createdAt,
  };
}

function createDecisionRouteSchema<S extends object>(summary: string, schema: S) {
  return { tags: ['token decisions'], summary, ...schema };
}
