import './address-form.css';
import { useState } from 'react';
import { useInstance } from '../api/instance.ts';
import { isAddress } from '../base/is-address.ts';
import { useThrowawayWallet } from '../wallet/use-throwaway-wallet.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

/**
 * Asks which address a page is about: a field, and buttons for the wallet of this browser and the demo wallet.
 *
 * @param props.value - The address that is shown now; null or empty: none yet.
 * @param props.onChange - Called with an address that is one. The page puts it into its own address.
 * @param props.wallets - Whether the two wallets are offered. Default: true.
 */
export function AddressForm({
  label = 'Wallet',
  value,
  onChange,
  wallets = true,
}: {
  readonly label?: string;
  readonly value: string | null;
  readonly onChange: (address: string) => void;
  readonly wallets?: boolean;
}) {
  // Another address begins another form: what was typed belongs to the one before.
  return (
    <AddressFields
      key={value ?? ''}
      label={label}
      value={value ?? ''}
      onChange={onChange}
      wallets={wallets}
    />
  );
}

function AddressFields({
  label,
  value,
  onChange,
  wallets,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (address: string) => void;
  readonly wallets: boolean;
}) {
  const [text, setText] = useState(value);
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      className="address-form"
      onSubmit={(event) => {
        event.preventDefault();
        const address = text.trim();
        setError(isAddress(address) ? null : 'This is no address: one has 32 bytes in base58.');
        if (isAddress(address)) onChange(address);
      }}
    >
      <Field label={label} error={error}>
        {(control) => (
          <input
            {...control}
            type="text"
            value={text}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="An address"
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div className="address-form__buttons">
        <Button type="submit" kind="primary">
          Show
        </Button>
        {wallets ? <WalletChoices value={value} onChange={onChange} /> : null}
      </div>
    </form>
  );
}

function WalletChoices({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (address: string) => void;
}) {
  const { data: instance } = useInstance();
  const { wallet } = useThrowawayWallet();
  const demo = instance?.demoWallet ?? null;
  const own = wallet.kind === 'ready' ? wallet.key.address : null;
  return (
    <>
      {own === null ? null : (
        <Button aria-pressed={own === value} onClick={() => onChange(own)}>
          My throwaway wallet
        </Button>
      )}
      {demo === null ? null : (
        <Button aria-pressed={demo === value} onClick={() => onChange(demo)}>
          Demo wallet
        </Button>
      )}
    </>
  );
}
