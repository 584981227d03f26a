/**
 * Letters of other scripts that look like a Latin letter or digit, after compatibility forms (such as full-width or
 * mathematical letters) and accents are removed. A subset of Unicode's confusables: what is used to imitate symbols.
 */
const LOOKALIKE_PAIRS = [
  'аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo рp',
  'ԛq гr ѕs тt уy ѵv ԝw хx ьb з3 пn',
  'αa βb εe ηn ιi κk μu νv οo ρp σo ςc τt υu',
  'χx γy ωw ζz ϲc ϳj',
  'ıi ȷj łl øo đd ħh ŧt ɑa ɡg ɩi ɪi ʟl ɴn ʀr',
  'ꜱs ᴀa ʙb ᴄc ᴅd ᴇe ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt',
  'ᴜu ᴠv ᴡw ʏy ᴢz',
  'օo սu ցg հh ոn զq ⲟo ⲥc ꮯc ꭰd ꭼe ꮋh ꮶk',
  'ꮮl ꮇm ꮲp ꮪs ꭲt ꮩv ꮃw ꮓz',
];

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  LOOKALIKE_PAIRS.flatMap((line) => line.split(' ')).map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);

/** Combining marks, and characters that are not shown. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]/gu;

/**
 * Folds a text so that texts which look alike become the same: compatibility forms, letter case, accents, invisible
 * characters and lookalike letters of other scripts are removed. Searches compare folded texts.
 *
 * @example
 * ```ts
 * import { foldText } from './folded-text.ts';
 *
 * foldText('ＵＳＤС') === foldText('usdc'); // true: the last letter is Cyrillic
 * ```
 */
export function foldText(text: string): string {
  const plain = text.normalize('NFKD').replace(INVISIBLE, '').toLowerCase();
  if (isAscii(plain)) return plain;
  let folded = '';
  for (const letter of plain) folded += LOOKALIKES.get(letter) ?? letter;
  return folded;
}

/** Whether a text holds letters that only look Latin. */
export function hasLookalikes(text: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  if (isAscii(plain)) return plain !== text.toLowerCase();
  for (const letter of plain.replace(INVISIBLE, '')) if (LOOKALIKES.has(letter)) return true;
  return false;
}

/** Everything but letters, digits and symbols such as emoji separates words. */
const SEPARATORS = /[^\p{L}\p{N}\p{So}]+/gu;
/** A longer name has no further words. */
const MAX_WORDS = 8;
/** A longer word is cut. */
const MAX_WORD = 24;

/** Returns the words of a folded text, at most eight. */
export function splitWords(folded: string): readonly string[] {
  const words: string[] = [];
  for (const word of folded.split(SEPARATORS)) {
    if (word === '') continue;
    words.push(word.slice(0, MAX_WORD));
    if (words.length === MAX_WORDS) break;
  }
  return words;
}

/** Returns a symbol as one word: folded, without `$`, dots and spaces; empty if nothing is left. */
export function toSymbolKey(symbol: string): string {
  return foldText(symbol).replace(SEPARATORS, '').slice(0, MAX_WORD);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
