import { formatForError } from '../../common/format-for-error.ts';
import { splitAddress } from './kinds.ts';
import { isLoopbackHost } from './loopback.ts';

/** The addresses that clients reach with a key. */
const SERVED = ['host', 'grpc-host', 'admin-host', 'landing-address'] as const;

type ExposureSettings = Readonly<Record<(typeof SERVED)[number], string>> & { readonly production: boolean };

/**
 * Finds what would serve a demo to other machines. Without `production`, an instance has an organisation with a key and
 * without limits, a faucet, and wallets whose keys everybody can compute. That may be meant, so `production=false` from
 * any source is accepted, and only the default is not.
 *
 * @returns What is wrong, in sentences.
 */
export function exposureContradictions(
  settings: ExposureSettings,
  sources: Readonly<Record<string, string>>,
): string[] {
  if (settings.production || sources.production !== 'default') return [];
  return SERVED.filter((name) => !isLoopback(settings[name])).map(
    (name) =>
      `${name} from ${sources[name]} is ${formatForError(settings[name])}, but an address beyond this machine requires production, because without it the instance has a demo organisation with an unlimited key and a faucet; give --production, or --no-production to serve the demo to other machines all the same`,
  );
}

/** @param text - A host, or an address with its port; empty if nothing listens. */
function isLoopback(text: string): boolean {
  return text === '' || isLoopbackHost(splitAddress(text)?.host ?? text);
}
