import { resolve } from 'node:path';
import { Type } from 'typebox';
import { type Address, parseAddress } from '../../../solana/address.ts';
import { isHttpUrl, repeatable } from '../kinds/kinds.ts';
import { setting } from '../kinds/setting.ts';

/** Programs and accounts that are loaded into the embedded network in addition to its genesis. */
export const LOADED_SETTINGS = {
  program: setting(
    repeatable('Load a program, such as a dump of the public one, at an address of the embedded network.'),
    {
      allowed: 'ADDRESS=FILE.so',
      accepts: (text) => splitProgram(text) !== null,
      field: 'programs',
      convert: (texts, cwd) =>
        texts.flatMap((text) => {
          const parts = splitProgram(text);
          return parts === null ? [] : [{ address: parts.address, file: resolve(cwd, parts.file) }];
        }),
    },
  ),
  account: setting(
    repeatable(
      'Load an account into the embedded network from a file that `solana account --output json` wrote.',
    ),
    {
      allowed: 'the path of a JSON file',
      accepts: (file) => file !== '',
      field: 'accountFiles',
      convert: (files, cwd) => files.map((file) => resolve(cwd, file)),
    },
  ),
  clone: setting(
    repeatable(
      'Copy an account, or a program with its data, from the network of `clone-from` into the embedded network.',
    ),
    {
      allowed: 'a Solana address',
      accepts: (text) => parseAddress(text) !== null,
      field: 'clones',
      convert: (texts) => texts.flatMap((text) => parseAddress(text) ?? []),
    },
  ),
  'clone-from': setting(
    Type.String({ default: '', description: 'Solana RPC that `clone` copies from. Empty: none.' }),
    {
      allowed: 'an http or https URL',
      accepts: (url) => url === '' || isHttpUrl(url),
      secret: true,
      convert: (url) => (url === '' ? null : new URL(url)),
    },
  ),
};

/** Returns the parts of `ADDRESS=FILE`; null when the text has another form. */
function splitProgram(text: string): { readonly address: Address; readonly file: string } | null {
  const equals = text.indexOf('=');
  const address = parseAddress(text.slice(0, Math.max(equals, 0)));
  const file = text.slice(equals + 1);
  return address === null || file === '' ? null : { address, file };
}
