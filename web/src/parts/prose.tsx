import { Fragment } from 'react';

/** A text of the interface's description, in which backticks mark code. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    // Every second part stands between two backticks.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no name but their place.
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
}
