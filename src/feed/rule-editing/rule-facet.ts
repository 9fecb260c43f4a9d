import { createHash } from 'node:crypto';
import { ruleValues } from '#engine/analysis/rule-values.ts';
import { requestedPlace } from '#engine/duckdb/rule-batches.ts';
import { filterCondition } from '#catalogue/item-conditions.ts';
import { readFacet, textKey } from '#catalogue/facets/facet.ts';
import type { FacetCache } from '#catalogue/facets/facet-cache.ts';
import { isNumeric } from '#catalogue/facets/item-facet.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name, statement } from '#platform/duckdb/sql.ts';
import type { Facet } from '#shared/items/facets.ts';
import type { RuleFacetRequest } from '#shared/rules/effect.ts';
import { batchTable } from './ask-items.ts';
import { itemsOf, ownId, rulesInOrder, type RuleState } from './rule-state.ts';

type Deps = { duckdb: DuckDb; facets: FacetCache };

/** The table of values of the items that a rule meets, so that several queries of one facet run the rules once. */
const MET = 'rule_items';

/**
 * The facet of a field over the items on which the rule at `index` holds, before it changed them, narrowed by the filters of
 * other fields. A paused rule is computed as if it were active.
 */
export function ruleFacet(
  { duckdb, facets }: Deps,
  state: RuleState,
  { index, rules, field, filters }: Omit<RuleFacetRequest, 'data'> & { index: number },
  signal: AbortSignal,
): Promise<Facet> {
  const others = filters.filter((filter) => filter.field !== field);
  const running = rulesInOrder(state.above, rules, index);
  const id = ownId(index);
  const upTo = running.slice(0, running.findIndex((rule) => rule.id === id) + 1);
  const { company, masterid, number, runid } = state.snapshot;
  const question = [company, masterid, number, runid, state.mapped?.key, upTo, field, others];
  const key = `rule/${createHash('sha256').update(JSON.stringify(question)).digest('base64')}`;
  return facets.ask(key, async () => {
    const fields = [...new Set([field, ...others.map((filter) => filter.field)])];
    const place = requestedPlace(itemsOf(state), running, id, { show: fields, table: batchTable });
    return duckdb.inSession(async (session) => {
      for (const made of place.statements) await session.all(made, signal);
      const { values, marksOf } = ruleValues(place.relation, place.rules, id, fields);
      await session.all(statement(duck`CREATE TEMP TABLE ${name(MET)} AS ${values}`), signal);
      const conditions = others.map((filter) => {
        const column = `v${fields.indexOf(filter.field)}`;
        return duck`(${filterCondition({ ...filter, field: column }, { all: name(MET), groups: marksOf(filter.field) })})`;
      });
      const chosen = conditions.length === 0 ? duck`true` : duck`coalesce(${join(conditions, duck` AND `)}, false)`;
      const texts = duck`SELECT "row" AS r, v0 AS v FROM ${name(MET)}`;
      const keys = duck`SELECT "row" AS r, ${textKey(name('v0'))}, ${chosen} AS chosen FROM ${name(MET)}`;
      const guess = state.fields.find((one) => one.name === field)?.guess;
      return await readFacet(session, { texts, keys, numeric: isNumeric(guess), groups: marksOf(field) }, signal);
    }, signal);
  });
}
