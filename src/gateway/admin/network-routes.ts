import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { AdminRefused, FaucetRefused } from '../../chain/embedded/ledger/bank.ts';
import { type Faults, NO_FAULTS } from '../../chain/embedded/blocks/faults.ts';
import { answerError, sendGatewayError, type Thrown } from '../http/errors.ts';
import { RequestInvalid } from '../http/validation.ts';
import type { NetworkControls } from './network-controls.ts';
import {
  AccountsAnswer,
  AccountsBody,
  ClockAnswer,
  ClockBody,
  FaucetAnswer,
  FaucetBody,
  FaultsBody,
  FaultsJson,
  SnapshotBody,
  SnapshotParams,
  SnapshotsAnswer,
} from './schema.ts';
import { addressField, base64Field, u64Field } from './values.ts';

const PREFIX = '/admin/v1/network';
/** One account of the largest size that the runtime knows, 10 MiB, in base64. */
const ACCOUNTS_BODY_LIMIT = 16 * 1024 * 1024;
const NEVER_RENT_EPOCH = (1n << 64n) - 1n;

/**
 * Controls of the embedded network for tests. With `production`, and over a network outside, each is refused.
 * @param registerMore adds routes that are refused there too
 */
export function registerNetworkControls(
  root: FastifyInstance,
  controls: NetworkControls | null,
  production: boolean,
  registerMore: (scope: FastifyInstance) => void = () => {},
): void {
  if (controls === null) {
    const refusal =
      'This instance runs over an outside RPC (rpc-url): it has no faucet and no controls of that network';
    root.all(`${PREFIX}/*`, { schema: { hide: true } }, async (_request, reply) =>
      sendGatewayError(reply, 403, refusal),
    );
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
    registerSnapshots(scope, controls);
    registerFaults(scope, controls);
    registerMore(scope);
  });
}

function isRefusal(error: Error): boolean {
  return error instanceof AdminRefused || error instanceof FaucetRefused;
}

function registerClockAndAccounts(scope: FastifyInstance, controls: NetworkControls): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
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
        addressField('wallet', body.wallet),
        addressField('mint', body.mint),
        u64Field('amount', body.amount),
      ),
  );
  app.post(
    `${PREFIX}/clock`,
    {
      schema: {
        tags: ['network'],
        summary: 'Jump ahead',
        body: ClockBody,
        response: { 200: ClockAnswer },
      },
    },
    async ({ body: { slots = 0, seconds = 0 } }) => {
      const { slot, unixTimestamp } = await controls.warp({ slots, seconds });
      return { slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
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
          address: addressField(`accounts[${index}].address`, address),
          account: account === null ? null : accountOf(account, `accounts[${index}].account`),
        })),
      );
      return { slot: slot.toString() };
    },
  );
}

function accountOf(
  json: { readonly lamports: string; readonly owner: string; readonly data: string },
  path: string,
) {
  return {
    lamports: u64Field(`${path}.lamports`, json.lamports),
    owner: addressField(`${path}.owner`, json.owner),
    data: base64Field(`${path}.data`, json.data),
    executable: false,
    rentEpoch: NEVER_RENT_EPOCH,
  };
}

function registerSnapshots(scope: FastifyInstance, controls: NetworkControls): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const all = async () => ({
    snapshots: (await controls.snapshots()).map(({ name, slot }) => ({ name, slot: slot.toString() })),
  });
  const response = { 200: SnapshotsAnswer };
  app.get(
    `${PREFIX}/snapshots`,
    { schema: { tags: ['network'], summary: 'The named states', response } },
    all,
  );
  app.post(
    `${PREFIX}/snapshots`,
    {
      schema: {
        tags: ['network'],
        summary: 'Keep the present state under a name',
        body: SnapshotBody,
        response,
      },
    },
    async ({ body }) => {
      await controls.saveSnapshot(body.name);
      return all();
    },
  );
  app.post(
    `${PREFIX}/snapshots/:name/restore`,
    { schema: { tags: ['network'], summary: 'Go back to a named state', params: SnapshotParams, response } },
    async ({ params }) => {
      await controls.restoreSnapshot(params.name);
      return all();
    },
  );
  app.delete(
    `${PREFIX}/snapshots/:name`,
    { schema: { tags: ['network'], summary: 'Forget a named state', params: SnapshotParams, response } },
    async ({ params }) => {
      await controls.deleteSnapshot(params.name);
      return all();
    },
  );
}

function registerFaults(scope: FastifyInstance, controls: NetworkControls): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: FaultsJson };
  app.get(
    `${PREFIX}/faults`,
    { schema: { tags: ['network'], summary: 'What goes wrong', response } },
    async () => jsonOf(await controls.faults()),
  );
  app.put(
    `${PREFIX}/faults`,
    {
      schema: {
        tags: ['network'],
        summary: 'Choose what goes wrong; what is not named does not',
        body: FaultsBody,
        response,
      },
    },
    async ({ body: { congestion = '0', ...rest } }) => {
      await controls.setFaults({ ...NO_FAULTS, ...rest, congestion: u64Field('congestion', congestion) });
      return jsonOf(await controls.faults());
    },
  );
}

function jsonOf(faults: Faults): FaultsJson {
  return { ...faults, congestion: faults.congestion.toString() };
}
