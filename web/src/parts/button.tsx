import './button.css';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one action that a page is for. Default: `plain`. */
  readonly kind?: 'primary' | 'plain' | 'quiet';
  /** Whether the action is under way; the button then cannot be pressed again. Default: false. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

export function Button({
  kind = 'plain',
  busy = false,
  type = 'button',
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  const classes = ['button', `button--${kind}`, className].filter(Boolean).join(' ');
  return (
    <button {...rest} type={type} className={classes} disabled={disabled === true || busy} aria-busy={busy}>
      {busy ? <span className="button__spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
