import { MAX_CLOCK_DIFFERENCE_MS } from '../../../rfq/index.ts';
import { type AdminEndpoint, defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { CALL_FAULT_ENDPOINTS } from './call-fault-endpoints.ts';
import { FAULT_ENDPOINTS } from './fault-endpoints.ts';
import { parseAddressField, parseBase64Field, parseU64Field } from './fields.ts';
import {
  AccountsAnswer,
  AccountsBody,
  ClockAnswer,
  ClockBody,
  FaucetAnswer,
  FaucetBody,
  NetworkAnswer,
} from './network-schema.ts';
import type { NetworkServices } from './network-services.ts';
import { PRICE_ENDPOINTS } from './price-endpoints.ts';
import { REQUEST_FAULT_ENDPOINTS } from './request-fault-endpoints.ts';
import { SNAPSHOT_ENDPOINTS } from './snapshot-endpoints.ts';

/** Room for one account of the largest size that the runtime allows, 10 MiB, in base64. */
const ACCOUNTS_BODY_LIMIT = 16 * 1024 * 1024;
const MAX_CLOCK_DIFFERENCE_SECONDS = MAX_CLOCK_DIFFERENCE_MS / 1_000;
const NEVER_RENT_EPOCH = (1n << 64n) - 1n;

const show = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/network',
  summary: 'Where the embedded network is, and its clock',
  responses: { 200: NetworkAnswer },
  handle: async ({ network }: NetworkServices) => {
    const { slot, unixTimestamp } = network.clock();
    const { rpcUrl, wsUrl } = network;
    return { rpcUrl, wsUrl, slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
  },
});

const faucet = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/network/faucet',
  // A gift changes nothing but a balance, and tests ask for thousands; the chain has the transaction of each.
  audited: null,
  summary: 'Give tokens to a wallet',
  body: FaucetBody,
  responses: { 200: FaucetAnswer },
  handle: async ({ network }: NetworkServices, { body }) =>
    network.faucet(
      parseAddressField('wallet', body.wallet),
      parseAddressField('mint', body.mint),
      parseU64Field('amount', body.amount),
    ),
});

const advanceClock = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/network/clock',
  audited: 'network.clock_moved',
  summary: 'Move the clock forward',
  body: ClockBody,
  responses: { 200: ClockAnswer },
  handle: async ({ network }: NetworkServices, { body: { slots = 0, seconds = 0 } }) => {
    const { slot, unixTimestamp } = await network.warp({ slots, seconds });
    const notice = findClockWarning(unixTimestamp);
    const clock = { slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
    return notice === null ? clock : { ...clock, notice };
  },
});

const writeAccounts = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/network/accounts',
  audited: 'network.accounts_written',
  bodyLimit: ACCOUNTS_BODY_LIMIT,
  summary: 'Write accounts',
  body: AccountsBody,
  responses: { 200: AccountsAnswer },
  handle: async ({ network }: NetworkServices, { body }) => {
    const slot = await network.setAccounts(
      body.accounts.map(({ address, account }, index) => ({
        address: parseAddressField(`accounts[${index}].address`, address),
        account: account === null ? null : parseAccountFields(account, `accounts[${index}].account`),
      })),
    );
    return { slot: slot.toString() };
  },
});

const reset = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/network/reset',
  audited: 'network.reset',
  summary: 'Put the network back to its beginning',
  description:
    'Accounts, prices and clock become those of a network that is started now, and all faults are removed. Slots, blockhashes, transaction history, named snapshots, keys and organisations stay.',
  responses: { 200: ClockAnswer },
  handle: async ({ network, requestFaults }: NetworkServices) => {
    requestFaults.clear();
    await network.reset();
    const { slot, unixTimestamp } = network.clock();
    return { slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
  },
});

/** The controls of the embedded network, for tests. */
export const NETWORK_ENDPOINTS: readonly AdminEndpoint<NetworkServices>[] = [
  show,
  faucet,
  advanceClock,
  writeAccounts,
  ...SNAPSHOT_ENDPOINTS,
  ...FAULT_ENDPOINTS,
  ...CALL_FAULT_ENDPOINTS,
  ...PRICE_ENDPOINTS,
  ...REQUEST_FAULT_ENDPOINTS,
  reset,
];

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
