import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { AdminRefused, FaucetRefused } from '../../../chain/embedded/ledger/bank.ts';
import { type Faults, NO_FAULTS } from '../../../chain/embedded/blocks/faults.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../../rfq/index.ts';
import { answerError, sendGatewayError, type Thrown } from '../../http/errors.ts';
import { RequestInvalid } from '../../http/validation.ts';
import type { AdminNetwork } from './network-controls.ts';
import {
  AccountsAnswer,
  AccountsBody,
  ClockAnswer,
  ClockBody,
  FaucetAnswer,
  FaucetBody,
  FaultsBody,
  FaultsJson,
  NetworkAnswer,
  NextFaultBody,
  NextFaultsAnswer,
} from './network-schema.ts';
import { registerCallFaults } from './call-fault-endpoints.ts';
import { registerPrices } from './price-endpoints.ts';
import { registerSnapshots } from './snapshot-endpoints.ts';
import { parseAddressField, parseBase64Field, parseU64Field } from './fields.ts';

const PREFIX = '/admin/v1/network';
/** Room for one account of the largest size that the runtime allows, 10 MiB, in base64. */
const ACCOUNTS_BODY_LIMIT = 16 * 1024 * 1024;
const MAX_CLOCK_DIFFERENCE_SECONDS = MAX_CLOCK_DIFFERENCE_MS / 1_000;
const NEVER_RENT_EPOCH = (1n << 64n) - 1n;

/**
 * Registers the controls of the embedded network, for tests. With `production`, and over an outside RPC, each is answered
 * with 403.
 * @param controls - Null over an outside RPC.
 * @param registerMore - Adds routes that are refused in the same cases.
 */
export function registerNetworkControls(
  root: FastifyInstance,
  controls: AdminNetwork | null,
  production: boolean,
  registerMore: (scope: FastifyInstance) => void = () => {},
): void {
  if (controls === null) {
    const refusal =
      'This instance runs over an outside RPC (rpc-url): it has no faucet and no controls of that network';
    for (const path of [PREFIX, `${PREFIX}/*`]) {
      root.all(path, { schema: { hide: true } }, async (_request, reply) =>
        sendGatewayError(reply, 403, refusal),
      );
    }
    return;
  }
  root.register(async (scope) => {
    scope.setErrorHandler((error: Thrown, request, reply) =>
      answerError(isRefusal(error) ? new RequestInvalid(error.message) : error, request, reply),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      if (!production) return undefined;
      return sendGatewayError(
        reply,
        403,
        'The network’s controls are for tests, and this instance runs with production=true',
      );
    });
    registerClockAndAccounts(scope, controls);
    registerSnapshots(scope, PREFIX, controls);
    registerFaults(scope, controls);
    registerNextFaults(scope, controls);
    registerCallFaults(scope, controls);
    registerPrices(scope, PREFIX, controls);
    registerMore(scope);
  });
}

function isRefusal(error: Error): boolean {
  return error instanceof AdminRefused || error instanceof FaucetRefused;
}

function registerClockAndAccounts(scope: FastifyInstance, controls: AdminNetwork): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    PREFIX,
    {
      schema: {
        tags: ['network'],
        summary: 'Where the embedded network is, and its clock',
        response: { 200: NetworkAnswer },
      },
    },
    async () => {
      const { slot, unixTimestamp } = controls.clock();
      const { rpcUrl, wsUrl } = controls;
      return { rpcUrl, wsUrl, slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
    },
  );
  app.post(
    `${PREFIX}/faucet`,
    {
      schema: {
        tags: ['network'],
        summary: 'Give tokens to a wallet',
        body: FaucetBody,
        response: { 200: FaucetAnswer },
      },
    },
    async ({ body }) =>
      controls.faucet(
        parseAddressField('wallet', body.wallet),
        parseAddressField('mint', body.mint),
        parseU64Field('amount', body.amount),
      ),
  );
  app.post(
    `${PREFIX}/clock`,
    {
      schema: {
        tags: ['network'],
        summary: 'Move the clock forward',
        body: ClockBody,
        response: { 200: ClockAnswer },
      },
    },
    async ({ body: { slots = 0, seconds = 0 } }) => {
      const { slot, unixTimestamp } = await controls.warp({ slots, seconds });
      const notice = findClockWarning(unixTimestamp);
      const clock = { slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
      return notice === null ? clock : { ...clock, notice };
    },
  );
  app.post(
    `${PREFIX}/accounts`,
    {
      bodyLimit: ACCOUNTS_BODY_LIMIT,
      schema: {
        tags: ['network'],
        summary: 'Write accounts',
        body: AccountsBody,
        response: { 200: AccountsAnswer },
      },
    },
    async ({ body }) => {
      const slot = await controls.setAccounts(
        body.accounts.map(({ address, account }, index) => ({
          address: parseAddressField(`accounts[${index}].address`, address),
          account: account === null ? null : parseAccountFields(account, `accounts[${index}].account`),
        })),
      );
      return { slot: slot.toString() };
    },
  );
}

