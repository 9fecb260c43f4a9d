import type { OfferedStock } from '#catalogue/offered-stock.ts';
import { ID, inOrder, nextStep, ROW, snapshotRelation, type Relation } from '#engine/duckdb/relation.ts';
import { groupsOf } from '#engine/duckdb/number-groups.ts';
import type { Batches, Live } from '#engine/duckdb/rule-batches.ts';
import { isSource } from '#engine/ir/source-key.ts';
import { mappingStage, tableStage } from '#feed/stages/assignments/stage.ts';
import type { Constructed } from '#feed/stages/construction/columns.ts';
import type { ExportField } from '#feed/stages/construction/fields.ts';
import { constructionStage } from '#feed/stages/construction/stage.ts';
import { rulesStage } from '#feed/stages/rules/stage.ts';
import { duck, join, name, type Statement } from '#platform/duckdb/sql.ts';
import { INDEX, KNOWN_INDEX, OFFERED, type Demand, type MasterDemand } from './demand.ts';
import { offeredRows } from './offered-rows.ts';
import { fieldsOf, type ExportPlan, type FieldPlan, type MasterPlan } from './export-plan.ts';

/** The items as the export has them. `statements` run first, on the connection that then reads the items; usually none. */
export type Pipelined = Constructed & { readonly statements: readonly Statement[] };

/**
 * The pipeline from the merchant's catalogue to the export's fields, one stage after the other. What each stage has to compute is
 * determined beforehand (`demand`). Previews run the same stages and stop earlier.
 */
export function build(plan: ExportPlan, demand: Demand): Pipelined {
  const items = buildItems(plan, demand);
  return { ...construct(plan, items.relation).constructed, statements: items.statements };
}

/** The items after the rules and tables of an export. */
export function buildItems(plan: ExportPlan, demand: Demand): Batches {
  const master = buildMaster(plan, demand.master);
  const own = rulesStage(master.relation, plan.exportRules, {
    live: withKeys(demand.live, plan),
    table: (index) => `export_rules_${index}`,
    inParts: plan.wholeCatalogue && { scope: 'export', rules: plan.wholeCatalogue.rules },
  });
  const relation = demand.numbered ? numbered(own.relation) : own.relation;
  return {
    statements: [...master.statements, ...own.statements],
    relation: tableStage(relation, plan.tables, demand.tables),
  };
}

/** The items after the master's rules, with the results of the mappings that are read, and the stock offered on the channel. */
export function buildMaster(plan: MasterPlan, { live, mappings, offered }: MasterDemand): Batches {
  const items = plan.items ?? snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  const rules = rulesStage(items, plan.masterRules, {
    live: withKeys(live, plan),
    table: (index) => `master_rules_${index}`,
    inParts: plan.wholeCatalogue && { scope: 'master', rules: plan.wholeCatalogue.rules },
  });
  const mapped = mappingStage(rules.relation, mappings);
  const relation = offered && plan.offered !== undefined ? withOffered(mapped, plan.offered) : mapped;
  return { statements: rules.statements, relation };
}

/** Adds the columns for values that depend on all items: carried from their rule to the end, or from the start to their rule. */
function withKeys(live: Live, { wholeCatalogue }: Pick<MasterPlan, 'wholeCatalogue'>): Live {
  return live === 'all' || wholeCatalogue === undefined ? live : new Set([...live, ...wholeCatalogue.keys]);
}

/** Joins the stock that the channel is offered of each item; NULL for items never offered. */
function withOffered(relation: Relation, stock: OfferedStock): Relation {
  const columns = new Map([...relation.columns, [OFFERED, 'item_offered']]);
  const own = [...new Set(relation.columns.values())].map((column) => duck`items.${name(column)}`);
  const list = join(
    [duck`items.${ID}`, duck`items.${ROW}`, ...own, duck`stock.pieces AS ${name('item_offered')}`],
    duck`, `,
  );
  const body = duck`SELECT ${list} FROM ${name(relation.from)} AS items LEFT JOIN ${offeredRows(stock)} AS stock ON stock.item = items.${ID}`;
  return nextStep(relation, body, columns, { shuffled: true });
}

/** Numbers the items in the file's order. Only exports that read the number pay for it: numbering cannot run in parallel. */
function numbered(relation: Relation): Relation {
  const known = relation.columns.get(KNOWN_INDEX);
  if (known !== undefined) return { ...relation, columns: new Map([...relation.columns, [INDEX, known]]) };
  const columns = new Map([...relation.columns, [INDEX, 'item_index']]);
  const own = [...new Set(relation.columns.values())].map(name);
  const itemIndex = duck`CAST(row_number() OVER (${inOrder(relation)}) AS VARCHAR) AS ${name('item_index')}`;
  return nextStep(
    relation,
    duck`SELECT ${join([ID, ROW, ...own, itemIndex], duck`, `)} FROM ${name(relation.from)}`,
    columns,
  );
}

/** Runs the last stage, and returns its result with the fields it makes. */
export function construct(
  plan: FieldPlan & Pick<ExportPlan, 'snapshot' | 'template'>,
  items: Relation,
): { constructed: Constructed; fields: readonly ExportField[] } {
  const fields = fieldsOf(plan, () => [...items.columns.keys()].filter((key) => !isSource(key)));
  const guesses = new Map(plan.snapshot.fields.map((field) => [field.name, field.guess]));
  // The number notation of fields that rules made is known only from the items.
  const made = [...(items.groups ?? [])].filter(([, { mark }]) => mark !== 'none');
  const groups = new Map([...made, ...groupsOf(plan.snapshot.fields)]);
  const facts = { guesses, groups, fields: plan.template?.fields ?? [] };
  return { constructed: constructionStage(items, fields, facts), fields };
}
