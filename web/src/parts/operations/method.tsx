import './method.css';

/** The method of a request, of the same width as every other. Its colour repeats what it says. */
export function Method({ name }: { readonly name: string }) {
  return <span className={`method method--${name.toLowerCase()}`}>{name === 'DELETE' ? 'DEL' : name}</span>;
}