/**
 * Returns a warning if the network's clock is so far off that makers take no part in orders, which nothing else would show.
 * @param unixTimestamp - The time of the network, in Unix seconds.
 */
function findClockWarning(unixTimestamp: bigint): string | null {
  const apart = Math.abs(Number(unixTimestamp) - Date.now() / 1_000);
  if (apart <= MAX_CLOCK_DIFFERENCE_SECONDS) return null;
  return `the network's clock is ${Math.round(apart)} s from that of this machine: makers take no part in orders while it is more than ${MAX_CLOCK_DIFFERENCE_SECONDS} s away, because they judge by their own clocks when a fill expires`;
}

function parseAccountFields(
  json: { readonly lamports: string; readonly owner: string; readonly data: string },
  path: string,
) {
  return {
    lamports: parseU64Field(`${path}.lamports`, json.lamports),
    owner: parseAddressField(`${path}.owner`, json.owner),
    data: parseBase64Field(`${path}.data`, json.data),
    executable: false,
    rentEpoch: NEVER_RENT_EPOCH,
  };
}

function registerFaults(scope: FastifyInstance, controls: AdminNetwork): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: FaultsJson };
  app.get(
    `${PREFIX}/faults`,
    { schema: { tags: ['network'], summary: 'The injected faults', response } },
    async () => toJson(await controls.faults()),
  );
  app.put(
    `${PREFIX}/faults`,
    {
      schema: {
        tags: ['network'],
        summary: 'Inject faults; those that are not named are switched off',
        body: FaultsBody,
        response,
      },
    },
    async ({ body: { congestion = '0', ...rest } }) => {
      await controls.setFaults({
        ...NO_FAULTS,
        ...rest,
        congestion: parseU64Field('congestion', congestion),
      });
      return toJson(await controls.faults());
    },
  );
}

function registerNextFaults(scope: FastifyInstance, controls: AdminNetwork): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const path = `${PREFIX}/faults/next`;
  const response = { 200: NextFaultsAnswer };
  const list = async () => {
    const { waiting, struck } = await controls.nextFaults();
    return {
      waiting: waiting.map(({ effect, count, wallet, program }) => ({ effect, count, wallet, program })),
      struck: struck.map(({ effect, signature, slot }) => ({ effect, signature, slot: slot.toString() })),
    };
  };
  app.get(
    path,
    { schema: { tags: ['network'], summary: 'The faults of the next transactions', response } },
    list,
  );
  app.post(
    path,
    {
      schema: {
        tags: ['network'],
        summary: 'Drop, delay or fail the next transactions',
        body: NextFaultBody,
        response,
      },
    },
    async ({ body: { effect, count = 1, wallet, program, slots = 10, code = 1 } }) => {
      await controls.faultNext({
        effect,
        count,
        wallet: wallet === undefined ? null : parseAddressField('wallet', wallet),
        program: program === undefined ? null : parseAddressField('program', program),
        slots,
        code,
      });
      return list();
    },
  );
  app.delete(
    path,
    { schema: { tags: ['network'], summary: 'Forget the faults of the next transactions', response } },
    async () => {
      await controls.clearNextFaults();
      return list();
    },
  );
}

function toJson(faults: Faults): FaultsJson {
  return { ...faults, congestion: faults.congestion.toString() };
}
