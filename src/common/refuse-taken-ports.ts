import { createServer } from 'node:net';
import { type ListenOptions, toListenError } from './listen-error.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Tries all ports before anything that takes long, so that the operator learns of all that are taken at once. One that is
 * taken afterwards is reported when its server opens it.
 *
 * @throws OperatorError with a line for each port that cannot be used
 */
export async function refuseTakenPorts(addresses: readonly ListenOptions[]): Promise<void> {
  const problems = await Promise.all(addresses.map(findPortProblem));
  const found = problems.flatMap((problem) => problem?.message ?? []);
  if (found.length > 0) throw new OperatorError(found.join('\n'));
}

/**
 * Opens a port for a moment. An error that the server itself will explain is left to it.
 *
 * Returns why the port cannot be used; null when it can.
 */
export function findPortProblem(address: ListenOptions): Promise<OperatorError | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      const told = toListenError(error, address);
      resolve(told instanceof OperatorError ? told : null);
    });
    server.listen({ host: address.host, port: address.port }, () => server.close(() => resolve(null)));
  });
}
