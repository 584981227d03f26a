import { type Faults, NO_FAULTS } from '../../../chain/embedded/blocks/faults.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { parseAddressField, parseU64Field } from './fields.ts';
import { FaultsBody, FaultsJson, NextFaultBody, NextFaultsAnswer } from './network-schema.ts';
import type { AdminNetwork, NetworkServices } from './network-services.ts';

const FAULTS = '/admin/v1/network/faults';
const NEXT_FAULTS = `${FAULTS}/next`;

const show = defineAdminEndpoint({
  method: 'GET',
  path: FAULTS,
  summary: 'The injected faults',
  responses: { 200: FaultsJson },
  handle: async ({ network }: NetworkServices) => toJson(await network.faults()),
});

const inject = defineAdminEndpoint({
  method: 'PUT',
  path: FAULTS,
  audited: 'network.faults_set',
  summary: 'Inject faults; those that are not named are switched off',
  body: FaultsBody,
  responses: { 200: FaultsJson },
  handle: async ({ network }: NetworkServices, { body: { congestion = '0', ...rest } }) => {
    await network.setFaults({
      ...NO_FAULTS,
      ...rest,
      congestion: parseU64Field('congestion', congestion),
    });
    return toJson(await network.faults());
  },
});

const showNext = defineAdminEndpoint({
  method: 'GET',
  path: NEXT_FAULTS,
  summary: 'The faults of the next transactions',
  responses: { 200: NextFaultsAnswer },
  handle: ({ network }: NetworkServices) => listNextFaults(network),
});

const faultNext = defineAdminEndpoint({
  method: 'POST',
  path: NEXT_FAULTS,
  audited: 'network.next_fault_added',
  summary: 'Drop, delay or fail the next transactions',
  body: NextFaultBody,
  responses: { 200: NextFaultsAnswer },
  handle: async ({ network }: NetworkServices, { body }) => {
    const { effect, count = 1, wallet, program, slots = 10, code = 1 } = body;
    await network.faultNext({
      effect,
      count,
      wallet: wallet === undefined ? null : parseAddressField('wallet', wallet),
      program: program === undefined ? null : parseAddressField('program', program),
      slots,
      code,
    });
    return listNextFaults(network);
  },
});

const forgetNext = defineAdminEndpoint({
  method: 'DELETE',
  path: NEXT_FAULTS,
  audited: 'network.next_faults_cleared',
  summary: 'Forget the faults of the next transactions',
  responses: { 200: NextFaultsAnswer },
  handle: async ({ network }: NetworkServices) => {
    await network.clearNextFaults();
    return listNextFaults(network);
  },
});

/** The faults of all transactions, and of the next ones. */
export const FAULT_ENDPOINTS = [show, inject, showNext, faultNext, forgetNext];

async function listNextFaults(network: AdminNetwork) {
  const { waiting, struck } = await network.nextFaults();
  return {
    waiting: waiting.map(({ effect, count, wallet, program }) => ({ effect, count, wallet, program })),
    struck: struck.map(({ effect, signature, slot }) => ({ effect, signature, slot: slot.toString() })),
  };
}

function toJson(faults: Faults): FaultsJson {
  return { ...faults, congestion: faults.congestion.toString() };
}
