/** Changes that break the previous version while it still runs next to the new one. */
const breaking: readonly { readonly what: string; readonly found: RegExp }[] = [
  { what: 'a table or view is dropped', found: /\bdrop\s+(table|view)\b/i },
  { what: 'a column is dropped', found: /\bdrop\s+column\b/i },
  { what: 'something is renamed', found: /\brename\b/i },
  { what: 'a column changes its type', found: /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i },
  { what: 'a column becomes not null', found: /\bset\s+not\s+null\b/i },
  {
    what: 'a new column is not null and has no default',
    found: /\badd\s+column\s+(?![^,;]*\b(default|generated)\b)[^,;]*\bnot\s+null\b/i,
  },
];

/** Marks, by a migration's author, that the previous version no longer needs what this statement removes. */
const secondStep = /^\s*-- second step: /im;

/**
 * Returns why a migration must not run while the previous version still works; empty if it may. A statement whose comment begins
 * with `-- second step:` completes a change that began at least one version earlier.
 */
export function breakingSteps(sql: string): string[] {
  return statementsOf(sql).flatMap((statement) => {
    if (secondStep.test(statement)) return [];
    const text = statement.replaceAll(/--.*$/gm, '');
    return breaking.filter(({ found }) => found.test(text)).map(({ what }) => `${what}: ${text.trim().slice(0, 100)}`);
  });
}

/** Returns the statements, each with the comment before it. A block of code (`do $$ … $$`) is one statement. */
const statementsOf = (sql: string): string[] =>
  sql
    .split(/(\$\$.*?\$\$)/s)
    .map((part) => (part.startsWith('$$') ? part.replaceAll(';', ' ') : part))
    .join('')
    .split(';');
