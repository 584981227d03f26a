import { Type } from 'typebox';
import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { address, parseAddress } from '../../../solana/address.ts';
import { onOrOff, repeatable, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

/** The words in angle brackets that a challenge text may hold. Each stands for what differs between challenges. */
const PLACES: readonly string[] = ['<wallet>', '<time>', '<nonce>'];
const MAX_CHALLENGE_LENGTH = 500;

/** The orders that wait for a price. */
export const TRIGGER_SETTINGS = {
  'trigger-challenge-text': setField(
    'challengeText',
    setting(
      Type.String({
        default:
          'Sign this message to authenticate with Jupiter that you are the owner of <wallet>. This challenge expires at <time> with the nonce of <nonce>',
        maxLength: MAX_CHALLENGE_LENGTH,
        description:
          'Text that wallets sign to prove that they are their owners. `<wallet>`, `<time>` and `<nonce>` are filled in. Some clients, and the policies of some wallets, compare its beginning.',
      }),
      {
        allowed: `one line of at most ${MAX_CHALLENGE_LENGTH} printable ASCII characters with <nonce> once, <wallet> and <time> at most once, no other word in angle brackets, and no blank at either end`,
        accepts: isChallengeText,
      },
    ),
  ),
  'trigger-max-open': setField(
    'maxOpen',
    whole(
      1_000,
      1,
      100_000,
      'Orders that one wallet may have waiting at once, on all instances of one database together. A further deposit is refused.',
    ),
  ),
  'trigger-allow-mint': setting(
    repeatable(
      'Mint that may be deposited although its issuer can take a fee of transfers, run a program with them, or move the tokens of others.',
    ),
    {
      allowed: 'the address of a mint',
      accepts: (text) => parseAddress(text) !== null,
      field: 'allowedMints',
      convert: (mints) => mints.map((mint) => address(mint)),
    },
  ),
  'trigger-history-days': setField(
    'historyDays',
    whole(0, 0, 36_500, 'Days for which orders are kept after they have ended. 0: for ever.'),
  ),
  'follow-order-programs': setField(
    'followsOrderPrograms',
    onOrOff(
      false,
      'Whether the orders of the limit-order and DCA programs are recorded and filled over an outside RPC, which takes a call for each transaction of these programs. On the network that Sluice carries inside itself they always are.',
    ),
  ),
  'trigger-hold-slots': setField(
    'holdSlots',
    whole(
      1,
      1,
      150,
      'Slots for which a validated price must satisfy an order before the order is triggered. More slots make it dearer to trigger orders by moving a price, and later that they are filled.',
    ),
  ),
  'trigger-floor-bps': setField(
    'floorBps',
    whole(
      500,
      0,
      10_000,
      'Basis points under the reference price that an order may be filled at, unless it names a larger slippage. A stop-loss and a buy above the price that name none may be filled at 2000. The slippage bounds what is lost against the quote.',
    ),
  ),
  'trigger-max-floor-bps': setField(
    'maxFloorBps',
    whole(
      2_500,
      0,
      10_000,
      'Basis points under the reference price below which no order is filled, whatever slippage it names.',
    ),
  ),
};

export type TriggerConfig = SettingFields<typeof TRIGGER_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toTriggerConfig(
  settings: SettingValues<typeof TRIGGER_SETTINGS>,
  cwd: string,
): TriggerConfig {
  return toFields(TRIGGER_SETTINGS, settings, cwd);
}

function isChallengeText(text: string): boolean {
  const places: readonly string[] = text.match(/<[^<>]*>/g) ?? [];
  return (
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) &&
    places.includes('<nonce>') &&
    new Set(places).size === places.length &&
    places.every((place) => PLACES.includes(place))
  );
}
