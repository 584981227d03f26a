/** Returns the section of a page below a heading of the third level, up to the next one; empty if there is none. */
export function readSection(page: string, heading: string): string {
  return page.split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
}

/** Returns the cells of the rows of the table whose first column has this head. */
export function readRows(section: string, head: string): string[][] {
  const [, table = ''] = new RegExp(`^\\| ${head} .*\\n.*\\n((?:\\|.*\\n)+)`, 'm').exec(section) ?? [];
  const lines = table.trim().split('\n');
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
