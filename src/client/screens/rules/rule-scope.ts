import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';

/** The owner of a screen's rules: a catalogue (master operators) or an export. */
export type RuleScope = { kind: 'master' | 'export'; id: string };

type Saved = AnswerOf<typeof api.saveRules>;
type RuleCalls = {
  load: (id: string) => Promise<Rule[]>;
  save: (id: string, rules: Rule[], ifMatch: number, signal: AbortSignal) => Promise<Saved>;
  remove: (id: string, ruleid: string) => Promise<Saved>;
};

/** RUL-13, RUL-14: the two families of calls. */
export const ruleCallsOf: Record<RuleScope['kind'], RuleCalls> = {
  master: {
    load: (id) => call(api.masterRules, { params: { id } }),
    save: (masterid, body, ifMatch, signal) =>
      call(api.saveMasterRules, { params: { masterid }, body, ifMatch, signal }),
    remove: (masterid, ruleid) => call(api.deleteMasterRule, { params: { masterid, ruleid } }),
  },
  export: {
    load: (masterid) => call(api.rules, { params: { masterid } }),
    save: (masterid, body, ifMatch, signal) => call(api.saveRules, { params: { masterid }, body, ifMatch, signal }),
    remove: (masterid, ruleid) => call(api.deleteRule, { params: { masterid, ruleid } }),
  },
};

/** Returns the key of a scope's rules in the history. */
export function documentOf({ kind, id }: RuleScope) {
  return { subject: 'rules' as const, scope: `${kind}:${id}` };
}

/** Returns the address of a rule; without an id, of the list. */
export function rulePath({ kind, id }: RuleScope, ruleid?: string): string {
  const rule: Record<string, string> = ruleid === undefined ? {} : { ruleid };
  return kind === 'master'
    ? pathTo(pages.masterRules, { masterid: id, ...rule })
    : pathTo(pages.exportRules, { id, ...rule });
}
