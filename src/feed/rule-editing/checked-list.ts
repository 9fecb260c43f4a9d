import type { Rule as CompiledRule } from '#engine/ir/rules.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { rulesInOrder, type RuleState } from './rule-state.ts';

/** The active rules of both scopes in one list, with the wire rules they were compiled from. */
export class CheckedList {
  readonly state: RuleState;
  readonly rules: readonly Rule[];
  readonly compiled: readonly CompiledRule[];
  /** Index of the first rule of the checked list among the compiled rules. */
  readonly from: number;

  constructor(state: RuleState, rules: readonly Rule[]) {
    this.state = state;
    this.rules = rules;
    this.compiled = rulesInOrder(state.above, rules);
    this.from = this.compiled.findIndex(({ id }) => id.startsWith('own'));
  }

  /** Returns the wire rule of a compiled one, with its position in its own list. */
  at(index: number): { rule: Rule; scope: 'same' | 'above'; place: number } {
    const [, scope = '', place = ''] = /^(own|above)(\d+)$/.exec(this.compiled[index]?.id ?? '') ?? [];
    const rule = (scope === 'own' ? this.rules : this.state.above)[Number(place)];
    if (!rule) throw new Error(`No compiled rule at ${index}`);
    return { rule, scope: scope === 'own' ? 'same' : 'above', place: Number(place) };
  }
}
