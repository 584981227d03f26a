import { type FormEvent, useState } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { useTokenSearch } from '../../../api/known-tokens.ts';
import { parseUnits } from '../../../base/format-amount.ts';
import { shortenAddress } from '../../../base/format-text.ts';
import { isAddress } from '../../../base/is-address.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { useControl } from '../activity/activity.tsx';
import { findGiftToken, type Gift, type GivenGift, giveTokens } from './give-tokens.ts';

/** Gives any token to any wallet. */
export function FaucetSection() {
  const { data: instance } = useInstance();
  const { wallet: own } = useThrowawayWallet();
  const [wallet, setWallet] = useState('');
  const [token, setToken] = useState('SOL');
  const [amount, setAmount] = useState('10');
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const { data: found } = useTokenSearch(token.trim(), token.trim() !== '');
  const give = useControl<GivenGift, Gift>({
    act: giveTokens,
    nameAct: ({ wallet: to, text }) => `Gave ${text} to ${shortenAddress(to)}`,
    describeResult: ({ signature }) =>
      signature === null
        ? 'Its account was written with the new balance'
        : `By the transaction ${shortenAddress(signature)}`,
  });
  const chosen = findGiftToken(token.trim(), found ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const raw = chosen === null ? null : parseUnits(amount, chosen.decimals);
    const next = {
      ...(isAddress(wallet.trim()) ? {} : { wallet: 'This is no address: one has 32 bytes in base58.' }),
      ...(chosen === null ? { token: 'No token of this network has that symbol or address.' } : {}),
      ...(chosen !== null && (raw === null || raw === 0n)
        ? { amount: `Enter a number above 0 with at most ${chosen.decimals} digits behind the point.` }
        : {}),
    };
    setProblems(next);
    if (Object.keys(next).length > 0 || chosen === null || raw === null) return;
    give.mutate({
      wallet: wallet.trim(),
      mint: chosen.mint,
      amount: raw,
      text: `${amount.trim()} ${chosen.symbol}`,
    });
  };
  return (
    <section id="faucet">
      <Panel title="Faucet">
        <form className="controls__line" onSubmit={submit}>
          <Field label="Wallet" error={problems.wallet}>
            {(control) => (
              <input
                {...control}
                type="text"
                autoComplete="off"
                spellCheck={false}
                placeholder="An address"
                value={wallet}
                onChange={({ target }) => setWallet(target.value)}
              />
            )}
          </Field>
          <Field
            label="Token"
            help="SOL, wSOL for wrapped SOL, or any symbol or mint."
            error={problems.token}
          >
            {(control) => (
              <input
                {...control}
                type="text"
                autoComplete="off"
                spellCheck={false}
                value={token}
                onChange={({ target }) => setToken(target.value)}
              />
            )}
          </Field>
          <Field label="Amount" note={chosen?.symbol ?? ''} error={problems.amount}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={amount}
                onChange={({ target }) => setAmount(target.value)}
              />
            )}
          </Field>
          <Button type="submit" kind="primary" busy={give.isPending}>
            Give it
          </Button>
        </form>
        <div className="controls__buttons">
          {own.kind === 'ready' ? (
            <Button onClick={() => setWallet(own.key.address)}>To my throwaway wallet</Button>
          ) : null}
          {instance?.demoWallet == null ? null : (
            <Button onClick={() => setWallet(instance.demoWallet ?? '')}>To the demo wallet</Button>
          )}
        </div>
        {give.error === null ? null : <ErrorNote error={give.error} />}
        {give.data === undefined ? null : (
          <p className="controls__note" role="status">
            Given to the account <AddressText address={give.data.account} />
            {give.data.signature === null ? null : (
              <>
                {' '}
                by <AddressText address={give.data.signature} link="transaction" label="a transaction" />
              </>
            )}
          </p>
        )}
      </Panel>
    </section>
  );
}
