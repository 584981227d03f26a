import type { InstanceOperation } from '../../operation/instance-operation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { OperationAnswer } from './operation-schema.ts';

/** Reads how the instance is. */
export type ReadOperation = Pick<InstanceOperation, 'read'>;

const readOperation = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/operation',
  summary: 'How this instance is: parts, stores, nodes, streams, queues and budgets',
  description:
    'Read from memory, except for the sizes of stores and what was spent of budgets, which all callers share and which nobody waits for longer than half a second. Parts are checked every 5 seconds, whether or not somebody asks.',
  responses: { 200: OperationAnswer },
  handle: (operation: ReadOperation) => operation.read(),
});

export const OPERATION_ENDPOINTS = [readOperation];
