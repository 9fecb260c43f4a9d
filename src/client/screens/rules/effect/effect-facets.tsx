import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ItemFilter } from '#shared/items/schema.ts';
import { RULE_LIMITS, type Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { call } from '#client/call.ts';
import { FacetPanel } from '#client/fields/facets/facet-panel.tsx';
import { hasCondition, ruleConditions } from '#client/fields/rule-of-filters.ts';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { newRuleId } from '#client/fields/values/new-id.ts';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';

export type EffectFacetsProps = {
  scope: RuleScope;
  rule: Rule;
  /** The rules without changes that do not affect their result. */
  computed: readonly Rule[];
  mayEdit: boolean;
  onChange: (rule: Rule) => void;
};

/** Number of facets opened by default. */
const FIRST = 3;

/** The values of the items that the rule matches, before the rule; values chosen there can become further conditions. */
export default function EffectFacets({ scope, rule, computed, mayEdit, onChange }: EffectFacetsProps) {
  const { fields } = useFields();
  const [chosen, setChosen] = useState<readonly string[]>(() => fieldsOf(rule).slice(0, FIRST));
  const [filters, setFilters] = useState<readonly ItemFilter[]>([]);
  const conditions = ruleConditions({ filters, search: '' }, (field) => field, newRuleId);
  const full = rule.querys.length + conditions.length > RULE_LIMITS.parts;
  const take = () => {
    onChange({ ...rule, querys: [...rule.querys, ...conditions] });
    setFilters([]);
  };
  return (
    <>
      <FacetPanel
        fields={fields.map(({ name, value }) => ({ id: value, name }))}
        chosen={chosen}
        filters={filters}
        of={JSON.stringify([rule.id, computed])}
        ask={({ field, filters: others }, signal) =>
          call(api.ruleFacet, {
            params: { masterid: scope.id },
            body: { data: rule.id, rules: [...computed], field, filters: [...others] },
            signal,
          })
        }
        onChoose={setChosen}
        onFilters={setFilters}
      />
      {filters.length > 0 && (
        <div className="k-row">
          {mayEdit && conditions.length > 0 && (
            <Button size="xs" variant="default" disabled={full} onClick={take}>
              Als Bedingung übernehmen
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setFilters([])}>
            Auswahl aufheben
          </Button>
        </div>
      )}
      {filters.some((filter) => !hasCondition(filter)) && (
        <p className="k-muted k-small">Für „doppelt“ gibt es in einer Regel keine Bedingung.</p>
      )}
      {full && <p className="k-muted k-small">Eine Regel hat höchstens {RULE_LIMITS.parts} Bedingungen.</p>}
    </>
  );
}

/** Returns the fields that a rule reads and writes, each once. */
function fieldsOf({ querys, actions }: Rule): string[] {
  const names = [...querys, ...actions].map(({ field }) => field);
  return [...new Set(names)].filter((name) => name !== '' && name !== ALL_FIELDS);
}
