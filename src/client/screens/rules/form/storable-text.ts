import type { Rule } from '#shared/rules/schema.ts';

/** Message at the field from which a character was removed. */
export const nulRemovedText = 'Das unsichtbare Zeichen NUL wurde entfernt; es kann nicht gespeichert werden.';

/**
 * Removes NUL characters, which the database cannot store and the server refuses (T9), and returns their paths, e.g.
 * 'querys.0.value'. Without any, returns the same rule object.
 */
export function storable(rule: Rule): { rule: Rule; paths: readonly string[] } {
  const paths: string[] = [];
  const clean = (text: string, path: string): string => {
    if (!text.includes('\0')) return text;
    paths.push(path);
    return text.replaceAll('\0', '');
  };
  const cleaned: Rule = {
    ...rule,
    name: clean(rule.name, 'name'),
    description: clean(rule.description, 'description'),
    querys: rule.querys.map((condition, at) => ({
      ...condition,
      field: clean(condition.field, `querys.${at}.field`),
      value: clean(condition.value, `querys.${at}.value`),
    })),
    actions: rule.actions.map((action, at) => ({
      ...action,
      field: clean(action.field, `actions.${at}.field`),
      value: action.value.map((entry, index) => ({
        ...entry,
        value: clean(entry.value, `actions.${at}.value.${index}.value`),
      })),
    })),
  };
  return paths.length === 0 ? { rule, paths } : { rule: cleaned, paths };
}
