import { Rule } from '#shared/rules/schema.ts';

/** Returns a rule that replaces a brand by the rule's name. */
export const brandRule = (id: string, name: string, value: string): Rule =>
  Rule.parse({
    id,
    name,
    active: true,
    querys: [{ id: 'q0', field: 'marke', select: 'is_equal', value }],
    actions: [{ id: 'a0', field: 'marke', select: 'set', value: [{ type: '_string', value: name }] }],
  });
export const bosch = brandRule('RuleBosch1', 'Bosch', 'bosch');
export const fjord = brandRule('RuleFjord2', 'Fjord', 'fjord');
export const nordkap = brandRule('RuleNord33', 'Nordkap', 'nordkap');
