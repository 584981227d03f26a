import { refuseStudioField } from '../studio-refused.ts';

/** The names of a launched token. */
export interface LaunchNames {
  readonly name: string;
  readonly symbol: string;
}

/** The bytes that an account of token metadata has for them. */
const MAX_BYTES = { tokenName: 32, tokenSymbol: 10 } as const;

/** Control characters, those that change the direction of the text around them, and letters that are shown as nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * What joins emojis, chooses how they are shown, and forms letters of some scripts. Between Latin, Greek or Cyrillic letters it
 * would be shown as nothing, so a token could look like another one.
 */
const JOINERS =
  /(?<=[^\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u200c\u200d])[\u200c\u200d](?=[^\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u200c\u200d])|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu;

/** @throws StudioRefused if a name is too long for the chain, or cannot be shown as it is */
export function checkLaunchNames({ name, symbol }: LaunchNames): void {
  checkLaunchName('tokenName', name);
  checkLaunchName('tokenSymbol', symbol);
}

function checkLaunchName(field: keyof typeof MAX_BYTES, text: string): void {
  const most = MAX_BYTES[field];
  const bytes = Buffer.byteLength(text);
  if (bytes > most) {
    refuseStudioField(field, `${field} must have at most ${most} bytes in UTF-8, got ${bytes}`);
  }
  if (text.trim() !== text || text === '') {
    refuseStudioField(field, `${field} must be a text that neither begins nor ends with a space`);
  }
  if (INVISIBLE.test(text.replace(JOINERS, ''))) {
    refuseStudioField(field, `${field} must not hold control characters or others that are not shown`);
  }
}
