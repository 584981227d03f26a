import { formatForError } from '../../common/format-for-error.ts';
import { splitAddress } from './kinds/kinds.ts';
import { isLoopbackHost } from './kinds/loopback.ts';

/** The addresses that clients reach with a key. */
const SERVED = ['host', 'grpc-host', 'admin-host', 'landing-address'] as const;

type ExposureSettings = Readonly<Record<(typeof SERVED)[number], string>> & { readonly production: boolean };

/**
 * Finds addresses that would expose a demo to other machines. Without `production`, an instance has an organisation
 * without limits, a faucet, and wallets whose keys can be derived from the public seed. An operator may want that, so an
 * explicit `production=false` is accepted, but the default is not.
 *
 * Returns the contradictions, one sentence each.
 */
export function findExposureContradictions(
  settings: ExposureSettings,
  sources: Readonly<Record<string, string>>,
): string[] {
  if (settings.production || sources.production !== 'default') return [];
  return SERVED.filter((name) => !isLoopback(settings[name])).map(
    (name) =>
      `${name} from ${sources[name]} is ${formatForError(settings[name])}, but an address beyond this machine requires production, because without it the instance has a demo organisation with an unlimited key and a faucet; give --production, or --no-production to serve the demo to other machines all the same`,
  );
}

/** @param text - A host, or an address with its port. Empty when there is no server. */
function isLoopback(text: string): boolean {
  return text === '' || isLoopbackHost(splitAddress(text)?.host ?? text);
}
