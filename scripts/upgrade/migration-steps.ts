/** What the version before, which still runs beside the new one, could not live with. */
const breaking: readonly { readonly what: string; readonly found: RegExp }[] = [
  { what: 'a table or view goes', found: /\bdrop\s+(table|view)\b/i },
  { what: 'a column goes', found: /\bdrop\s+column\b/i },
  { what: 'something gets another name', found: /\brename\b/i },
  { what: 'a column gets another type', found: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i },
  { what: 'a column must be filled', found: /\bset\s+not\s+null\b/i },
  {
    what: 'a new column must be filled',
    found: /\badd\s+column\s+(?![^,;]*\b(default|generated)\b)[^,;]*\bnot\s+null\b/i,
  },
];

/** Words of a migration's author: the version before does without what this takes away. */
const secondStep = /^\s*-- second step: /im;

/**
 * Why a migration must not run while the version before still works; empty where it may. A statement whose comment begins with
 * `-- second step:` is the end of a change that began at least a version earlier.
 */
export function breakingSteps(sql: string): string[] {
  return statementsOf(sql).flatMap((statement) => {
    if (secondStep.test(statement)) return [];
    const text = statement.replaceAll(/--.*$/gm, '');
    return breaking.filter(({ found }) => found.test(text)).map(({ what }) => `${what}: ${text.trim().slice(0, 100)}`);
  });
}

/** Each with the comment before it. Blocks of code (`do $$ … $$`) are one. */
const statementsOf = (sql: string): string[] =>
  sql
    .split(/(\$\$.*?\$\$)/s)
    .map((part) => (part.startsWith('$$') ? part.replaceAll(';', ' ') : part))
    .join('')
    .split(';');
