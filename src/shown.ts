/** A value as an error message shows it: as JSON, cut at `longest` characters, because it may come from anybody. */
export function shown(value: unknown, longest = 100): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longest ? `${text.slice(0, longest)}... (${text.length} characters)` : text;
}
