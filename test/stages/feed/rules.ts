import { Rule } from '#shared/rules/schema.ts';

/** Short forms of conditions and actions for tests; the wire's defaults add the rest. */
export type Deps = Record<string, unknown>;
const text = (value: string) => [{ type: '_string', value }];
export const when = (field: string, select = 'contains', value = ''): Deps => ({ field, select, value });
export const set = (field: string, value: string): Deps => ({ field, select: 'set', value: text(value) });
export const exclude: Deps = { field: '@ALL@', select: 'unset' };

/** Returns an active rule; its id is derived from the name. */
export function rule(id: string, querys: Deps[], actions: Deps[], more: Deps = {}): Rule {
  return Rule.parse({
    id: id.padEnd(10, '0'),
    name: id,
    active: true,
    querys: querys.map((one, index) => ({ id: `q${index}`, ...one })),
    actions: actions.map((one, index) => ({ id: `a${index}`, ...one })),
    ...more,
  });
}
