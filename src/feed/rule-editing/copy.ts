import { integerText } from '#shared/values/integer-text.ts';
import { resolveScope } from '#catalogue/exports.ts';
import type { Trx } from '#platform/db/database.ts';
import { lockDocument } from '#platform/db/documents.ts';
import { unprocessable } from '#platform/errors.ts';
import { copyAction, RULE_LIMITS, type RandomId, type Rule } from '#shared/rules/schema.ts';
import { loadRules, rulesPlace, saveRules } from '#feed/stages/rules/store.ts';

/**
 * Copies rules to the end of another scope's list: paused, since that catalogue may lack their fields, with new ids and the same
 * names. Returns the new revision and the scope.
 * @throws 422 if the list would get too long
 */
export async function copyRules(
  trx: Trx,
  target: { company: string; id: string },
  rules: readonly Rule[],
  author: string,
  randomId: RandomId,
): Promise<{ revision: number }> {
  const { company, id } = target;
  const scope = await resolveScope(trx, company, id);
  await lockDocument(trx, rulesPlace(company, scope.name));
  const existing = await loadRules(trx, company, scope.name);
  const length = existing.rules.length + rules.length;
  if (length > RULE_LIMITS.rules) {
    throw unprocessable(
      'rules_too_many',
      `Eine Liste hat höchstens ${integerText(RULE_LIMITS.rules)} Regeln; dort wären es ${integerText(length)}. Es wurde nichts kopiert.`,
    );
  }
  const usedIds = new Set(existing.rules.map((rule) => rule.id));
  const copies = rules.map((rule) => pausedCopy(rule, randomId, usedIds));
  const ref = { company, scope: scope.name };
  return { revision: await saveRules(trx, ref, [...existing.rules, ...copies], author, existing.revision) };
}

function pausedCopy(rule: Rule, randomId: RandomId, usedIds: Set<string>): Rule {
  let id = randomId();
  while (usedIds.has(id)) id = randomId();
  usedIds.add(id);
  return {
    ...rule,
    id,
    active: false,
    querys: rule.querys.map((condition) => ({ ...condition, id: randomId() })),
    actions: rule.actions.map((action) => copyAction(action, randomId)),
  };
}
